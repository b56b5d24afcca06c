import { setTimeout as sleep } from 'node:timers/promises'
import type { EnvironmentDatabase, Trx } from '../../../db/database.ts'
import type { Millis } from '../../../db/tables.ts'
import type {
  ChargeOrder,
  CheckoutFinding,
  CheckoutOrder,
  PaymentFinding,
  PaymentProvider,
  RefundFinding,
  RefundOrder,
} from '../provider.ts'
import { ProviderError } from '../provider-error.ts'
import { type CardName, findTestCard, REFUSALS } from './cards.ts'
import {
  findEntry,
  insertEntry,
  lockSession,
  refundRefusal,
  toPaymentFinding,
  toRefundFinding,
  updateEntry,
} from './ledger.ts'
import {
  orderIn,
  paidSessionFinding,
  paySession,
  sessionStatus,
  type TestSession,
} from './sessions.ts'

/** States of a dispute that can be simulated. */
export const DISPUTE_OUTCOMES = ['inquiry', 'opened', 'won', 'lost'] as const
export type DisputeOutcome = (typeof DISPUTE_OUTCOMES)[number]

/** Services that the test cards use: they keep a provider's records in our own database. */
export interface TestCardOptions {
  database: EnvironmentDatabase
  realTime(): Millis
  address(): string
}

export interface TestCards extends PaymentProvider {
  session(id: string): Promise<TestSession | undefined>
  /** Called when the payer submits the page. */
  pay(id: string, number: string): Promise<'paid' | 'declined' | 'no_answer' | 'expired'>
  /** Simulates the bank. Without an amount, the dispute stays about the same, at first the whole charge. */
  dispute(chargeRef: string, outcome: DisputeOutcome, amount?: number): Promise<void>
}

/** The sandbox's provider: cards behave as their numbers say, and no money moves. */
export function createTestCards(options: TestCardOptions): TestCards {
  const { database, realTime } = options
  return {
    name: 'test',
    startCheckout: (order) => startCheckout(options, order),
    expireCheckout: (ref) => expireCheckout(options, ref),
    charge: (order) => charge(options, order),
    refund: (order) => refund(options, order),

    find: {
      checkout: (ref) => getCheckoutFinding(options, ref),
      async payment({ paymentId, ref = '' }) {
        const by = paymentId === undefined ? { id: ref } : { key: paymentId }
        const entry = await findEntry(database.read, by)
        return entry && entry.status !== 'hung' ? toPaymentFinding(entry) : undefined
      },
      // The test ledger is in our own database: a restore that loses payments loses the charges too.
      charges: async () => [],
      async refund({ refundId }) {
        const entry = await findEntry(database.read, { key: refundId })
        return entry && toRefundFinding(entry)
      },
    },

    // Test cards send no events: the payer returns to a page that asks for the state.
    readEvent: async () => undefined,

    async check() {},

    async session(id) {
      const session = await findEntry(database.read, { id })
      if (session?.kind !== 'session' || session.status === 'expired') return undefined
      const { title, charge, doneUrl, backUrl } = orderIn(session)
      return { title, charge, doneUrl, backUrl, status: sessionStatus(session, realTime()) }
    },

    async pay(id, number) {
      const card = findTestCard(number)
      if (!card || card.name === 'declined') return 'declined'
      return await database.write((trx) => paySession(trx, id, card.name, realTime()))
    },

    async dispute(chargeRef, outcome, amount) {
      const change = {
        dispute: outcome,
        ...(amount === undefined ? {} : { disputed_amount: amount }),
      }
      await database.write((trx) => updateEntry(trx, chargeRef, change))
    },
  }
}

const pageUrl = ({ address }: TestCardOptions, id: string) => `${address()}/test-cards/${id}`

async function startCheckout(
  options: TestCardOptions,
  order: CheckoutOrder,
): Promise<{ ref: string; url: string }> {
  const id = await options.database.write(async (trx) => {
    const key = `session:${order.checkoutId}`
    const known = await findEntry(trx, { key })
    if (known) return known.id
    // The `card` column of a session holds the order, without personal data.
    const labels = { ...order.labels, userRef: undefined }
    const card = JSON.stringify({ ...order, labels, email: undefined })
    const entry = { kind: 'session', key, card, status: 'open' } as const
    return (await insertEntry(trx, entry, options.realTime())).id
  })
  return { ref: id, url: pageUrl(options, id) }
}

async function getCheckoutFinding(options: TestCardOptions, ref: string): Promise<CheckoutFinding> {
  const { read } = options.database
  const session = await findEntry(read, { id: ref })
  const status = session ? sessionStatus(session, options.realTime()) : 'open'
  if (session && status === 'paid') return await paidSessionFinding(read, session)
  return status === 'expired' ? { status } : { status: 'open', url: pageUrl(options, ref) }
}

async function expireCheckout(options: TestCardOptions, ref: string): Promise<CheckoutFinding> {
  await options.database.write(async (trx) => {
    const session = await lockSession(trx, ref)
    if (session?.status === 'open') await updateEntry(trx, ref, { status: 'expired' })
  })
  return await getCheckoutFinding(options, ref)
}

async function charge(
  { database, realTime }: TestCardOptions,
  { paymentId, money, method }: ChargeOrder,
): Promise<PaymentFinding> {
  const card = (await findEntry(database.read, { id: method }))?.card
  const known = await findEntry(database.read, { key: paymentId })
  if (known?.status === 'hung') {
    const change = { status: 'succeeded', tries: known.tries + 1 } as const
    await database.write((trx) => updateEntry(trx, known.id, change))
    return toPaymentFinding({ ...known, ...change })
  }
  if (known) return toPaymentFinding(known)
  const failure = card === undefined ? 'no_card' : REFUSALS[card as CardName]
  const entry = {
    kind: 'charge',
    key: paymentId,
    card: card ?? '',
    ...money,
    status: failure ? 'failed' : card === 'hangs' ? 'hung' : 'succeeded',
    failure: failure ?? null,
    dispute: card === 'disputed' ? 'opened' : null,
  } as const
  const made = await database.write((trx) => insertEntry(trx, entry, realTime()))
  if (card === 'hangs' || card === 'times_out') return await noAnswer()
  return toPaymentFinding(made)
}

/** How long a call waits for an answer that never comes. */
const NO_ANSWER_MS = 1_000

async function noAnswer(): Promise<never> {
  await sleep(NO_ANSWER_MS)
  throw new ProviderError('the test card gives no answer')
}

async function refund(
  { database, realTime }: TestCardOptions,
  { refundId, paymentRef, money }: RefundOrder,
): Promise<RefundFinding> {
  return await database.write(async (trx: Trx) => {
    const known = await findEntry(trx, { key: refundId })
    if (known) return toRefundFinding(known)
    const charged = await findEntry(trx, { id: paymentRef })
    const failure = await refundRefusal(trx, charged, money)
    const entry = {
      kind: 'refund',
      key: refundId,
      charge_id: paymentRef,
      ...money,
      card: charged?.card ?? '',
      status: failure === undefined ? 'succeeded' : 'failed',
      failure: failure ?? null,
    } as const
    return toRefundFinding(await insertEntry(trx, entry, realTime()))
  })
}
