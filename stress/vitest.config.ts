import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import suite from '../vitest.config.ts'

/** Stress tests: the same parts as the suite, at full size, one file at a time and with longer timeouts. */
export default defineConfig({
  ...suite,
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    ...suite.test,
    include: ['stress/*.test.ts'],
    testTimeout: 6 * 3_600_000,
    // A hook fills a large installation, or checks all of its rows.
    hookTimeout: 1_800_000,
    fileParallelism: false,
    isolate: true,
  },
})
