import type { Db, Trx } from '../../../db/database.ts'
import type { Millis } from '../../../db/tables.ts'
import type { CheckoutFinding, CheckoutOrder, Money } from '../provider.ts'
import type { CardName } from './cards.ts'
import {
  findEntry,
  insertEntry,
  type LedgerEntry,
  lockSession,
  toPaymentFinding,
  updateEntry,
} from './ledger.ts'

export type SessionStatus = 'open' | 'paid' | 'expired'

/** A checkout as its page displays it. */
export interface TestSession {
  title: string
  /** Undefined if only a card is saved. */
  charge: Money | undefined
  doneUrl: string
  backUrl: string
  status: SessionStatus
}

export const orderIn = (session: LedgerEntry): CheckoutOrder => JSON.parse(session.card)

/** Returns the status of a session. An open one counts as expired once its time has passed, as at a real provider. */
export function sessionStatus(session: LedgerEntry, realTime: Millis): SessionStatus {
  if (session.status !== 'open') return session.status === 'paid' ? 'paid' : 'expired'
  return orderIn(session).expires <= realTime ? 'expired' : 'open'
}

/** Charges only once, however often the button is pressed. */
export async function paySession(
  trx: Trx,
  id: string,
  card: CardName,
  realTime: Millis,
): Promise<'paid' | 'no_answer' | 'expired'> {
  const session = await lockSession(trx, id)
  const status = session ? sessionStatus(session, realTime) : 'expired'
  if (!session || status !== 'open') return status === 'paid' ? 'paid' : 'expired'
  const order = orderIn(session)
  if (card === 'hangs' && session.tries === 1) {
    await updateEntry(trx, id, { tries: 2 })
    return 'no_answer'
  }
  const method = order.keepCard
    ? await insertEntry(trx, { kind: 'method', card }, realTime)
    : undefined
  if (order.charge) {
    const dispute = card === 'disputed' ? 'opened' : null
    const key = order.paymentId
    await insertEntry(trx, { kind: 'charge', key, card, ...order.charge, dispute }, realTime)
  }
  await updateEntry(trx, id, { status: 'paid', charge_id: method?.id ?? null })
  return card === 'times_out' ? 'no_answer' : 'paid'
}

export async function paidSessionFinding(db: Db, session: LedgerEntry): Promise<CheckoutFinding> {
  const charge = await findEntry(db, { key: orderIn(session).paymentId })
  const method =
    session.charge_id === null ? undefined : await findEntry(db, { id: session.charge_id })
  return {
    status: 'paid',
    ...(charge ? { payment: toPaymentFinding(charge) } : {}),
    // Each card number counts as one card.
    ...(method ? { method: method.id, fingerprint: method.card } : {}),
  }
}
