import { mkdtempSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { inProcessCli } from '../../testing/cli.ts'
import { fillDisk, mountSmallDisk, removeSmallDisk } from '../../testing/faults/small-disk.ts'
import { withContext } from '../../testing/installations.ts'

it('doctor fails on a disk on which nothing can be written, and warns of one with little space', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-disk-'))
  if (!mountSmallDisk(folder, '8m')) return
  const env = { GATEHOUSE_DATA: folder }
  const cli = inProcessCli(env)
  try {
    await cli.json('app', 'create', '--env', 'sandbox', '--name', 'Test magazine')
    // Like a running service, it keeps the files open that SQLite could not create on a full disk.
    await withContext({ env, remove: async () => {} }, async () => {
      const free = fillDisk(folder)
      const full = await cli.run('doctor')
      expect(readdirSync(folder).filter((name) => name.startsWith('doctor'))).toEqual([])
      expect(full.code).toBe(1)
      expect(full.stdout).toMatch(
        new RegExp(
          `^failed +disk +nothing can be written to ${folder}: ENOSPC.*\n +-> free space`,
          'm',
        ),
      )
      free()
      const low = await cli.run('doctor')
      expect(low.code).toBe(0)
      expect(low.stdout).toMatch(/^warning +disk +[\d.]+ MiB of 8\.0 MiB are free/m)
    })
  } finally {
    removeSmallDisk(folder)
  }
})
