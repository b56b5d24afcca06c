import { randomBytes } from 'node:crypto'
import type { Gatehouse } from '@gatehouse/sdk'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Context } from '../../context.ts'
import { FOREVER } from '../../db/tables.ts'
import { inProcessCli } from '../../testing/cli.ts'
import { databases } from '../../testing/databases.ts'
import { addDownload } from '../../testing/downloads/downloads.ts'
import { dumpTables, isIdentityRow } from '../../testing/dump.ts'
import { MONTHLY, openShop } from '../../testing/payments/shop.ts'
import { createMoveTarget, type MoveTarget, PASSWORD } from '../../testing/postgres/move-target.ts'
import { startTestService, type TestApplication, type TestService } from '../../testing/service.ts'
import { callApi, newOwner, PASSWORD as STAFF_PASSWORD } from '../../testing/staff.ts'

// A move can take minutes on a busy machine.
vi.setConfig({ testTimeout: 600_000 })

const [sqlite, postgres] = databases

/** Dumps both environments and most of `control`. */
async function dump({ control, environments }: Context) {
  const all: Record<string, unknown> = {}
  for (const { name, database } of Object.values(environments)) {
    all[name] = await database.snapshot(async (db) => ({
      ...(await dumpTables(db)),
      secrets: await db.selectFrom('secrets').selectAll().orderBy('name').execute(),
    }))
  }
  all.control = await control.snapshot(async (db) => ({
    meta: (await db.selectFrom('meta').selectAll().orderBy('name').execute()).filter(
      ({ name }) => !isIdentityRow(name),
    ),
    aids: await db.selectFrom('aids').selectAll().orderBy('aid').execute(),
    staff: await db.selectFrom('staff').selectAll().orderBy('id').execute(),
    sessions: await db.selectFrom('staff_sessions').selectAll().orderBy('id').execute(),
    audit: await db.selectFrom('audit').selectAll().orderBy('seq').execute(),
  }))
  return all
}

/** Yields every Unicode character except NUL, which our texts never contain. */
function* everyCharacter(): Generator<string> {
  const points = Array.from({ length: 0x110000 - 1 }, (_, i) => i + 1).filter(
    (point) => point < 0xd800 || point > 0xdfff,
  )
  for (let i = 0; i < points.length; i += 8192) {
    yield String.fromCodePoint(...points.slice(i, i + 8192))
  }
}

/** Keys whose byte order differs from their alphabetical and UTF-16 order, on more than one page. */
const ODD_KEYS = ['a', 'B', 'Z', 'z', 'ä', 'é', 'e\u0301', '\uffee', '😀', '𝔷', '"', "'", '\\', '%']

async function addOddRows({ environment, aid }: TestApplication): Promise<void> {
  await environment.database.write(async (trx) => {
    const users = Array.from({ length: 2_345 }, (_, i) => ({
      aid,
      uid: `${ODD_KEYS[i % ODD_KEYS.length]}${randomBytes(6).toString('base64url')}${i}`,
      email: i % 2 ? null : `u${i}@example.com`,
      email_key: i % 2 ? null : `u${i}@example.com`,
      first_name: '',
      last_name: `\t\r\n"\\u0041" {},[] ${i}`,
      created: i,
      link_number: i % 3,
    }))
    for (let i = 0; i < users.length; i += 500) {
      await trx
        .insertInto('users')
        .values(users.slice(i, i + 500))
        .execute()
    }
    const refs = users.map(({ uid }) => ({ aid, uid, ref: `ref of ${uid}` }))
    for (let i = 0; i < refs.length; i += 500) {
      await trx
        .insertInto('user_refs')
        .values(refs.slice(i, i + 500))
        .execute()
    }
    for (const [seq, text] of [...everyCharacter()].entries()) {
      await trx
        .insertInto('history')
        .values({
          aid,
          seq,
          tie_breaker: '',
          at: 0,
          actor: 'test',
          action: 'noted',
          before: null,
          after: text,
        })
        .execute()
    }
  })
}

const CONNECTION = {
  ...{ secretKey: 'sk_live_0123456789', account: null, webhook: null },
  ...{ connected: 1_800_000_000_000, by: 'Petra' },
}

/** Adds some of every kind of data. */
async function fill(service: TestService): Promise<TestApplication> {
  const app = await service.newApplication()
  await app.addResource('news')
  await app.addResource('maps', { url: 'https://example.com/ü' })
  const grant = app.client.grantAccess.bind(app.client)
  await grant({ rid: 'news', email: 'ann@example.com', user_ref: 'ann', tags: 'x,y 🙂' })
  await grant({ rid: 'maps', email: 'ann@example.com', user_ref: 'ann', expiration: 0 })
  await grant({ rid: 'news', email: 'zoë@example.com', user_ref: 'z', message: 'x'.repeat(900) })
  await app.client.revokeAccess({ rid: 'news', user_ref: 'z' })
  await addDownload(app, 'maps')
  await addOddRows(app)
  const shop = await openShop(service)
  await shop.addResource('pass')
  await shop.buy({ rid: 'pass', userRef: 'buyer', terms: MONTHLY })
  await shop.client.revokeAccess({ rid: 'pass', user_ref: 'buyer', refund: true })
  await shop.buy({ rid: 'pass', userRef: 'buyer', terms: MONTHLY })
  await shop.work()
  await newOwner(service)
  await service.ctx.environments.production.connections.save('payments', CONNECTION)
  return app
}

