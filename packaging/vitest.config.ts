import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

/** The packages as npm publishes them, installed in an empty folder. */
export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    include: ['packaging/*.test.ts', 'packaging/{container,deploy}/*.test.ts'],
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
})
