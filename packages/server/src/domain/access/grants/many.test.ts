import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '../../../config/config.ts'
import type { Database, Engine, Trx } from '../../../db/database.ts'
import { findViolations } from '../../../db/invariants/invariants.ts'
import { environmentMigrations } from '../../../db/migrations.ts'
import { openDatabase } from '../../../db/open.ts'
import { refreshStatistics } from '../../../db/postgres/statistics.ts'
import type { Seconds, Tables } from '../../../db/tables.ts'
import { databases } from '../../../testing/databases.ts'
import { plansOf } from '../../../testing/query-plans.ts'
import { useApplication, useService } from '../../../testing/use-service.ts'
import { foldCounts, recount } from '../counts/counting.ts'
import { readWatermark } from '../counts/watermark.ts'
import { type AccessFilter, searchAccess } from '../search.ts'
import type { Grant } from './input.ts'
import { loadGrantStates } from './state.ts'

/** More than the offset from which page cursors are kept, and more than one fold takes. */
const MANY = 12_000

/** Inserts `many` records, one per user, a third of them created in the same second; every second one ends at `ends`.
 * Sources and history are left out. */
async function insertMany(
  trx: Trx,
  input: { engine: Engine; aid: string; now: Seconds; ends: Seconds; many: number },
): Promise<void> {
  const { engine, aid, now, ends, many } = input
  const numbers = `with recursive n (n) as
    (select 10001 union all select n + 1 from n where n < ${10_000 + many})`
  for (const statement of [
    `insert into users (aid, uid, email, email_key, first_name, last_name, created) ${numbers}
      select '${aid}', 'u' || n, n || '@example.com', n || '@example.com', '', '', ${now - 9} from n`,
    `insert into access (id, aid, rid, uid, amount, created, ends, tags) ${numbers}
      select 'a' || n, '${aid}', 'news', 'u' || n, 0, ${now - 9} + n % 3,
        case n % 2 when 0 then ${ends} else 253402300800 end, '["gift"]' from n`,
    `insert into access_tags (aid, tag, access_id) ${numbers}
      select '${aid}', 'gift', 'a' || n from n`,
  ]) {
    await sql.raw(statement).execute(trx)
    await refreshStatistics(trx, engine, ['users', 'access', 'access_tags'])
  }
}

const countsRule = 'the counts for searches, with the changes since, are those of the records'

/** Searches, and the index that finds their page. Of small partitions, PostgreSQL prefers to sort some. */
const PAGES: [string, Partial<AccessFilter>, number, string][] = [
  ['first page', {}, 0, 'access_search'],
  ['first page of a resource', { rid: 'news' }, 0, 'access_search_rid'],
  ['first page of a tag', { tag: 'gift' }, 0, 'access_tags_search'],
  ['first page with expired ones', { showExpired: true }, 0, 'access_search'],
  ['second page', {}, 100, 'access_search'],
  ['second page of a resource', { rid: 'news' }, 100, 'access_search_rid'],
  ['second page of a tag', { tag: 'gift' }, 100, 'access_tags_search'],
  ['page of a person', { email: '10007@example.com' }, 0, 'access_by_user'],
]
const SORTED_IN_PARTITIONS = [
  'first page of a resource',
  'second page of a resource',
  'page of a person',
]
const pages = PAGES.filter(
  ([name]) => !process.env.TEST_PARTITIONS || !SORTED_IN_PARTITIONS.includes(name),
)

