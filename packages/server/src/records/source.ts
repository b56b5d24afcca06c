import type { SourceTable } from '../db/tables.ts'
import type { SourceDetails } from '../domain/access/source-details.ts'
import { endOrNull } from './end.ts'
import { pickMinorMoney } from './money.ts'
import { withoutNulls } from './without-nulls.ts'

/** A source of an access as an export of a person's data has it. */
export function exportedSource({ id, kind, created, ends, closed }: SourceTable) {
  return { id, kind, created, expires: endOrNull(ends), closed }
}

/** The same with what paid for it, for the command line. */
export function sourceDetails(row: SourceTable) {
  const { id, kind, created, ...rest } = exportedSource(row)
  const { starts, payment_id, subscription_id } = row
  return withoutNulls({ id, kind, created, starts, ...rest, payment_id, subscription_id })
}

/** The same for the dashboard, with the payment and the subscription themselves. */
export function sourceItem(row: SourceDetails) {
  const { paid, payment_id, subscription_id } = row
  return {
    ...exportedSource(row),
    starts: row.starts,
    payment:
      payment_id === null || paid === null
        ? null
        : {
            id: payment_id,
            amount: pickMinorMoney({ amount: paid, currency: row.currency ?? '' }),
            status: row.payment_status ?? '',
          },
    subscription:
      subscription_id === null
        ? null
        : {
            id: subscription_id,
            status: row.subscription_status ?? '',
            current_period_end: row.current_period_end ?? row.ends,
          },
  }
}
