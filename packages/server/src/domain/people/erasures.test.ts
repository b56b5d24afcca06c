import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { readConfig } from '../../config/config.ts'
import type { Db } from '../../db/database.ts'
import { controlMigrations, environmentMigrations } from '../../db/migrations.ts'
import { openDatabase } from '../../db/open.ts'
import type { ControlTables, Tables } from '../../db/tables.ts'
import { databases } from '../../testing/databases.ts'
import { useOwner, useService, useShop } from '../../testing/use-service.ts'
import { countUnfinishedErasures, findNextErasure, finishErasures } from './erasures.ts'

describe.each(databases)('what is left to do after an erasure on $name', (database) => {
  const service = useService(database)
  const shop = useShop(service, 'news', 'article')
  const owner = useOwner(service)

  const db = () => shop.environment.database
  const finish = () =>
    finishErasures({
      ...{ database: db(), control: service.ctx.control, realTime: shop.environment.realTime },
    })
  const erase = async (uid: string) => {
    // Tests let hours pass, after which an erasure asks again who it is.
    await owner.confirm()
    const { status } = await owner.call('POST', `/sandbox/${shop.aid}/people/${uid}/erase`)
    expect(status).toBe(200)
  }
  const grant = async (name: string) =>
    (await shop.client.grantAccess({ rid: 'news', email: `${name}@example.com`, user_ref: name }))
      .uid
  const unfinished = () => countUnfinishedErasures(db().read, shop.environment.realTime())

  const both = ['environment', 'control: audit, saved_views']
  /** Does the work that is due, and returns the databases that it scrubbed, and which tables of the control database. */
  async function work(): Promise<string[]> {
    const scrubbed: string[] = []
    const counted = <D extends { scrub: (tables: readonly never[]) => Promise<boolean> }>(
      name: string,
      one: D,
    ): D =>
      Object.assign(Object.create(one), {
        async scrub(tables: readonly never[]) {
          scrubbed.push(name === 'control' ? `${name}: ${tables.join(', ')}` : name)
          return await one.scrub(tables)
        },
      })
    const database = counted('environment', db())
    const control = counted('control', service.ctx.control)
    await finishErasures({ database, control, realTime: shop.environment.realTime })
    service.clock.advance(120)
    return scrubbed
  }

  /** Buys something and begins a refund that the provider has not confirmed yet. */
  async function buyWithPendingRefund(name: string) {
    const { payment_id: payment, uid } = await shop.buy({ rid: 'article', userRef: name })
    const input = { payment, amount: '1.00', reference: `for ${name}` }
    const { id } = await shop.client.refundPayment(input)
    const setStatus = (status: 'pending' | 'succeeded') =>
      db().write(async (trx) => {
        const due = status === 'pending' ? shop.environment.realTime() + 9e9 : null
        await trx.updateTable('refunds').set({ status, due }).where('id', '=', id).execute()
      })
    await setStatus('pending')
    return { id, uid: uid as string, input, settle: () => setStatus('succeeded') }
  }

  it('is done at once, looked at again after a minute, and then over', async () => {
    const uid = await grant('ann')
    const [mail] = await db().read.selectFrom('outbox').selectAll().where('uid', '=', uid).execute()
    await erase(uid)
    expect(await finish()).toBe(1)
    expect([await finish(), await unfinished()]).toEqual([0, 1])
    // Simulates a transaction that began before the erasure and queued a mail.
    await db().write(async (trx) => {
      const { recipient, payload } = mail as NonNullable<typeof mail>
      await trx.updateTable('outbox').set({ recipient, payload }).where('uid', '=', uid).execute()
    })
    service.clock.advance(61)
    expect(await finish()).toBe(1)
    expect([await finish(), await unfinished()]).toEqual([0, 0])
    const [after] = await db()
      .read.selectFrom('outbox')
      .selectAll()
      .where('uid', '=', uid)
      .execute()
    expect(after).toMatchObject({ recipient: '', payload: '{}' })
  })

  it('waits for a refund that is under way, and then forgets what it was called', async () => {
    const { id, uid, input, settle } = await buyWithPendingRefund('bob')
    await erase(uid)
    service.clock.advance(61)
    await finish()
    const referenceOf = async () =>
      (await db().read.selectFrom('refunds').selectAll().execute()).find((row) => row.id === id)
        ?.reference
    expect([await referenceOf(), await unfinished()]).toEqual(['for bob', 1])
    await settle()
    service.clock.advance(60)
    await finish()
    expect(await referenceOf()).toMatch(/^erased:[0-9a-f]{64}$/)
    expect(await unfinished()).toBe(0)
    // A repeated request still returns the same refund.
    expect((await shop.client.refundPayment(input)).id).toBe(id)
  })

  it('is due at once, and over exactly a minute later', async () => {
    expect(await findNextErasure(db().read)).toBeUndefined()
    const begun = service.clock.now
    await erase(await grant('cat'))
    expect(await findNextErasure(db().read)).toBe(begun)
    expect(await finish()).toBe(1)
    expect(await findNextErasure(db().read)).toBe(begun + 60_000)
    service.clock.advance(60)
    expect([await finish(), await findNextErasure(db().read)]).toEqual([1, undefined])
  })

  it('is tried again after twice as long each time, up to an hour', async () => {
    const { uid, settle } = await buyWithPendingRefund('dan')
    await erase(uid)
    const pauses: number[] = []
    while (pauses.length < 12) {
      expect(await finish()).toBe(1)
      pauses.push(((await findNextErasure(db().read)) as number) - service.clock.now)
      service.clock.advance((pauses.at(-1) as number) / 1000)
    }
    const doubled = [5, 10, 20, 40, 80, 160, 320, 640, 1280, 2560, 3600, 3600]
    expect(pauses).toEqual(doubled.map((seconds) => seconds * 1000))
    await settle()
    expect([await finish(), await unfinished()]).toEqual([1, 0])
  })

  it('scrubs both databases at first, and again only if something was left behind', async () => {
    const { uid, settle } = await buyWithPendingRefund('eve')
    await erase(uid)
    expect(await work()).toEqual(both)
    expect(await work()).toEqual([])
    await erase(await grant('fay'))
    expect(await work()).toEqual(both)
    // Simulates a transaction that began before the erasure and queued a mail.
    await db().write((trx) =>
      trx.updateTable('outbox').set({ recipient: 'x' }).where('uid', '=', uid).execute(),
    )
    expect(await work()).toEqual(both)
    expect(await work()).toEqual([])
    await settle()
    expect(await work()).toEqual(both)
    expect(await unfinished()).toBe(0)
  })

  const readers = [
    { name: 'the environment’s', read: (fn: (of: Db) => Promise<void>) => db().snapshot(fn) },
    {
      name: 'the control',
      read: (fn: (of: Db<ControlTables>) => Promise<void>) => service.ctx.control.snapshot(fn),
    },
  ]
  // On SQLite, the log that is emptied may still be read; PostgreSQL needs nobody to wait.
  it.each(database.engine === 'sqlite' ? readers : [])(
    'is not over while somebody reads $name database as it was',
    async ({ read }) => {
      await erase(await grant('gil'))
      service.clock.advance(61)
      await read(async (old) => {
        await sql`select count(*) from sqlite_schema`.execute(old)
        expect(await finish()).toBe(1)
      })
      expect([await finish(), await unfinished()]).toEqual([0, 1])
      service.clock.advance(5)
      expect([await work(), await unfinished()]).toEqual([both, 0])
    },
  )
})

