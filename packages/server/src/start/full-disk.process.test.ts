import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Gatehouse } from '@gatehouse/sdk'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { databases, type TestInstallation } from '../testing/databases.ts'
import { fillDisk, mountSmallDisk, removeSmallDisk } from '../testing/faults/small-disk.ts'
import { type Credentials, createApplicationIn } from '../testing/installations.ts'
import { type ServerProcess, startProcess } from '../testing/processes/process.ts'

const LINK_LINE = /^First account: .*staff invite EMAIL --role owner$/m
const NO_LINK_LINE = /^Dashboard: \S+ {2}\(no link for the first account: The disk is full/m

/** PostgreSQL has its data elsewhere, and takes the link. SQLite takes it if its write-ahead log still has room. */
const DASHBOARD_LINES: Record<string, RegExp> = {
  SQLite: new RegExp(`${NO_LINK_LINE.source}|${LINK_LINE.source}`, 'm'),
  PostgreSQL: LINK_LINE,
}

/** Starts many processes, on a machine that may be busy with other tests. */
vi.setConfig({ testTimeout: 600_000 })

describe.each(databases)('a start on a full disk, on $name', (database) => {
  let installation: TestInstallation
  let folder: string
  let isMounted: boolean
  beforeEach(async () => {
    installation = await database.createEmpty()
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-disk-'))
    isMounted = mountSmallDisk(folder, '12m')
    installation.env.GATEHOUSE_DATA = folder
  })
  afterEach(async () => {
    if (isMounted) removeSmallDisk(folder)
    await installation.remove()
  })

  const servers: ServerProcess[] = []
  afterEach(async () => {
    for (const server of servers.splice(0)) await server.kill()
  })

  const started = async (app: Credentials, env: Record<string, string> = {}) => {
    const server = await startProcess({ env: { ...installation.env, ...env } })
    servers.push(server)
    const baseUrl = await server.url
    const client = new Gatehouse({ baseUrl, ...app })
    const read = async (path: string) => await (await fetch(baseUrl + path)).text()
    const disk = async () => JSON.parse(await read('/readyz'))
    return { server, client, read, disk }
  }

  it.each(['1', '2'])(
    'without an owner goes on checking access, with workers: %s',
    async (GATEHOUSE_WORKERS) => {
      if (!isMounted) return
      const app = await createApplicationIn(installation)
      const key = { rid: app.rid, user_ref: 'ann' }
      const before = await started(app)
      await before.client.grantAccess({ ...key, email: 'ann@example.com' })
      expect(await before.disk()).toEqual({ status: 'ready', disk: 'low' })
      await before.server.stop()
      // A stop may leave them, and a start needs space for them.
      for (const file of readdirSync(folder).filter((name) => /-(shm|wal)$/.test(name))) {
        rmSync(join(folder, file))
      }

      fillDisk(folder)
      const reserved = await started(app, { GATEHOUSE_WORKERS })
      expect(await reserved.client.hasAccess(key)).toBe(true)
      await reserved.server.kill()

      // The start has used up what was kept for it.
      const free = fillDisk(folder)
      const full = await started(app, { GATEHOUSE_WORKERS })
      expect(await full.client.hasAccess(key)).toBe(true)
      expect(full.server.stdout).toMatch(DASHBOARD_LINES[database.name] as RegExp)
      // A start may free what it no longer needs of the write-ahead log.
      fillDisk(folder)
      expect(await full.disk()).toEqual({ status: 'ready', disk: 'full' })
      expect(await full.read('/metrics')).toMatch(/^gatehouse_disk_free_bytes [0-9]{1,5}$/m)
      free()
      const grant = () => full.client.grantAccess({ ...key, email: 'ann@example.com' })
      await vi.waitFor(grant, { timeout: 60_000, interval: 200 })
      expect(await full.client.hasAccess(key)).toBe(true)
      expect(await full.server.stop()).toMatchObject({ code: 0, stderr: '' })
    },
  )
})
