import { defineConfig, mergeConfig } from 'vitest/config'
import suite from '../vitest.config.ts'

/** The heavy versions: the same parts as the suite, with more time. */
export default mergeConfig(
  suite,
  defineConfig({
    test: { testTimeout: 3_600_000, hookTimeout: 120_000, fileParallelism: false },
  }),
)
