import { existsSync, statfsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { configDefaults, defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const pathOf = (path: string) => fileURLToPath(new URL(`packages/${path}`, import.meta.url))

/** A RAM disk, where disk syncs cost nothing; no test needs to survive power loss. Containers may have little of it. */
const MEMORY = '/dev/shm'
const NEEDED_BYTES = 4 * 2 ** 30

function hasRoomInMemory(): boolean {
  if (!existsSync(MEMORY)) return false
  const { bavail, bsize } = statfsSync(MEMORY)
  return bavail * bsize > NEEDED_BYTES
}

if (hasRoomInMemory()) process.env.TMPDIR ??= MEMORY

/** The files that take longest. One that began last would run alone in the end, beside an idle processor. */
const LONG =
  /\/(model|move|hold|backup)\/|\/(after-restore|\w+-edges|faults|invariants|races|reconcile|round-trip)\.test\./

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isLong = ({ moduleId }: TestSpecification) => LONG.test(moduleId)
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}

export default defineConfig({
  resolve: {
    alias: [
      { find: /^@gatehouse\/sdk\/signing$/, replacement: pathOf('sdk/src/signing.ts') },
      { find: /^@gatehouse\/sdk\/links$/, replacement: pathOf('sdk/src/links.ts') },
      { find: /^@gatehouse\/sdk\/download$/, replacement: pathOf('sdk/src/download.ts') },
      { find: /^@gatehouse\/sdk\/management$/, replacement: pathOf('sdk/src/management.ts') },
      { find: /^@gatehouse\/sdk$/, replacement: pathOf('sdk/src/index.ts') },
      {
        find: /^@gatehouse\/server\/dashboard-api$/,
        replacement: pathOf('server/src/http/dashboard/api.ts'),
      },
      { find: /^@node-rs\/argon2$/, replacement: pathOf('server/src/testing/argon2.ts') },
    ],
  },
  test: {
    include: ['packages/*/src/**/*.test.ts', 'doctest/*.test.ts'],
    // Two kinds of tests take minutes, and have a command each: `npm run test:browser` and `npm run test:processes`.
    exclude: [...configDefaults.exclude, 'packages/**/*.{browser,process}.test.ts'],
    globalSetup: ['packages/server/src/testing/global-setup.ts'],
    setupFiles: ['packages/server/src/testing/stripe/judge/after-each-test.ts'],
    // Tests mostly wait for a disk, a process or a server, so more files than cores can run concurrently.
    maxWorkers: 3,
    // Test files of one worker share loaded modules: loading everything for each file took two minutes of the run. A
    // file that mocks a module begins with vi.resetModules().
    isolate: false,
    sequence: { sequencer: LongestFirst },
    // Long, since a busy machine is slow: these limits only end what would never end by itself.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
  },
})
