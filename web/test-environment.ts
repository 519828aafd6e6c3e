// Node, with the page's code compiled as for a browser: reactive state is tested as it runs there.
import type { Environment } from 'vitest/runtime'

export default {
  name: 'page',
  viteEnvironment: 'client',
  setup: () => ({ teardown: () => undefined }),
} satisfies Environment
