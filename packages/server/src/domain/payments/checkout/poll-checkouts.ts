import { setImmediate } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../db/database.ts'
import { toOutageFailure } from '../../../db/outage.ts'
import { deleteRows, type RowKey } from '../../../db/queries/rows.ts'
import type { Millis, Seconds } from '../../../db/tables.ts'
import { findEarliest, readDueRows } from '../../apps/turns.ts'
import type { PaymentContext } from '../context.ts'
import { doEventsArrive, expectEvent } from '../event-arrival.ts'
import { ProviderError } from '../provider-error.ts'
import { type CheckoutRow, changeOpenCheckout, FIRST_POLL_MS, getCheckout } from './checkouts.ts'
import { completeCheckout } from './complete.ts'

/** How old a checkout is when the provider is asked about it without an event, besides when its page has closed. */
const POLL_AGES_MS: readonly Millis[] = [FIRST_POLL_MS, 600_000, 3_600_000]
/** A checkout this little younger is asked about as if it had that age. */
const AGE_TOLERANCE_MS: Millis = 10_000
/** The longest pause while no events arrive. */
const MAX_POLL_MS: Millis = 3_600_000
/** How long after a page should have closed the provider is asked for the last time. */
const CLOSING_MS: Millis = 60_000
/** Expired checkouts are deleted after this time, along with what the buyer typed. */
const DELETE_AFTER_S: Seconds = 30 * 86_400
/** The provider's clock may differ from ours. */
const PAGE_MARGIN_MS: Millis = 3_600_000
/** No provider keeps a page open this long. */
const MAX_PAGE_LIFETIME_S: Seconds = 7 * 86_400
const BATCH_SIZE = 20

/** Asks the provider for the state of a checkout and applies it. */
export async function refreshCheckout(ctx: PaymentContext, key: RowKey): Promise<CheckoutRow> {
  const { database, provider } = ctx
  const row = await getCheckout(database.read, key)
  if (row.status === 'paid' || row.provider_ref === null || provider?.name !== row.provider) {
    return row
  }
  const finding = await provider.find.checkout(row.provider_ref)
  const trialKey = await ctx.trialKey()
  await database.write(async (trx) => {
    if (finding.status === 'paid') await completeCheckout(trx, ctx, row, { finding, trialKey })
    // Once the page has closed, the provider's answer is final, unless a payment is still being processed.
    else if (finding.status === 'expired' || (!finding.payment && isPageClosed(ctx, row))) {
      await changeOpenCheckout(trx, row, { status: 'expired', due: null })
    } else await changeOpenCheckout(trx, row, { due: await nextPollAt(trx, ctx, row) })
  })
  const seen = await getCheckout(database.read, key)
  if (finding.status !== 'open' && seen.status !== row.status) await expectEvent(ctx)
  return seen
}

/** Pages close by real time, so moving the sandbox's clock forward does not close them. */
const isPageClosed = (ctx: PaymentContext, { expires, page_ends }: CheckoutRow): boolean =>
  expires <= ctx.clock() && (page_ends ?? 0) + PAGE_MARGIN_MS <= ctx.realTime()

/** While events arrive, a checkout is polled a few times only. Without them, it is polled less often as it gets older.
 * Either way it is polled once more when its page has closed, so that no payment is lost. */
async function nextPollAt(db: Db, ctx: PaymentContext, row: CheckoutRow): Promise<Millis> {
  const now = ctx.realTime()
  const age = ageOf(ctx, row)
  const closed = (row.page_ends ?? 0) + CLOSING_MS
  const rare = now + pauseByAge(age)
  if (closed <= now) return rare
  if (!(await doEventsArrive(db, ctx))) return Math.min(rare, closed)
  const nextAge = POLL_AGES_MS.find((at) => at > age + AGE_TOLERANCE_MS)
  return nextAge === undefined ? closed : Math.min(now + nextAge - age, closed)
}

