import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import suite from '../../vitest.config.ts'

/** Gatehouse beside programs that operators run with it, from Debian's packages. */
export default defineConfig({
  ...suite,
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: { ...suite.test, include: ['packaging/services/*.test.ts'], fileParallelism: false },
})
