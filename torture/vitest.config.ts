import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import suite from '../vitest.config.ts'

/** The heavy versions: the same parts as the suite, one after the other, with more time. */
export default defineConfig({
  ...suite,
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    ...suite.test,
    include: ['torture/*.test.ts'],
    testTimeout: 3_600_000,
    hookTimeout: 120_000,
    fileParallelism: false,
    isolate: true,
  },
})
