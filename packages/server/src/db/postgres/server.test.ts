import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { UnavailableError } from '@gatehouse/sdk'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { databases, type TestInstallation } from '../../testing/databases.ts'
import { startDatabaseProxy } from '../../testing/postgres/database-proxy.ts'
import { RID, startLoad, type Trouble } from '../../testing/postgres/grant-load.ts'
import { type PostgresServer, startPostgres } from '../../testing/postgres/postgres.ts'
import { startTestService, type TestApplication, type TestService } from '../../testing/service.ts'
import type { Database, Db } from '../database.ts'
import { readMeta, setMeta } from '../meta.ts'
import { environmentMigrations } from '../migrations.ts'
import { openDatabase } from '../open.ts'
import { errorReasonOf } from '../outage.ts'
import type { Tables } from '../tables.ts'

let server: PostgresServer
beforeAll(async () => {
  server = await startPostgres()
})
afterAll(() => server?.stop())

describe('PostgreSQL that goes away under load', () => {
  let installation: TestInstallation
  let service: TestService
  let app: TestApplication
  const granted = new Set(['first'])

  beforeAll(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-test-'))
    installation = {
      env: { GATEHOUSE_DATA: folder, GATEHOUSE_DATABASE_URL: server.url },
      remove: async () => rmSync(folder, { recursive: true, force: true }),
    }
    service = await startTestService(databases[1], { installation, useRealTime: true })
    app = await service.newApplication()
    await app.addResource(RID)
    await app.client.grantAccess({ rid: RID, user_ref: 'first', email: 'first@example.com' })
  })
  afterAll(async () => {
    await service?.stop()
    await installation?.remove()
  })

  async function backends(): Promise<number[]> {
    const client = new pg.Client({ connectionString: server.url })
    await client.connect()
    const { rows } = await client.query<{ pid: number }>(
      `select pid from pg_stat_activity where application_name like 'gatehouse %'`,
    )
    await client.end()
    return rows.map(({ pid }) => pid)
  }

  async function untilReady(): Promise<void> {
    for (;;) {
      const client = new pg.Client({ connectionString: server.url })
      client.on('error', () => {})
      const ready = await client.connect().then(
        () => true,
        () => false,
      )
      await client.end().catch(() => {})
      if (ready) return
    }
  }

  /** Resolves after this many more reads and grants. */
  async function untilDone(load: ReturnType<typeof startLoad>, more: number): Promise<void> {
    const [reads, grants] = [load.reads + more, load.granted.size + more]
    while (load.reads < reads || load.granted.size < grants) {
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  }

  async function troublesOf(name: string, event: () => Promise<void>): Promise<Trouble[]> {
    const load = startLoad(app, name)
    await untilDone(load, 10)
    const downAt = performance.now()
    await event()
    const upAt = performance.now()
    await untilDone(load, 10)
    await load.stop()
    for (const user of load.granted) granted.add(user)
    for (const { at, error } of load.troubles) {
      expect(error).toBeInstanceOf(UnavailableError)
      expect(error).toMatchObject({ code: 'database_unavailable', retryAfter: 1 })
      // A request that was in flight when the server went down started a little earlier.
      expect(at).toBeGreaterThan(downAt - 1_000)
      expect(at).toBeLessThan(upAt + 5_000)
    }
    return load.troubles
  }

  it('for a connection only is not noticed by readers', async () => {
    const troubles = await troublesOf('terminated', async () => {
      const client = new pg.Client({ connectionString: server.url })
      await client.connect()
      for (const pid of await backends()) {
        await client.query('select pg_terminate_backend($1)', [pid])
      }
      await client.end()
    })
    expect(troubles.filter(({ kind }) => kind === 'read')).toEqual([])
  })

  it.each(['fast', 'immediate'] as const)(
    'to be restarted (%s) is missed only meanwhile',
    async (how) => {
      // The client repeats what fails, and may hide a short outage.
      const { database } = service.ctx.environments.production
      await troublesOf(how, async () => {
        await server.halt(how)
        await expect(database.ping()).rejects.toThrow()
        await server.start()
      })
    },
  )

  it('because one of its processes was killed is missed only meanwhile', async () => {
    await troublesOf('killed', async () => {
      const [pid] = await backends()
      process.kill(pid as number, 'SIGKILL')
      await untilReady()
    })
  })

  it('has lost nothing that was answered, and has nothing twice', async () => {
    const rows = await service.ctx.environments.production.database.read
      .selectFrom('user_refs')
      .innerJoin('access', (join) =>
        join.onRef('access.uid', '=', 'user_refs.uid').onRef('access.aid', '=', 'user_refs.aid'),
      )
      .select('ref')
      .execute()
    const found = rows.map(({ ref }) => ref).sort()
    expect(found).toEqual([...granted].sort())
    await service.requireInvariants()
  })
})

