import { configDefaults, defineConfig } from 'vitest/config'
import suite from './vitest.config.ts'

// They run on SQLite, and need no PostgreSQL server.
process.env.TEST_DATABASES ??= 'sqlite'

/** The dashboard's pages in a real browser, one file at a time: a browser uses the whole machine. */
export default defineConfig({
  ...suite,
  test: {
    ...suite.test,
    include: ['packages/*/src/**/*.browser.test.ts'],
    exclude: configDefaults.exclude,
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 300_000,
  },
})
