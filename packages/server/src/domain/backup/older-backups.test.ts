import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { Gatehouse } from '@gatehouse/sdk'
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { prefixesOf } from '../../config/addresses.ts'
import { openDatabase } from '../../db/open.ts'
import {
  BACKUP,
  dump,
  type Expected,
  env,
  expected,
  only,
  type Row,
  requireSameRows,
  rowsIn,
  withContext,
  withInstallation,
  withService,
} from '../../testing/backups/older-backup.ts'
import { restoreFile } from '../../testing/backups/restore-file.ts'
import { databasesOf } from '../../testing/backups/use-backup.ts'
import { inProcessCli } from '../../testing/cli.ts'
import { databases, type TestDatabase, type TestInstallation } from '../../testing/databases.ts'
import { callApi, PASSWORD } from '../../testing/staff.ts'
import { anyDatabase, type Databases, listMigrations, MIGRATIONS } from './databases.ts'
import { DATABASE_NAMES, type DatabaseName, tablesOf } from './tables.ts'

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-older-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

// Commands have no other clock, and rows must not come from the future.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: expected.now })
})
afterEach(() => {
  vi.useRealTimers()
})

describe.each(databases)('a backup of commit 7741231 restored onto $name', (database) => {
  it('is the same installation, on hold, without a complaint of doctor --deep', async () => {
    await withInstallation(database, async (installation) => {
      const cli = inProcessCli({ ...installation.env, ...env })
      expect((await cli.json('restore', BACKUP)).on_hold).toBe(true)
      const { ok, checks } = await cli.json<{ ok: boolean; checks: object[] }>('doctor', '--deep')
      expect(checks.filter((one) => (one as { status: string }).status === 'failed')).toEqual([])
      expect(ok).toBe(true)
      await withContext(installation, async (ctx) => {
        requireSameRows(await dump(ctx), await rowsIn(BACKUP))
        expect((await ctx.gate.state()).hold).toMatchObject({ cause: 'restored' })
      })
      await requireSameAnswers(database, installation)
    })
  })
})

/** Records have gained fields since, and those of one second are in another order. */
function byId<T extends { id: string }>({ data, ...page }: { data: readonly T[] }) {
  return { ...page, data: [...data].sort((one, other) => (one.id < other.id ? -1 : 1)) }
}

/** Compares what the API says about each application, and signs in. */
const requireSameAnswers = (database: TestDatabase, installation: TestInstallation) =>
  withService(database, installation, async (service) => {
    for (const app of expected.apps) {
      const { aid, privateKey } = app
      const baseUrl = service.url + prefixesOf(service.ctx.config)[app.environment]
      const client = new Gatehouse({ baseUrl, aid, privateKey })
      const all = { show_expired: true, pagesize: 1000 }
      expect(byId(await client.searchAccess(all))).toMatchObject(byId(app.access))
      expect(byId(await client.searchAccess({ tag: 'y' }))).toMatchObject(byId(app.tagged))
      expect(byId(await client.searchSubscriptions())).toMatchObject(byId(app.subscriptions))
      expect(byId(await client.searchPayments())).toMatchObject(byId(app.payments))
      for (const user of app.users) expect(await client.getUser(user.uid)).toMatchObject(user)
      if (app.access.total > 10) {
        const { url } = await client.getDownloadUrl({ rid: 'maps', lifetime: 60 })
        expect(await (await fetch(url)).text()).toBe('the file of maps')
      }
    }
    const body = { email: 'owner@example.com', password: PASSWORD }
    // The owner has a passkey. That is said only after the right password.
    const { json } = await callApi(service.url, 'POST', '/sign-in', { body })
    expect(json).toMatchObject({ error: { code: 'passkey_required' } })
  })

/** Packs a backup with a matching checksum. */
function packed(header: object, sections: readonly (readonly unknown[])[], rows: object): Buffer {
  const lines = [header, ...sections.flat()].map((line) => `${JSON.stringify(line)}\n`).join('')
  const sha256 = createHash('sha256').update(lines).digest('hex')
  return gzipSync(`${lines}${JSON.stringify({ rows, sha256 })}\n`)
}

