import { fileURLToPath } from 'node:url'
import type { TestError } from 'vitest'
import { configDefaults, defineConfig } from 'vitest/config'
import type { Reporter } from 'vitest/node'

const source = (path: string) => fileURLToPath(new URL(`packages/sdk/src/${path}`, import.meta.url))

const reasonOf = ({ stack, message, cause }: TestError): string =>
  `${stack ?? message}${cause ? `\nbecause of ${reasonOf(cause)}` : ''}`

/** Says why a test was looked at twice: what passes the second time is not always the machine's fault. */
const secondLooks: Reporter = {
  onTestCaseResult(test) {
    const { state, errors = [] } = test.result()
    if (state !== 'passed') return
    for (const error of errors) console.log(`at first, ${test.fullName}:\n${reasonOf(error)}`)
  },
}

export default defineConfig({
  resolve: {
    alias: [
      { find: /^@gatehouse\/sdk\/signing$/, replacement: source('signing.ts') },
      { find: /^@gatehouse\/sdk\/links$/, replacement: source('links.ts') },
      { find: /^@gatehouse\/sdk\/download$/, replacement: source('download.ts') },
      { find: /^@gatehouse\/sdk$/, replacement: source('index.ts') },
    ],
  },
  test: {
    include: ['packages/*/src/**/*.test.ts'],
    // They take minutes, and a processor each: npm run test:browser.
    exclude: [...configDefaults.exclude, 'packages/**/*.browser.test.ts'],
    globalSetup: ['packages/server/src/testing/global-setup.ts'],
    // Most of a test is waiting, for a disk, a process or a server: more files than cores at once.
    maxWorkers: 3,
    // Files of one worker share what they have loaded: to load the whole house for each of them took two
    // minutes of the whole. A file that replaces a module begins with vi.resetModules().
    isolate: false,
    // Kills and time-outs are real, and so is a busy machine: CI looks twice before it says no, and says
    // why; on a developer's machine it does not.
    retry: process.env.CI ? 1 : 0,
    reporters: ['default', secondLooks],
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
})
