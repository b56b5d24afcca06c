import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import suite from '../../vitest.config.ts'

/** Gatehouse with servers that others wrote, as far as they are installed. */
export default defineConfig({
  ...suite,
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: { ...suite.test, include: ['packaging/foreign/*.test.ts'], fileParallelism: false },
})