const original = gunzipSync(readFileSync(BACKUP)).toString()
const header = JSON.parse(original.slice(0, original.indexOf('\n'))) as {
  migrations: Record<DatabaseName, string[]>
}

/** Writes the backup as if it had been made before the last migrations: without the tables and columns that they add,
 * except for columns that were added early. */
async function cutBackup(
  counts: Record<DatabaseName, number>,
  early: Record<string, object> = {},
): Promise<string> {
  const path = join(folder, `${[...Object.values(counts), ...Object.keys(early)].join('-')}.backup`)
  const all = await rowsIn(BACKUP)
  const migrations = {} as Record<DatabaseName, string[]>
  const sections: unknown[][] = []
  const rows: Record<string, number> = {}
  const at = mkdtempSync(join(folder, 'cut-'))
  for (const name of DATABASE_NAMES) {
    const used = MIGRATIONS[name].slice(0, counts[name])
    migrations[name] = used.map((one) => one.name)
    const older = await openDatabase<unknown>({ engine: 'sqlite', folder: at }, name, used)
    const tables = await older.read.introspection.getTables()
    await older.close()
    for (const { table } of tablesOf(name)) {
      const found = all[`${name}.${table}`] ?? []
      const known = tables.find((one) => one.name === table)?.columns.map((column) => column.name)
      const columns = Object.keys(found[0] ?? {}).filter((column) => known?.includes(column))
      if (columns.length === 0) continue
      const added = early[table] ?? {}
      const values = found.map((row) => [
        ...columns.map((column) => row[column]),
        ...Object.values(added),
      ])
      const names = [...columns, ...Object.keys(added)]
      sections.push([{ database: name, table, columns: names }, ...values])
      rows[`${name}.${table}`] = values.length
    }
  }
  writeFileSync(path, packed({ ...header, migrations }, sections, rows))
  return path
}

/** The cheap ones run on both databases: those of PostgreSQL take seconds each. */
const onBoth = <T>(database: TestDatabase, all: readonly T[], cheap: T): readonly T[] =>
  database.engine === 'sqlite' ? all : [cheap]

const CUTS = [
  ['search', { production: 3, sandbox: 3, control: 2 }],
  ['aliases', { production: 7, sandbox: 7, control: 3 }],
  ['trials', { production: 10, sandbox: 9, control: 4 }],
] as const

/** Tables and columns that a later migration fills from the rows it finds. */
const MIGRATED = [
  ['access_tags', ['aid', 'tag', 'access_id', 'created']],
  ['erasures', ['aid', 'uid']],
] as const

const STOPS = [
  ['while the second database is filled', 'sandbox', 0],
  ['before the last database is filled', 'control', 1],
  ['before the first database is migrated', 'production', 1],
  ['before the last database is migrated', 'control', 2],
] as const

const interrupted = (work: Databases, name: DatabaseName, after: number): Databases => {
  let writes = 0
  const database = anyDatabase(work, name)
  const write: typeof database.write = async (...given) => {
    if (++writes > after) throw new Error('stopped')
    return await database.write(...given)
  }
  return { ...work, [name]: { ...database, write } }
}

