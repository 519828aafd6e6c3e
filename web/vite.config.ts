// How the page is built: relative URLs, every asset a file of its own, straight into the Python package.
import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vitest/config'

// What is opened by a key or a menu: one chunk, loaded while the page is idle. Everything that is on the first screen is
// another, and each further dashboard one of its own; many small files would cost a round trip each.
const OPENED_LATER = new RegExp(
  [
    'app/(Empty|Unshown|Palette|KeySheet|SettingsDialog|DamageDialog|SavedViews|RunsSheet|offers|typed_ahead)',
    'runs/(Table|Trash|ColourLegend|ColumnPicker|PreviewChart|table|rows)',
    'cards/NotesDialog',
    '(moment|charts/drum|charts/histogram)/',
    '(api/moment|lib/word_diff)\\.ts',
    'dashboards/scalars/(FullView|RangeDialog|DataTable|Value|NewChart|ChartSettings|Report|DomainY|ScalarFacts|welch|measures|value_rows)',
  ]
    .map((files) => `/src/${files}`)
    .join('|'),
)
// What only further dashboards and the moment view draw with is loaded with the first that needs it, and so are the libraries beside Svelte.
const FURTHER_DRAWING =
  /\/src\/(?:media|moment|charts\/(?!line\/|plot\/|tooltip\/))|\/node_modules\/(?!svelte\/|esm-env\/|clsx\/)/
// Texts are in the text dashboard and in the moment view; formulas and code come later still.
const MARKDOWN =
  /\/src\/media\/(Markdown|markdown|sanitise)|\/node_modules\/(markdown-it|linkify-it|mdurl|uc\.micro|entities|punycode\.js|dompurify)\//
// Facts are part of links, which the page reads before any dashboard is opened.
const FURTHER_DASHBOARD = /\/src\/dashboards\/(?!scalars\/)([a-z_]+)\/(?!(?:index|facts)\.ts)/

export default defineConfig(({ mode }) => ({
  base: './',
  plugins: [svelte()],
  // Tests run what the browser runs, not what a server would render.
  resolve: mode === 'test' ? { conditions: ['browser'] } : {},
  // Tests read samples that Python's tests have, too.
  server: { fs: { allow: ['..'] } },
  build: {
    outDir: '../python/kymograph/server/static',
    emptyOutDir: true,
    target: 'es2022',
    // A data: URL in the page would need a hole in its content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            {
              name: 'page',
              test: (id: string) => !OPENED_LATER.test(id) && !FURTHER_DASHBOARD.test(id) && !FURTHER_DRAWING.test(id),
              priority: 2,
            },
            { name: 'markdown', test: MARKDOWN, priority: 2 },
            { name: 'later', test: OPENED_LATER, priority: 1 },
            {
              name: (id: string) => FURTHER_DASHBOARD.exec(id)?.[1] ?? null,
              debugName: 'dashboard',
              priority: 1,
            },
          ],
        },
      },
    },
  },
  // The tokens are compared with what scripts have of them; other styles are not read in tests.
  test: {
    environment: './test-environment.ts',
    include: ['src/**/*.test.ts'],
    css: { include: /tokens\.css/ },
    // A busy machine must not fail a test: this only ends one that hangs.
    testTimeout: 60_000,
  },
}))
