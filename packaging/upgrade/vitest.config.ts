import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import suite from '../../vitest.config.ts'

/** The previous release and this one, on the same data. */
export default defineConfig({
  ...suite,
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: {
    ...suite.test,
    include: ['packaging/upgrade/*.test.ts'],
    fileParallelism: false,
    testTimeout: 600_000,
    // Builds the previous release, once.
    hookTimeout: 1_200_000,
  },
})
