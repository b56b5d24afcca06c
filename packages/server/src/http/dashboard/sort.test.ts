import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Db } from '../../db/database.ts'
import { refreshStatistics } from '../../db/postgres/statistics.ts'
import type { Window } from '../../db/queries/rows.ts'
import { listAccessForStaff } from '../../domain/access/list-for-staff.ts'
import { searchPayments } from '../../domain/payments/payments.ts'
import { searchSubscriptions } from '../../domain/subscriptions/search.ts'
import { searchUsers } from '../../domain/users/find.ts'
import { databases } from '../../testing/databases.ts'
import { plansOf } from '../../testing/query-plans.ts'
import { useApplication, useOwner, useService } from '../../testing/use-service.ts'

const MANY = 2_000
const FOREVER = 253402300800

/** Returns the value that a list is sorted by: a text, compared without regard to case, or a number. */
type Key = (row: Record<string, unknown>) => string | number

const titleOf: Key = ({ first_name, last_name, email }) =>
  (`${first_name} ${last_name}`.trim() || String(email)).toLowerCase()
const created: Key = ({ created }) => Number(created)
const amount: Key = ({ currency, amount }) => `${currency} ${String(amount).padStart(9, '0')}`
const end: Key = ({ revoked, ends }) => Number(revoked ?? ends)
const periodEnd: Key = ({ current_period_end }) => Number(current_period_end)

