import { beforeAll, describe, expect, it } from 'vitest'
import { type Cursor, cursorOf } from '../../../db/queries/cursor.ts'
import { sortsOf } from '../../../db/queries/sort.ts'
import { databases } from '../../../testing/databases.ts'
import { MONTHLY, openShop, type Shop } from '../../../testing/payments/shop.ts'
import { useService } from '../../../testing/use-service.ts'
import {
  ACCESS_COLUMNS,
  listAccessAfter,
  listAccessForStaff,
  type StaffFilter,
} from '../../access/list-for-staff.ts'
import { listPaymentsAfter, PAYMENT_COLUMNS, searchPayments } from '../../payments/payments.ts'
import {
  listSubscriptionsAfter,
  SUBSCRIPTION_COLUMNS,
  searchSubscriptions,
} from '../../subscriptions/search.ts'
import { listUsersAfter, PEOPLE_COLUMNS, searchUsers } from '../../users/find.ts'

const ALL = { offset: 0, limit: 100 }
const NAMES = ['Ömer', 'anna', 'Anna', '', 'zoë', 'Édith', 'Bob', '', 'ÖMER', 'bob']

/** Reads a list two rows at a time, as an export does a thousand. */
async function readInPages<R extends object>(
  page: (after: Cursor | undefined, limit: number) => Promise<R[]>,
): Promise<R[]> {
  const all: R[] = []
  for (;;) {
    const last = all.at(-1)
    const rows = await page(last && cursorOf(last), 2)
    if (rows.length === 0) return all
    all.push(...rows)
  }
}

describe.each(databases)('an export on $name has the order of its list', (database) => {
  const service = useService(database)
  let shop: Shop
  const read = () => shop.environment.database.read
  const now = () => shop.environment.clock()

  beforeAll(async () => {
    shop = await openShop(service)
    for (const rid of ['pass', 'maps']) await shop.addResource(rid)
    for (const [i, first_name] of NAMES.entries()) {
      if (i % 3 === 0) service.clock.advance(60)
      const who = { email: `reader${9 - i}@example.com`, user_ref: `r${i}`, suppress_email: true }
      const expiration = now() + 1_000 * (1 + (i % 4))
      await shop.client.grantAccess({ rid: 'maps', ...who, first_name, expiration })
      if (i % 2 === 0) await shop.client.revokeAccess({ rid: 'maps', user_ref: `r${i}` })
    }
    for (const [i, amount] of [499, 200, 499, 700].entries()) {
      const currency = i === 3 ? 'USD' : 'EUR'
      if (i % 2 === 0) service.clock.advance(60)
      await shop.buy({ rid: 'pass', userRef: `r${i}`, terms: { ...MONTHLY, amount, currency } })
    }
  })

  const access = (filter: StaffFilter) =>
    readInPages((after, limit) => listAccessAfter(read(), filter, after, limit, now()))
  const idsOf = (rows: readonly { id: string }[]) => rows.map(({ id }) => id)

  it.each(['live', 'expired', 'unrevoked', 'revoked', 'any', 'ending', 'renewing'] as const)(
    'of access in the state %s',
    async (state) => {
      for (const sort of [undefined, ...sortsOf(ACCESS_COLUMNS)]) {
        const filter = { aid: shop.aid, state, sort }
        const { rows } = await listAccessForStaff(read(), filter, ALL, now())
        expect(idsOf(await access(filter)), sort).toEqual(idsOf(rows))
      }
    },
  )

  it('of people, payments and subscriptions', async () => {
    for (const sort of sortsOf(PEOPLE_COLUMNS)) {
      const filter = { aid: shop.aid, sort }
      const { rows } = await searchUsers(read(), filter, ALL)
      const listed = await readInPages((...at) => listUsersAfter(read(), filter, ...at))
      expect(rows.length).toBeGreaterThanOrEqual(NAMES.length)
      expect(
        listed.map(({ uid }) => uid),
        sort,
      ).toEqual(rows.map(({ uid }) => uid))
    }
    for (const sort of sortsOf(PAYMENT_COLUMNS)) {
      const filter = { aid: shop.aid, sort }
      const { rows } = await searchPayments(read(), filter, ALL)
      const listed = await readInPages((...at) => listPaymentsAfter(read(), filter, ...at))
      expect(rows).toHaveLength(4)
      expect(idsOf(listed), sort).toEqual(idsOf(rows))
    }
    for (const sort of sortsOf(SUBSCRIPTION_COLUMNS)) {
      const filter = { aid: shop.aid, sort }
      const { rows } = await searchSubscriptions(read(), filter, ALL)
      const listed = await readInPages((...at) => listSubscriptionsAfter(read(), filter, ...at))
      expect(idsOf(listed), sort).toEqual(idsOf(rows))
    }
  })
})
