// How the page is built: relative URLs, every asset a file of its own, straight into the Python package.
import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  base: './',
  plugins: [svelte()],
  build: {
    outDir: '../python/kymograph/server/static',
    emptyOutDir: true,
    target: 'es2022',
    // A data: URL in the page would need a hole in its content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  // The tokens are compared with what scripts have of them; other styles are not read in tests.
  test: { include: ['src/**/*.test.ts'], css: { include: /tokens\.css/ } },
})