describe.each(databases)('a backup of an earlier version restored onto $name', (database) => {
  it.each(onBoth(database, CUTS, CUTS[1]))('from before %s is migrated', async (_, counts) => {
    const path = await cutBackup(counts)
    await withInstallation(database, async (installation) => {
      const cli = inProcessCli({ ...installation.env, ...env })
      await cli.json('restore', path)
      expect((await cli.run('doctor', '--deep')).stdout).not.toMatch(/^failed/m)
      await withContext(installation, async (ctx) => {
        const found = await dump(ctx)
        expect(JSON.stringify(found)).not.toContain('restored_from')
        requireSameRows(found, await rowsIn(path))
        // The migrations have worked on the restored rows.
        const original = await rowsIn(BACKUP)
        for (const name of ['production', 'sandbox']) {
          for (const [table, columns] of MIGRATED) {
            const [now, before] = [found, original].map((rows) => rows[`${name}.${table}`] as Row[])
            expect(only(now as Row[], columns), table).toEqual(only(before as Row[], columns))
          }
        }
        const { read } = ctx.environments.production.database
        expect(await read.selectFrom('access_changes').selectAll().execute()).toEqual([])
        for (const name of DATABASE_NAMES) {
          const applied = await anyDatabase(databasesOf(ctx), name).snapshot(listMigrations)
          expect(applied).toEqual(MIGRATIONS[name].map((one) => one.name))
        }
        // The sequence goes on after the restored rows.
        const last = Math.max(...(found['production.history'] ?? []).map(({ seq }) => Number(seq)))
        await startAndGrant(database, installation)
        const after = (await dump(ctx))['production.history'] ?? []
        expect(Math.max(...after.map(({ seq }) => Number(seq)))).toBeGreaterThan(last)
      })
    })
  })

  it('that was made while an upgrade added columns is restored without them', async () => {
    const [, [, counts]] = CUTS
    const path = await cutBackup(counts, { access: { end_told: 1 }, outbox: { priority: 7 } })
    await withInstallation(database, async (installation) => {
      const cli = inProcessCli({ ...installation.env, ...env })
      await cli.json('restore', path)
      expect((await cli.run('doctor', '--deep')).stdout).not.toMatch(/^failed/m)
      await withContext(installation, async (ctx) => {
        const found = await dump(ctx)
        requireSameRows(found, await rowsIn(await cutBackup(counts)))
        const mails = found['production.outbox'] as Row[]
        expect(mails.length).toBeGreaterThan(0)
        expect(mails.map(({ priority }) => Number(priority))).not.toContain(7)
        const access = found['production.access'] as Row[]
        expect(access.map(({ end_told }) => Number(end_told))).not.toContain(1)
      })
    })
  })

  it.each(onBoth(database, STOPS, STOPS[1]))(
    'that is stopped %s is completed, and on hold, after a second go',
    async (_, name, after) => {
      const path = await cutBackup(CUTS[1][1])
      await withInstallation(database, async (installation) => {
        await withContext(installation, async (ctx) => {
          const stopped = interrupted(databasesOf(ctx), name, after)
          await expect(restoreFile(stopped, path)).rejects.toThrow('stopped')
        })
        // Every start migrates what it finds.
        await withContext(installation, async (ctx) => {
          await restoreFile(databasesOf(ctx), path)
          requireSameRows(await dump(ctx), await rowsIn(path))
          expect((await ctx.gate.state()).hold).toMatchObject({ cause: 'restored' })
        })
        expect(
          (await inProcessCli({ ...installation.env, ...env }).run('doctor', '--deep')).code,
        ).toBe(0)
      })
    },
  )

  it('is refused, with everything as before, if it has what its version had not', async () => {
    const path = join(folder, `odd-${database.engine}.backup`)
    const counts = CUTS[0][1]
    const migrations = Object.fromEntries(
      DATABASE_NAMES.map((name) => [name, header.migrations[name].slice(0, counts[name])]),
    )
    const section = (table: string, columns: string[]) => [
      { database: 'production', table, columns },
      columns.map(() => 'x'),
    ]
    await withInstallation(database, async (installation) => {
      await withContext(installation, async (ctx) => {
        const before = await dump(ctx)
        for (const [table, columns, reason] of [
          ['erasures', ['aid'], /unknown table erasures/],
          ['meta', ['name', 'value', 'color'], /unknown column meta.color/],
        ] as const) {
          const rows = { [`production.${table}`]: 1 }
          writeFileSync(
            path,
            packed({ ...header, migrations }, [section(table, [...columns])], rows),
          )
          await expect(restoreFile(databasesOf(ctx), path)).rejects.toThrow(reason)
          expect(await dump(ctx)).toEqual(before)
        }
        const gap = { ...header.migrations, sandbox: header.migrations.sandbox.toSpliced(1, 1) }
        writeFileSync(path, packed({ ...header, migrations: gap }, [], {}))
        await expect(restoreFile(databasesOf(ctx), path)).rejects.toThrow(
          /lacks the migration 0002_money of sandbox/,
        )
      })
    })
  })
})

const startAndGrant = (database: TestDatabase, installation: TestInstallation) =>
  withService(database, installation, async (service) => {
    const [app] = expected.apps as [Expected['apps'][number]]
    const client = new Gatehouse({ ...app, baseUrl: service.url })
    await client.grantAccess({ rid: 'news', email: 'new@example.com', user_ref: 'new' })
  })
