import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const TOOLS = new URL('../scripts/tools.mjs', import.meta.url).href
const { requireTools } = (await import(TOOLS)) as {
  requireTools(packages: Record<string, string>): void
}

// The languages of the samples. CI machines have Debian; elsewhere, install them before.
requireTools({ python3: 'python3', php: 'php-cli', ruby: 'ruby', go: 'golang-go', curl: 'curl' })

// The service of the samples runs on SQLite, and needs no PostgreSQL server.
process.env.TEST_DATABASES ??= 'sqlite'

/** The code on the pages, run: one page after the other, since each one starts a service on port 8080. */
export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    include: ['doctest/run/*.test.ts'],
    globalSetup: ['packages/server/src/testing/global-setup.ts'],
    fileParallelism: false,
    testTimeout: 600_000,
    hookTimeout: 120_000,
  },
})
