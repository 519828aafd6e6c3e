// How the page is built: relative URLs, every asset a file of its own, straight into the Python package.
import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vitest/config'

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
  },
  // The tokens are compared with what scripts have of them; other styles are not read in tests.
  test: { environment: './test-environment.ts', include: ['src/**/*.test.ts'], css: { include: /tokens\.css/ } },
}))
