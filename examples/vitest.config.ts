import { fileURLToPath } from 'node:url'
import { configDefaults, defineConfig } from 'vitest/config'
import { isQuick } from './walk/choose.ts'

const TOOLS = new URL('../scripts/examples.mjs', import.meta.url).href
const { installExamples, requireLanguages } = (await import(TOOLS)) as {
  installExamples(): void
  requireLanguages(): void
}
requireLanguages()
if (!isQuick) installExamples()

/** The examples, each started and walked, and the SDK in other runtimes, all against a real service. */
export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    include: ['examples/*.test.ts'],
    exclude: [...configDefaults.exclude, ...(isQuick ? ['examples/declarations.test.ts'] : [])],
    testTimeout: 120_000,
    hookTimeout: 300_000,
  },
})
