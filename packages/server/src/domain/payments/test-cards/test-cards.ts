import { setTimeout as sleep } from 'node:timers/promises'
import type { Db, EnvironmentDatabase, Trx } from '../../../db/database.ts'
import { updateRows } from '../../../db/rows.ts'
import type { Millis, TestLedgerTable } from '../../../db/tables.ts'
import { newId } from '../../../ids.ts'
import {
  type CheckoutFinding,
  type CheckoutOrder,
  type Money,
  type PaymentFinding,
  type PaymentProvider,
  ProviderError,
  type RefundFinding,
} from '../provider.ts'

/** A card, and what it does at the checkout and in later charges. */
interface TestCard {
  number: string
  name: string
  does: string
}

export const TEST_CARDS = [
  { number: '4242424242424242', name: 'good', does: 'is always charged' },
  { number: '4000000000000002', name: 'declined', does: 'is declined' },
  {
    number: '4000000000000341',
    name: 'declined_later',
    does: 'is charged at the checkout and declined at every renewal',
  },
  {
    number: '4000002760003184',
    name: 'needs_payer',
    does: 'is charged at the checkout; at a renewal its holder has to confirm',
  },
  {
    number: '4000000000000259',
    name: 'disputed',
    does: 'is charged, and its holder disputes that',
  },
  {
    number: '4000000000000119',
    name: 'hangs',
    does: 'is charged at the second try: to the first there is no answer, and nothing happens',
  },
  {
    number: '4000000000000127',
    name: 'times_out',
    does: 'is charged, but the answer is lost on the way',
  },
] as const satisfies readonly TestCard[]

type CardName = (typeof TEST_CARDS)[number]['name']

/** What the test cards use: they keep a provider's records in our own database. */
export interface TestCardOptions {
  database: EnvironmentDatabase
  realTime(): Millis
  address(): string
}

type SessionStatus = 'open' | 'paid' | 'expired'

/** A checkout as its page displays it. */
export interface TestSession {
  title: string
  /** Undefined if only a card is saved. */
  charge: Money | undefined
  doneUrl: string
  backUrl: string
  status: SessionStatus
}

export interface TestCards extends PaymentProvider {
  session(id: string): Promise<TestSession | undefined>
  /** Called when the payer submits the page. */
  pay(id: string, number: string): Promise<'paid' | 'declined' | 'no_answer' | 'expired'>
  /** Simulates the bank. */
  dispute(chargeRef: string, outcome: 'opened' | 'won' | 'lost'): Promise<void>
}

/** How long a call waits for an answer that never comes. */
const NO_ANSWER_MS = 1_000

type Entry = TestLedgerTable

async function find(db: Db, by: { id: string } | { key: string }): Promise<Entry | undefined> {
  const all = db.selectFrom('test_ledger').selectAll()
  const query = 'id' in by ? all.where('id', '=', by.id) : all.where('key', '=', by.key)
  return await query.executeTakeFirst()
}