describe('a standby of PostgreSQL', () => {
  let standby: PostgresServer
  const open: Database[] = []

  beforeAll(async () => {
    standby = await server.startStandby()
  })
  afterAll(async () => {
    for (const database of open) await database.close()
    await standby?.stop()
  })

  /** Opens production with a replica and records the notifications about it. */
  async function openWith(replicaUrl: string) {
    const told: string[] = []
    const outages = {
      trouble: (error: unknown) => told.push(errorReasonOf(error)),
      fine: () => told.push('fine'),
    }
    const replica = { url: replicaUrl, outages }
    const location = { engine: 'postgres', url: server.url, connections: 2, replica } as const
    const database = await openDatabase<Tables>(location, 'production', environmentMigrations)
    open.push(database)
    return { database, told }
  }

  const isStandby = async (db: Db) => {
    const { rows } = await sql<{ standby: boolean }>`
      select pg_is_in_recovery() as standby`.execute(db)
    return rows[0]?.standby
  }

  it('is where snapshots come from, and nothing else; they lack nothing that was committed', async () => {
    const { database, told } = await openWith(standby.url)
    expect(await isStandby(database.read)).toBe(false)
    expect(await database.write((trx) => isStandby(trx))).toBe(false)
    for (let n = 0; n < 20; n++) {
      await database.write((trx) => setMeta(trx, 'count', String(n)))
      const seen = await database.snapshot(async (db) => ({
        count: await readMeta(db, 'count'),
        standby: await isStandby(db),
      }))
      expect(seen).toEqual({ count: String(n), standby: true })
    }
    expect(new Set(told)).toEqual(new Set(['fine']))
  })

  it('that is behind, is no standby, is another’s, or is gone is not asked, and that is told', async () => {
    const control = new pg.Client({ connectionString: standby.url })
    await control.connect()
    await control.query('select pg_wal_replay_pause()')
    const other = new URL(standby.url)
    other.pathname = 'template1'
    const unfit = [
      [standby.url, /more than 3 seconds behind/],
      [server.url, /not a standby/],
      [other.href, /does not follow/],
      ['postgres://postgres@127.0.0.1:1/postgres', /ECONNREFUSED/],
    ] as const
    for (const [url, reason] of unfit) {
      const { database, told } = await openWith(url)
      await database.write((trx) => setMeta(trx, 'count', url))
      for (let n = 0; n < 2; n++) {
        const seen = await database.snapshot((db) => readMeta(db, 'count'))
        expect(seen).toBe(url)
      }
      expect(told).toHaveLength(1)
      expect(told[0]).toMatch(reason)
    }
    await control.query('select pg_wal_replay_resume()')
    await control.end()
  })

  it('that is cut off after it was asked how far it is, is not read from over another connection', async () => {
    const proxy = await startDatabaseProxy(standby.url)
    const { database, told } = await openWith(proxy.url)
    proxy.cutAt('start transaction', 'before')
    expect(await database.snapshot(isStandby)).toBe(false)
    expect(told).toEqual([expect.stringContaining('Connection terminated')])
    await proxy.close()
  })

  it('is refused as the place of the data', async () => {
    const location = { engine: 'postgres', url: standby.url, connections: 2 } as const
    const opening = openDatabase(location, 'production', environmentMigrations)
    await expect(opening).rejects.toThrow(/^GATEHOUSE_DATABASE_URL: .*standby/)
  })

  it('is refused a minute after the name of the primary leads to it', async () => {
    const proxy = await startDatabaseProxy(server.url)
    const timers = vi.spyOn(globalThis, 'setTimeout')
    const location = { engine: 'postgres', url: proxy.url, connections: 2 } as const
    const database = await openDatabase<Tables>(location, 'production', environmentMigrations)
    try {
      expect(await isStandby(database.read)).toBe(false)
      proxy.leadTo(standby.url)
      expect(await isStandby(database.read)).toBe(false)
      // Instead of waiting for a minute.
      for (const [end, ms] of timers.mock.calls) if (ms === 60_000) end()
      await expect(isStandby(database.read)).rejects.toThrow(/standby/)
    } finally {
      timers.mockRestore()
      await database.close()
      await proxy.close()
    }
  })
})
