import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db, EnvironmentDatabase } from '../../../db/database.ts'
import { toOutageFailure } from '../../../db/outage.ts'
import type { RowKey } from '../../../db/queries/rows.ts'
import type { Millis } from '../../../db/tables.ts'
import { findEarliest, readDueRows } from '../../apps/turns.ts'
import type { PaymentContext } from '../context.ts'
import type { PaymentProvider } from '../provider.ts'
import { ProviderError } from '../provider-error.ts'
import { changeExpiredCheckout, FIRST_POLL_MS } from './checkouts.ts'
import { completeCheckout } from './complete.ts'

const BATCH_SIZE = 20

/** A literal, not a parameter: otherwise SQLite does not use the partial index of these rows. */
const mustBeClosed = sql<boolean>`status = 'expired' and due is not null`

/** Returns when the next page is closed. */
export const findNextClosing = (db: Db): Promise<Millis | undefined> =>
  findEarliest(db, 'checkouts', 'due', mustBeClosed)

/**
 * Closes the provider's pages of checkouts that were ended early, so that nobody can still pay there; returns how
 * many were tried. If one was paid before that, the payment is recorded and refunded. If the provider does not
 * answer, it is asked again later: the row keeps its `due` until the page is closed.
 */
export async function closeDuePages(ctx: PaymentContext): Promise<number> {
  const { database, provider } = ctx
  if (!provider || (await ctx.isOnHold())) return 0
  const due = await takeDue(database, provider.name, ctx.realTime())
  let failure: unknown
  for (const { ref, ...key } of due) {
    await setImmediate()
    try {
      await closePage(ctx, provider, key, ref)
    } catch (error) {
      if (toOutageFailure(error)) throw error
      await postpone(ctx, key)
      if (error instanceof ProviderError) break
      failure ??= error
    }
  }
  if (failure !== undefined) throw failure
  return due.length
}

async function takeDue(
  database: EnvironmentDatabase,
  provider: string,
  realTime: Millis,
): Promise<(RowKey & { ref: string })[]> {
  const isDue = sql<boolean>`${mustBeClosed} and provider = ${provider} and due <= ${realTime}`
  const work = { name: 'pages to close', table: 'checkouts', isDue } as const
  const rows = await readDueRows(database, work, BATCH_SIZE, ['due'])
  return rows.flatMap(({ aid, id, provider_ref }) =>
    provider_ref === null ? [] : { aid, id, ref: provider_ref },
  )
}

async function closePage(
  ctx: PaymentContext,
  provider: PaymentProvider,
  key: RowKey,
  ref: string,
): Promise<void> {
  const finding = await provider.expireCheckout(ref)
  // The provider is still processing a card payment: the next attempt finds it paid or not.
  if (finding.status === 'open') return await postpone(ctx, key)
  const trialKey = await ctx.trialKey()
  await ctx.database.write(async (trx) => {
    if (finding.status === 'paid') await completeCheckout(trx, ctx, key, { finding, trialKey })
    else await changeExpiredCheckout(trx, key, { due: null })
  })
}

async function postpone(ctx: PaymentContext, key: RowKey): Promise<void> {
  const due = ctx.realTime() + FIRST_POLL_MS
  await ctx.database.write((trx) => changeExpiredCheckout(trx, key, { due }))
}