describe.each(databases)('people who were erased by an earlier version, on $name', (database) => {
  it('lose their tags too, and merged people keep theirs', async () => {
    const installation = await database.createEmpty()
    const { dataFolder, databaseUrl = '' } = readConfig(installation.env)
    const location =
      database.engine === 'sqlite'
        ? ({ engine: 'sqlite', folder: dataFolder } as const)
        : ({ engine: 'postgres', url: databaseUrl, connections: 2 } as const)
    const at = environmentMigrations.findIndex(({ name }) => name === '0009_erasure')
    const open = (migrations: typeof environmentMigrations) =>
      openDatabase<Tables>(location, 'production', migrations)
    const older = await open(environmentMigrations.slice(0, at))
    await older.write(async (trx) => {
      await sql`insert into applications (aid, name, currency, created)
        values ('one', 'One', 'EUR', 1)`.execute(trx)
      await sql`insert into resources (aid, rid, name, url, created)
        values ('one', 'news', 'News', '', 1)`.execute(trx)
      await sql`insert into users (aid, uid, first_name, last_name, created, erased)
        values ('one', 'gone', '', '', 1, 2), ('one', 'merged', '', '', 1, 2)`.execute(trx)
      await sql`insert into access (id, aid, rid, uid, amount, created, ends, revoked, tags)
        values ('a', 'one', 'news', 'gone', 0, 1, 2, 2, '["secret"]')`.execute(trx)
      await sql`insert into access_tags (aid, tag, access_id) values ('one', 'secret', 'a')`.execute(
        trx,
      )
      await sql`insert into history (aid, uid, at, actor, action, after)
        values ('one', 'gone', 1, 'api', 'granted', '{"ends":2,"tags":["secret"]}'),
          ('one', 'merged', 1, 'api', 'granted', '{"ends":2,"tags":["kept"]}'),
          ('one', 'merged', 1, 'cli', 'user merged away', '{"uid":"other"}')`.execute(trx)
    })
    await older.close()
    const newer = await open(environmentMigrations)
    const control = await openDatabase<ControlTables>(location, 'control', controlMigrations)
    try {
      expect(await finishErasures({ database: newer, control, realTime: Date.now })).toBe(1)
      const { read } = newer
      expect(await read.selectFrom('access').select('tags').execute()).toEqual([{ tags: '[]' }])
      expect(await read.selectFrom('access_tags').selectAll().execute()).toEqual([])
      expect(await read.selectFrom('erasures').selectAll().execute()).toEqual([])
      const history = await read.selectFrom('history').select(['after']).orderBy('seq').execute()
      expect(history.map(({ after }) => after)).toEqual([
        '{"ends":2}',
        '{"ends":2,"tags":["kept"]}',
        '{"uid":"other"}',
      ])
    } finally {
      await Promise.all([newer.close(), control.close()])
      await installation.remove()
    }
  })
})