describe('An installation that was moved to PostgreSQL', () => {
  let service: TestService
  let moved: TestService
  let app: TestApplication
  let target: MoveTarget
  let before: Record<string, unknown>
  let access: Awaited<ReturnType<Gatehouse['getAccess']>>
  let link: string
  let said: string

  beforeAll(async () => {
    service = await startTestService(sqlite)
    app = await fill(service)
    access = await app.client.getAccess({ rid: 'news', user_ref: 'ann' })
    link = (await app.client.getDownloadUrl({ rid: 'maps', lifetime: 600 })).url
    target = await createMoveTarget()
    const cli = inProcessCli({ ...service.installation.env, GATEHOUSE_MOVE_TO: target.url })
    const { code, stderr, stdout } = await cli.run('move')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    said = stdout
    before = await dump(service.ctx)
    moved = await startTestService(postgres, {
      installation: target.installationAt(service.installation),
    })
  })
  afterAll(async () => {
    await moved?.stop()
    await service?.stop()
    await target?.remove()
  })

  it('has every row as it was', async () => {
    const after = await dump(moved.ctx)
    expect(after).toEqual(before)
    const { access, history } = after.production as Record<string, string[]>
    expect(access?.join()).toContain(`"ends":${FOREVER}`)
    expect(history?.length).toBeGreaterThan(0x110000 / 8192)
  })

  it('has its connections as before', () => {
    const { connections, provider } = moved.ctx.environments.production
    expect(connections.payments.stored).toEqual(CONNECTION)
    expect(provider?.name).toBe('stripe')
  })

  it('lets its staff in as before', async () => {
    const body = { email: 'owner@example.com', password: STAFF_PASSWORD }
    expect((await callApi(moved.url, 'POST', '/sign-in', { body })).status).toBe(200)
  })

  it('has the tables, indexes, references and triggers of a new one', async () => {
    const look = async (query: MoveTarget['query']) => [
      await query(`select indexdef from pg_indexes where schemaname <> 'pg_catalog' order by 1`),
      await query(`select conrelid::regclass::text as on, conname, pg_get_constraintdef(oid)
        from pg_constraint where contype <> 'c' order by 1, 2`),
      await query(`select tgrelid::regclass::text as on, tgname, tgenabled from pg_trigger
        where not tgisinternal order by 1, 2`),
    ]
    const fresh = await createMoveTarget()
    const other = await startTestService(postgres, {
      installation: fresh.installationAt(service.installation),
    })
    try {
      expect(await look(target.query)).toEqual(await look(fresh.query))
    } finally {
      await other.stop()
      await fresh.remove()
    }
  })

  it('answers the same requests in the same way, and the same links', async () => {
    const there = app.clientAt(moved.url)
    const { total } = await there.searchAccess({ show_expired: true })
    expect(total).toBe(2)
    expect(await there.getAccess({ rid: 'news', user_ref: 'ann' })).toEqual(access)
    const answer = await fetch(link.replace(service.url, moved.url))
    expect([answer.status, await answer.text()]).toEqual([200, 'the file of maps'])
  })

  it('goes on where it was, and keeps what must always be true', async () => {
    const there = app.clientAt(moved.url)
    await there.grantAccess({ rid: 'maps', email: 'new@example.com', user_ref: 'new' })
    await there.revokeAccess({ rid: 'news', user_ref: 'ann' })
    const { read } = moved.ctx.environments.production.database
    const last = await read.selectFrom('history').select('action').orderBy('seq', 'desc').execute()
    expect(last[0]?.action).toBe('revoked')
    await moved.requireInvariants()
  })

  it('is neither read nor written on SQLite any more', async () => {
    const unavailable = { status: 503, code: 'database_unavailable' }
    const email = 'late@example.com'
    await expect(
      app.client.grantAccess({ rid: 'news', email, user_ref: 'late' }),
    ).rejects.toMatchObject(unavailable)
    await expect(app.client.getAccess({ rid: 'news', user_ref: 'ann' })).rejects.toMatchObject(
      unavailable,
    )
    expect((await fetch(`${service.url}/readyz`)).status).toBe(503)
    await expect(startTestService(sqlite, { installation: service.installation })).rejects.toThrow(
      /was moved to PostgreSQL: set GATEHOUSE_DATABASE_URL and restart/,
    )
  })

  it('was told what to do next, and no password', () => {
    expect(said).toContain('Set GATEHOUSE_DATABASE_URL')
    expect(said).toContain('master.key')
    expect(said).toMatch(/^Moved \d+ rows to postgres:\/\/127\.0\.0\.1:\d+\/test_\w+;/)
    expect(said).not.toContain(PASSWORD)
  })

  it('is moved only once, and can be compared with what was left behind', async () => {
    const cli = inProcessCli({ ...service.installation.env, GATEHOUSE_DATABASE_URL: target.url })
    expect(await cli.run('move')).toEqual({
      code: 0,
      stderr: '',
      stdout: 'This installation was already moved there.\n',
    })
    const verified = await cli.run('move', '--verify')
    expect(verified.code).toBe(1)
    expect(verified.stdout).toMatch(/^Changed since the move .*production\.access/)
    expect(verified.stdout).not.toContain('sandbox')
  })

  it('does not go back when something has happened since, or while it is served', async () => {
    const cli = inProcessCli({ ...service.installation.env, GATEHOUSE_MOVE_TO: target.url })
    expect((await cli.run('move', '--undo')).stderr).toContain(
      'a service is running on this database',
    )
    await moved.stop()
    const undone = await cli.run('move', '--undo')
    expect(undone.stderr).toMatch(/was changed since the move \(in .*production/)
    moved = await startTestService(postgres, {
      installation: target.installationAt(service.installation),
    })
  })
})