describe.each(databases)('many records on $name', (database) => {
  const service = useService(database, { checksInvariants: false })
  const app = useApplication(service, { resources: ['news'] })
  let ends: Seconds
  beforeAll(async () => {
    const now = service.clock.seconds
    ends = now + 100
    const { aid } = app
    const { engine } = database
    await app.environment.database.write((trx) =>
      insertMany(trx, { engine, aid, now, ends, many: MANY }),
    )
  })

  const db = () => app.environment.database
  const fold = () => foldCounts(db(), service.clock.seconds)
  const rulesBroken = async () =>
    (await findViolations(db().read, service.clock.seconds)).map(({ rule }) => rule)

  const plansOfSearch = (filter: Partial<AccessFilter>, offset: number) =>
    plansOf(database.engine, db().read, (spied) => {
      const whole = { aid: app.aid, showExpired: false, ...filter }
      return searchAccess(spied, whole, { offset, limit: 100 }, service.clock.seconds)
    })

  /** The part of the plan that finds the page, without the joins for the columns beside it. */
  const findingOf = (plan: string): string =>
    database.engine === 'sqlite'
      ? (plan.split(/SCAN (?:page|found|a)\b/)[0] as string)
      : plan.slice(plan.indexOf('Limit'))

  it.each(pages)(
    'are found by an index, in the order of the answer: %s',
    async (_, filter, offset, index) => {
      const finding = findingOf((await plansOfSearch(filter, offset)).at(-1) ?? '')
      expect(finding).toMatch(new RegExp(`\\b${index}\\b`))
      expect(finding).not.toMatch(/Seq Scan|SCAN (a|t)\b|Sort|TEMP B-TREE/)
    },
  )

  it.each([{}, { rid: 'news' }, { tag: 'gift' }])(
    'are not counted for a total: %o',
    async (filter) => {
      service.clock.advance(10)
      const count = (await plansOfSearch(filter, 0)).find((plan) =>
        /access_changes|PRIMARY KEY \(aid=\? AND scope/.test(plan),
      )
      service.clock.advance(-10)
      expect(count).toMatch(/\baccess_ends\b/)
      expect(count).not.toMatch(/Seq Scan on access |SCAN a\b|access_search/)
    },
  )

  if (database.engine === 'sqlite') {
    it('are skipped by an index alone, expired ones too', async () => {
      expect((await plansOfSearch({}, 5_000)).at(-1)).toContain(
        'USING COVERING INDEX access_search (',
      )
      const ofResource = (await plansOfSearch({ rid: 'news' }, 5_000)).at(-1)
      expect(ofResource).toContain('USING COVERING INDEX access_search_rid (')
    })
  }

  it('are not walked through for a few who are granted something together', async () => {
    const { aid } = app
    const grants = Array.from({ length: 40 }, (_, n) => ({
      aid,
      rid: 'news',
      email: `${10_101 + n}@example.com`,
    }))
    const plans = await db().write((trx) =>
      plansOf(database.engine, trx, (spied) => loadGrantStates(spied as Trx, grants as Grant[])),
    )
    // At least one query each for resources, users, access and sources.
    expect(plans.length).toBeGreaterThan(3)
    for (const plan of plans) expect(plan).not.toMatch(/Seq Scan on (users|access)|SCAN|\(aid=\?\)/)
  })

  it('are read page after page, each once, while others are granted', async () => {
    let left = MANY - 9_000
    for (const filter of [{}, { tag: 'gift' }]) {
      const read = (page: number) =>
        app.client.searchAccess({ ...filter, show_expired: true, pagesize: 1_000, page })
      const seen: string[] = []
      // Earlier pages are counted from the first record, so grants in between would shift them.
      for (let page = 9; page < MANY / 1_000 + 1; page++) {
        const { data } = await read(page)
        seen.push(...data.map(({ id }) => id).filter((id) => /^a\d{5}$/.test(id)))
        const email = `${page}-${Object.keys(filter)}@example.com`
        await app.client.grantAccess({ rid: 'news', email, tags: 'gift', suppress_email: true })
      }
      expect([seen.length, new Set(seen).size]).toEqual([left, left])
      left += 4
    }
  })

  it('are folded in several steps, with the true total after each, forward and back', async () => {
    const totals = async () => {
      const { total } = await app.client.searchAccess({ pagesize: 1 })
      const { total: tagged } = await app.client.searchAccess({ pagesize: 1, tag: 'gift' })
      return [total, tagged]
    }
    const before = await totals()
    let steps = 0
    for (; (await fold()) > 0; steps++) expect(await totals()).toEqual(before)
    expect(steps).toBeGreaterThan(2)
    service.clock.advance(200)
    const after = before.map((total) => total - MANY / 2)
    expect(await totals()).toEqual(after)
    for (steps = 0; (await fold()) > 0; steps++) expect(await totals()).toEqual(after)
    expect(steps).toBe(3)
    service.clock.advance(-200)
    expect(await totals()).toEqual(before)
    for (steps = 0; (await fold()) > 0; steps++) expect(await totals()).toEqual(before)
    expect(steps).toBe(3)
    expect(await readWatermark(db().read, app.aid)).toEqual({
      ends: service.clock.seconds + 1,
      access_id: '',
    })
    expect(await rulesBroken()).not.toContain(countsRule)
  })

  it('have the true total also while changes of expired ones wait to be folded', async () => {
    const { database: db } = app.environment
    const { aid } = app
    const fold = (least?: number) => foldCounts(db, service.clock.seconds, least)
    while ((await fold()) > 0);
    service.clock.advance(1_000)
    // More changes than one fold takes. The last ones are of records that have expired or get an end in the past.
    const later = service.clock.seconds
    const change = (from: number, to: number, end: Seconds) =>
      db.write((trx) =>
        trx
          .updateTable('access')
          .set({ ends: end })
          .where('aid', '=', aid)
          .where('id', '>=', `a${from}`)
          .where('id', '<', `a${to}`)
          .execute(),
      )
    await change(10_001, 12_501, later + 5_000)
    await change(12_501, 12_551, later - 5)
    await change(12_551, 12_601, later + 5_000)
    const plainCount = async () => {
      const { total } = await db.read
        .selectFrom('access')
        .select((eb) => eb.fn.countAll<number>().as('total'))
        .where('aid', '=', aid)
        .where('revoked', 'is', null)
        .where('ends', '>', later)
        .executeTakeFirstOrThrow()
      return total
    }
    const total = async () =>
      (await searchAccess(db.read, { aid, showExpired: false }, { offset: 0, limit: 1 }, later))
        .total
    const expected = await plainCount()
    expect(await total()).toBe(expected)
    while ((await fold()) > 0) expect(await total()).toBe(expected)
    const violations = await findViolations(db.read, service.clock.seconds)
    expect(violations.map(({ rule }) => rule)).not.toContain(countsRule)
  })

  it('are counted anew, as they were counted before', async () => {
    const counts = async () => {
      while ((await fold()) > 0);
      const { rows } = await sql`select * from access_counts order by aid, scope`.execute(db().read)
      return rows
    }
    const before = await counts()
    await db().write(async (trx) => {
      await sql`update access_counts set all_n = 7`.execute(trx)
      await recount(trx, database.engine, service.clock.seconds)
    })
    expect(await counts()).toEqual(before)
  })
})

describe.each(databases)('records from before counts were kept, on $name', (database) => {
  it('are counted, and their tags have their times', async () => {
    const installation = await database.createEmpty()
    const { dataFolder, databaseUrl = '' } = readConfig(installation.env)
    const { engine } = database
    const location =
      engine === 'sqlite'
        ? ({ engine, folder: dataFolder } as const)
        : ({ engine, url: databaseUrl, connections: 2 } as const)
    const open = async (migrations = environmentMigrations): Promise<Database<Tables>> =>
      await openDatabase<Tables>(location, 'production', migrations)
    const now = Math.floor(Date.now() / 1000)
    const older = await open(environmentMigrations.slice(0, 3))
    await older.write(async (trx) => {
      await sql`insert into applications (aid, name, currency, created)
        values ('one', 'One', 'EUR', 1)`.execute(trx)
      await sql`insert into resources (aid, rid, name, url, created)
        values ('one', 'news', 'News', '', 1)`.execute(trx)
      await insertMany(trx, { engine, aid: 'one', now, ends: now - 5, many: 100 })
    })
    await older.close()
    const newer = await open()
    try {
      const totalOf = async (filter: Partial<AccessFilter>) =>
        (
          await searchAccess(
            newer.read,
            { aid: 'one', showExpired: false, ...filter },
            { offset: 0, limit: 1 },
            now,
          )
        ).total
      for (const filter of [{}, { rid: 'news' }, { tag: 'gift' }]) {
        expect(await totalOf(filter)).toBe(50)
        expect(await totalOf({ ...filter, showExpired: true })).toBe(100)
      }
      const rules = (await findViolations(newer.read, now)).map(({ rule }) => rule)
      expect(rules).not.toContain(countsRule)
      expect(rules).not.toContain('a tag has the time of its record')
    } finally {
      await newer.close()
      await installation.remove()
    }
  })
})
