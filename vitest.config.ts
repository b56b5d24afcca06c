import { existsSync, statfsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { configDefaults, defineConfig } from 'vitest/config'

const source = (path: string) => fileURLToPath(new URL(`packages/sdk/src/${path}`, import.meta.url))

/** Where a sync to the disk costs nothing: no test needs a power failure. A container may have little of it. */
const MEMORY = '/dev/shm'
const NEEDED_BYTES = 4 * 2 ** 30

function hasRoomInMemory(): boolean {
  if (!existsSync(MEMORY)) return false
  const { bavail, bsize } = statfsSync(MEMORY)
  return bavail * bsize > NEEDED_BYTES
}

if (hasRoomInMemory()) process.env.TMPDIR ??= MEMORY

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
    // A busy machine takes longer for everything. These end only what would never end by itself.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
  },
})