/** The lock makes paying and closing a page take turns. */
async function lockSession(trx: Trx, id: string): Promise<Entry | undefined> {
  return await trx
    .selectFrom('test_ledger')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

async function enter(
  trx: Trx,
  entry: Partial<Entry> & Pick<Entry, 'kind' | 'card'>,
  realTime: Millis,
) {
  const row: Entry = {
    id: `test_${newId()}`,
    key: null,
    charge_id: null,
    amount: 0,
    currency: '',
    status: 'succeeded',
    failure: null,
    dispute: null,
    tries: 1,
    created: realTime,
    ...entry,
  }
  await trx.insertInto('test_ledger').values(row).execute()
  return row
}

async function change(trx: Trx, id: string, values: Partial<Entry>): Promise<void> {
  await updateRows(trx, 'test_ledger', { id }, values)
}

async function noAnswer(): Promise<never> {
  await sleep(NO_ANSWER_MS)
  throw new ProviderError('the test card gives no answer')
}

const paymentIn = (charge: Entry): PaymentFinding => ({
  status: charge.status === 'succeeded' ? 'succeeded' : 'failed',
  ref: charge.id,
  money: { amount: charge.amount, currency: charge.currency },
  ...(charge.failure === null ? {} : { failure: charge.failure as 'declined' }),
  ...(charge.dispute === null ? {} : { dispute: charge.dispute }),
})

const refundIn = (refund: Entry): RefundFinding => ({
  status: refund.status === 'succeeded' ? 'succeeded' : 'failed',
  ref: refund.id,
  money: { amount: refund.amount, currency: refund.currency },
  ...(refund.failure === null ? {} : { failure: refund.failure }),
})

/** Why charging a saved card fails without its holder present. */
const REFUSALS: Partial<Record<CardName, 'declined' | 'needs_payer'>> = {
  declined: 'declined',
  declined_later: 'declined',
  needs_payer: 'needs_payer',
}

/** The sandbox's provider: cards behave as their numbers say, and no money moves. */
export function createTestCards({ database, realTime, address }: TestCardOptions): TestCards {
  const pageOf = (id: string) => `${address()}/test-cards/${id}`
  const write = <R>(fn: (trx: Trx) => Promise<R>) => database.write(fn)

  async function findCheckout(ref: string): Promise<CheckoutFinding> {
    const session = await find(database.read, { id: ref })
    const status = session ? statusOf(session, realTime()) : 'open'
    if (session && status === 'paid') return await paidSession(database.read, session)
    return status === 'expired' ? { status } : { status: 'open', url: pageOf(ref) }
  }

  return {
    name: 'test',

    async startCheckout(order) {
      const id = await write(async (trx) => {
        const key = `session:${order.checkoutId}`
        const known = await find(trx, { key })
        if (known) return known.id
        // The `card` column of a session holds the order, without personal data.
        const labels = { ...order.labels, userRef: undefined }
        const card = JSON.stringify({ ...order, labels, email: undefined })
        const entry = { kind: 'session', key, card, status: 'open' } as const
        return (await enter(trx, entry, realTime())).id
      })
      return { ref: id, url: pageOf(id) }
    },

    async expireCheckout(ref) {
      await write(async (trx) => {
        const session = await lockSession(trx, ref)
        if (session?.status === 'open') await change(trx, ref, { status: 'expired' })
      })
      return await findCheckout(ref)
    },

    async charge({ paymentId, money, method }) {
      const card = (await find(database.read, { id: method }))?.card
      const known = await find(database.read, { key: paymentId })
      if (known?.status === 'hung') {
        await write((trx) => change(trx, known.id, { status: 'succeeded', tries: known.tries + 1 }))
        return paymentIn({ ...known, status: 'succeeded' })
      }
      if (known) return paymentIn(known)
      const failure = card === undefined ? 'no_card' : REFUSALS[card as CardName]
      const charge = await write((trx) =>
        enter(
          trx,
          {
            kind: 'charge',
            key: paymentId,
            card: card ?? '',
            ...money,
            status: failure ? 'failed' : card === 'hangs' ? 'hung' : 'succeeded',
            failure: failure ?? null,
            dispute: card === 'disputed' ? 'opened' : null,
          },
          realTime(),
        ),
      )
      if (card === 'hangs' || card === 'times_out') return await noAnswer()
      return paymentIn(charge)
    },

    async refund({ refundId, paymentRef, money }) {
      return await write(async (trx) => {
        const known = await find(trx, { key: refundId })
        if (known) return refundIn(known)
        const charge = await find(trx, { id: paymentRef })
        const failure = await refusalOf(trx, charge, money)
        const entry = { kind: 'refund', key: refundId, charge_id: paymentRef, ...money } as const
        const status = failure === undefined ? 'succeeded' : 'failed'
        const card = charge?.card ?? ''
        return refundIn(
          await enter(trx, { ...entry, card, status, failure: failure ?? null }, realTime()),
        )
      })
    },

    find: {
      checkout: findCheckout,
      async payment({ paymentId, ref = '' }) {
        const by = paymentId === undefined ? { id: ref } : { key: paymentId }
        const charge = await find(database.read, by)
        return charge && charge.status !== 'hung' ? paymentIn(charge) : undefined
      },
      // The test ledger is in our own database: a restore that loses payments loses the charges too.
      charges: async () => [],
      async refund({ refundId }) {
        const refund = await find(database.read, { key: refundId })
        return refund && refundIn(refund)
      },
    },

    // Test cards send no events: the payer returns to a page that asks for the state.
    readEvent: async () => undefined,

    async check() {},

    async session(id) {
      const session = await find(database.read, { id })
      if (session?.kind !== 'session' || session.status === 'expired') return undefined
      const { title, charge, doneUrl, backUrl } = orderIn(session)
      return { title, charge, doneUrl, backUrl, status: statusOf(session, realTime()) }
    },

    async pay(id, number) {
      const digits = number.replace(/[\s-]/g, '')
      const card = TEST_CARDS.find((one) => one.number === digits)
      if (!card || card.name === 'declined') return 'declined'
      return await write((trx) => paySession(trx, id, card.name, realTime()))
    },

    async dispute(chargeRef, outcome) {
      await write((trx) => change(trx, chargeRef, { dispute: outcome }))
    },
  }
}

const orderIn = (session: Entry): CheckoutOrder => JSON.parse(session.card)

/** A page expires by itself, as a real provider's does. */
function statusOf(session: Entry, realTime: Millis): SessionStatus {
  if (session.status !== 'open') return session.status === 'paid' ? 'paid' : 'expired'
  return orderIn(session).expires <= realTime ? 'expired' : 'open'
}

/** Charges only once, however often the button is pressed. */
async function paySession(
  trx: Trx,
  id: string,
  card: CardName,
  realTime: Millis,
): Promise<'paid' | 'no_answer' | 'expired'> {
  const session = await lockSession(trx, id)
  const status = session ? statusOf(session, realTime) : 'expired'
  if (!session || status !== 'open') return status === 'paid' ? 'paid' : 'expired'
  const order = orderIn(session)
  if (card === 'hangs' && session.tries === 1) {
    await change(trx, id, { tries: 2 })
    return 'no_answer'
  }
  const method = order.keepCard ? await enter(trx, { kind: 'method', card }, realTime) : undefined
  if (order.charge) {
    const dispute = card === 'disputed' ? 'opened' : null
    const key = order.paymentId
    await enter(trx, { kind: 'charge', key, card, ...order.charge, dispute }, realTime)
  }
  await change(trx, id, { status: 'paid', charge_id: method?.id ?? null })
  return card === 'times_out' ? 'no_answer' : 'paid'
}

async function paidSession(db: Db, session: Entry): Promise<CheckoutFinding> {
  const charge = await find(db, { key: orderIn(session).paymentId })
  const method = session.charge_id === null ? undefined : await find(db, { id: session.charge_id })
  return {
    status: 'paid',
    ...(charge ? { payment: paymentIn(charge) } : {}),
    // Each card number counts as one card.
    ...(method ? { method: method.id, fingerprint: method.card } : {}),
  }
}

async function refusalOf(
  trx: Trx,
  charge: Entry | undefined,
  money: Money,
): Promise<string | undefined> {
  if (!charge) return 'refused'
  if (charge.dispute === 'opened' || charge.dispute === 'lost') return 'disputed'
  const earlier = await trx
    .selectFrom('test_ledger')
    .select('amount')
    .where((eb) => eb.and({ charge_id: charge.id, kind: 'refund', status: 'succeeded' }))
    .execute()
  const left = charge.amount - earlier.reduce((sum, { amount }) => sum + amount, 0)
  return money.amount > left ? 'already_refunded' : undefined
}