const pauseByAge = (age: Millis): Millis =>
  Math.min(MAX_POLL_MS, Math.max(FIRST_POLL_MS, Math.round(age / 2)))

/** The age in real time, as far as it is known: the sandbox's clock may have been moved since. */
function ageOf(ctx: PaymentContext, { created, expires, page_ends }: CheckoutRow): Millis {
  const age =
    page_ends === null
      ? (ctx.clock() - created) * 1000
      : ctx.realTime() - page_ends + (expires - created) * 1000
  return Math.max(0, age)
}

/** A literal, not a parameter: otherwise SQLite does not use the index of open checkouts. */
const isOpen = sql<boolean>`status = 'open'`

/** Takes checkouts that a background job has to look at. */
const takeCheckouts = ({ database }: PaymentContext, name: string, isDue: RawBuilder<boolean>) =>
  readDueRows(database, { name, table: 'checkouts', isDue }, BATCH_SIZE, ['due'])

/** Polls checkouts without an event; returns how many. One that fails does not delay the others, and is
 * asked about again later, the older it is: its answer may never be readable. */
export async function pollDueCheckouts(ctx: PaymentContext): Promise<number> {
  const { database, provider } = ctx
  if (!provider || (await ctx.isOnHold())) return 0
  // Only the provider that a checkout was opened with can report its outcome.
  const isDue = sql<boolean>`${isOpen} and provider = ${provider.name} and due <= ${ctx.realTime()}`
  const due = await takeCheckouts(ctx, 'open checkouts', isDue)
  let failure: unknown
  for (const key of due) {
    await setImmediate()
    try {
      await refreshCheckout(ctx, key)
    } catch (error) {
      if (toOutageFailure(error)) throw error
      await database.write(async (trx) => {
        const due = ctx.realTime() + pauseByAge(ageOf(ctx, await getCheckout(trx, key)))
        await changeOpenCheckout(trx, key, { due })
      })
      if (error instanceof ProviderError) break
      failure ??= error
    }
  }
  if (failure !== undefined) throw failure
  return due.length
}

/** Returns when the next checkout is polled. */
export const findNextPoll = (db: Db): Promise<Millis | undefined> =>
  findEarliest(db, 'checkouts', 'due', isOpen)

/** Expires checkouts whose payer never went to the provider's page, or whose provider was replaced long ago, and
 * deletes old ones. All others expire once the provider has reported that they were not paid. */
export async function expireCheckouts(ctx: PaymentContext): Promise<void> {
  const abandoned = await takeCheckouts(ctx, 'abandoned checkouts', isAbandoned(ctx))
  const old = await takeCheckouts(ctx, 'old checkouts', isOld(ctx))
  if (abandoned.length + old.length === 0) return
  await ctx.database.write(async (trx) => {
    for (const key of abandoned) {
      await changeOpenCheckout(trx, key, { status: 'expired', due: null })
    }
    for (const { aid, id } of old) await deleteRows(trx, 'checkouts', { aid, id })
  })
}

const isOfOtherProvider = ({ provider }: PaymentContext) =>
  sql<boolean>`provider <> ${provider?.name ?? ''}`

function isAbandoned(ctx: PaymentContext): RawBuilder<boolean> {
  const now = ctx.clock()
  return sql`${isOpen} and ((due is null and expires <= ${now})
    or (${isOfOtherProvider(ctx)} and expires <= ${now - MAX_PAGE_LIFETIME_S}))`
}

/** A checkout that was ended early is kept until its page is known to be closed: it may have been paid. Someone may
 * still pay on an open page, however far the clock was moved. */
const isOld = (ctx: PaymentContext): RawBuilder<boolean> =>
  sql`status = 'expired' and expires <= ${ctx.clock() - DELETE_AFTER_S}
    and (due is null or ${isOfOtherProvider(ctx)})
    and (page_ends is null or page_ends <= ${ctx.realTime() - PAGE_MARGIN_MS})`