describe.each(databases)('sorted lists on $name', (database) => {
  const service = useService(database, { checksInvariants: false })
  const owner = useOwner(service)
  const app = useApplication(service, { resources: ['news', 'maps'] })
  const now = () => service.clock.seconds
  const titles = new Map<unknown, string | number>()
  const nameKey: Key = ({ uid }) => titles.get(uid) as string

  beforeAll(async () => {
    const { aid } = app
    const at = now()
    const numbers = `with recursive n (n) as (select 1 union all select n + 1 from n where n < ${MANY})`
    // Numbers that differ from row to row and don't grow with n.
    const mix = (by: number, most: number) => `(n * ${by} % 7919) % ${most}`
    const statements = [
      `insert into users (aid, uid, email, email_key, first_name, last_name, created) ${numbers}
        select '${aid}', 'u' || n, 'E' || ${mix(31, 5000)} || 'x' || n || '@example.com', 'e' || n,
          case n % 3 when 0 then '' when 1 then 'Name' || ${mix(17, 900)} else 'name' || ${mix(13, 900)} end,
          '', ${at} - ${mix(11, 999)} from n`,
      `insert into access (id, aid, rid, uid, amount, created, ends, revoked, tags) ${numbers}
        select 'a' || n, '${aid}', case n % 2 when 0 then 'news' else 'maps' end, 'u' || n, 0,
          ${at} - ${mix(19, 5000)},
          case n % 4 when 0 then ${FOREVER} else ${at} - 2000 + ${mix(23, 5000)} end,
          case n % 5 when 0 then ${at} - ${mix(29, 3000)} end, '[]' from n`,
      `insert into subscriptions (id, aid, rid, uid, access_id, amount, currency, period, status, created,
          anchor, periods, current_period_start, current_period_end, tries, provider) ${numbers}
        select 's' || n, '${aid}', 'news', 'u' || n, 'a' || n, ${mix(37, 900)},
          case n % 3 when 0 then 'EUR' else 'USD' end, '1 month', 'active', ${at} - ${mix(41, 5000)},
          0, 1, 0, ${at} + ${mix(43, 5000)}, 0, 'test' from n`,
      `insert into payments (id, aid, rid, uid, amount, refunded, currency, provider, status, created, attempts)
        ${numbers} select 'p' || n, '${aid}', 'news', 'u' || n, ${mix(37, 900)}, 0,
          case n % 3 when 0 then 'EUR' else 'USD' end, 'test', 'succeeded', ${at} - ${mix(41, 5000)}, 1 from n`,
    ]
    await app.environment.database.write(async (trx) => {
      for (const statement of statements) await sql.raw(statement).execute(trx)
      const tables = ['users', 'access', 'subscriptions', 'payments'] as const
      await refreshStatistics(trx, database.engine, [...tables])
    })
    const users = await app.environment.database.read.selectFrom('users').selectAll().execute()
    for (const user of users) titles.set(user.uid, titleOf({ ...user }))
  })

  type State = Parameters<typeof listAccessForStaff>[1]['state']
  type Ask = (
    db: Db,
    sort: never,
    window: Window,
  ) => Promise<{ rows: readonly object[]; total: number }>
  const people: Ask = (db, sort, window) => searchUsers(db, { aid: app.aid, sort }, window)
  const payments: Ask = (db, sort, window) => searchPayments(db, { aid: app.aid, sort }, window)
  const subscriptions: Ask = (db, sort, window) =>
    searchSubscriptions(db, { aid: app.aid, sort }, window)
  const access =
    (state: State, rid?: string): Ask =>
    (db, sort, window) =>
      listAccessForStaff(db, { aid: app.aid, rid, state, sort }, window, now())

  it.each<[string, string, Key, Ask, index?: string]>([
    ['people', 'name', titleOf, people, 'users_by_title'],
    ['people', 'created', created, people, 'users_newest'],
    ['live access', 'created', created, access('live'), 'access_search'],
    ['live access', 'ends', end, access('live'), 'access_ends'],
    ['expired access', 'ends', end, access('expired'), 'access_ends'],
    ['unrevoked access', 'ends', end, access('unrevoked'), 'access_ends'],
    ['revoked access', 'ends', end, access('revoked'), 'access_revoked'],
    ['all access', 'ends', end, access('any'), 'access_revoked'],
    ['all access', 'created', created, access('any'), 'access_search'],
    ['access to a resource', 'ends', end, access('live', 'maps')],
    ['all access', 'name', nameKey, access('any'), 'users_by_title'],
    ['live access', 'name', nameKey, access('live'), 'users_by_title'],
    ['access to a resource', 'name', nameKey, access('unrevoked', 'maps')],
    ['payments', 'name', nameKey, payments, 'users_by_title'],
    ['subscriptions', 'name', nameKey, subscriptions, 'users_by_title'],
    ['payments', 'created', created, payments, 'payments_search'],
    ['payments', 'amount', amount, payments, 'payments_by_amount'],
    ['subscriptions', 'created', created, subscriptions, 'subscriptions_search'],
    ['subscriptions', 'ends', periodEnd, subscriptions, 'subscriptions_by_period_end'],
    ['subscriptions', 'amount', amount, subscriptions, 'subscriptions_by_amount'],
  ])('%s by %s are in order on all pages, and read along an index', async (...given) => {
    const [, column, key, ask, index] = given
    const db = app.environment.database.read
    for (const sort of [column, `-${column}`]) {
      const half = await ask(db, sort as never, { offset: 0, limit: MANY / 2 })
      const rest = await ask(db, sort as never, { offset: MANY / 2, limit: MANY })
      const rows = [...half.rows, ...rest.rows] as Parameters<Key>[0][]
      expect(new Set(rows.map(({ id, uid }) => id ?? uid)).size).toBe(half.total)
      const keys = rows.map(key)
      const sorted = keys.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0))
      expect(keys).toEqual(sort.startsWith('-') ? sorted.reverse() : sorted)
      if (index === undefined) continue
      const plans = await plansOf(database.engine, db, (spied) =>
        ask(spied, sort as never, { offset: 0, limit: 50 }),
      )
      expect(plans.at(-1)).toMatch(new RegExp(`\\b${index}\\b`))
    }
  })

  it('are asked for by name, and refuse a column that they don’t have', async () => {
    const get = (path: string) => owner.call('GET', `/production/${app.aid}/${path}`)
    for (const path of [
      ...['people?sort=-name', 'access?sort=ends', 'payments?sort=-amount'],
      ...['access?sort=name&state=any', 'payments?sort=-name', 'subscriptions?sort=name'],
      ...['subscriptions?sort=ends', 'resources?sort=name', 'downloads?sort=-size'],
      ...['deliveries?sort=at', 'mails?sort=created'],
    ]) {
      expect([path, (await get(path)).status]).toEqual([path, 200])
    }
    expect((await get('people?sort=email')).status).toBe(400)
    const { data } = (await get('resources?sort=-name')).json as { data: { rid: string }[] }
    expect(data.map(({ rid }) => rid)).toEqual(['news', 'maps'])
  })
})
