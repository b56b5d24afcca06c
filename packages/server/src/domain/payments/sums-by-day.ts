import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { Days } from '../../db/days.ts'
import { TAKEN_STATUSES } from './payments.ts'

/** Amounts in one currency, one sum per day. */
export interface SumsByDay {
  currency: string
  sums: number[]
}

/** Sums what was charged, by the day of the payment. Later refunds are not subtracted. */
export async function sumPaymentsByDay(db: Db, aid: string, days: Days): Promise<SumsByDay[]> {
  const rows = await db
    .selectFrom('payments')
    .select(['currency', dayOf.as('day'), total.as('total')])
    .where('aid', '=', aid)
    .where('created', '>=', days.first * 86_400)
    .where('created', '<', (days.last + 1) * 86_400)
    .where('status', 'in', TAKEN_STATUSES)
    .groupBy(['currency', dayOf])
    .execute()
  return groupByCurrency(rows, days)
}

/** Sums what was refunded, by the day the refund was ordered. */
export async function sumRefundsByDay(db: Db, aid: string, days: Days): Promise<SumsByDay[]> {
  const rows = await db
    .selectFrom('refunds')
    .select(['currency', dayOf.as('day'), total.as('total')])
    .where('aid', '=', aid)
    .where('created', '>=', days.first * 86_400)
    .where('created', '<', (days.last + 1) * 86_400)
    .where('status', '=', 'succeeded')
    .groupBy(['currency', dayOf])
    .execute()
  return groupByCurrency(rows, days)
}

const dayOf = sql<number>`created / 86400`
const total = sql<number>`cast(sum(amount) as bigint)`

interface Sum {
  currency: string
  day: number
  total: number
}

function groupByCurrency(rows: readonly Sum[], { first, last }: Days): SumsByDay[] {
  const currencies = [...new Set(rows.map(({ currency }) => currency))].sort()
  return currencies.map((currency) => {
    const sums = Array.from({ length: last - first + 1 }, () => 0)
    for (const row of rows) {
      if (row.currency === currency) sums[Number(row.day) - first] = Number(row.total)
    }
    return { currency, sums }
  })
}
