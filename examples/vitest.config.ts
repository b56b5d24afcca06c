import { fileURLToPath } from 'node:url'
import { configDefaults, defineConfig } from 'vitest/config'

const EXAMPLES = new URL('../scripts/examples.mjs', import.meta.url).href
const { installExamples } = (await import(EXAMPLES)) as { installExamples(): void }
installExamples()

/** The examples, each started and walked, and the SDK in other runtimes, all against a real service. */
export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    include: ['examples/**/*.test.ts'],
    exclude: configDefaults.exclude,
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
})
