import { expect } from 'vitest'
import {
  type Decision,
  decide,
  type GrantedDecision,
  type RefusedDecision,
} from '../../domain/decision/decide.ts'
import { OPENS_NOTHING, type Opens, setOpens } from '../../domain/passes/opens.ts'
import { applyEvent } from '../../domain/payments/events.ts'
import { findPayment } from '../../domain/payments/payments.ts'
import type { TestDatabase } from '../databases.ts'
import { useService, useShop } from '../use-service.ts'
import { MONTHLY, type Purchase } from './shop.ts'

/** Runs a service with a shop, and asks for decisions about its readers. */
export function useDecisions(database: TestDatabase) {
  const service = useService(database)
  const shop = useShop(service, 'news', 'extra', 'third', 'gold', 'silver', 'film')

  const db = () => shop.environment.database
  const now = () => shop.environment.clock()
  const ask = async (userRef: string, ...rids: string[]) =>
    await decide(db().read, { aid: shop.aid, userRef, rids }, now())
  const askOne = async (userRef: string, rid = 'news') => {
    const [decision] = await ask(userRef, rid)
    const isOpen = await shop.client.hasAccess({ rid, user_ref: userRef })
    expect([userRef, decision?.granted]).toEqual([userRef, isOpen])
    return decision as Decision
  }
  const buy = (userRef: string, terms = {}, more: Partial<Purchase> = {}) =>
    shop.buy({ rid: 'news', userRef, terms, ...more })
  const subscribe = (userRef: string, terms = {}, more: Partial<Purchase> = {}) =>
    buy(userRef, { ...MONTHLY, ...terms }, more)
  const grant = (user_ref: string, expiration?: number, rid = 'news') =>
    shop.client.grantAccess({
      ...{ rid, email: `${user_ref}@example.com`, user_ref },
      ...(expiration === undefined ? {} : { expiration }),
    })
  const open = (rid: string, opens: Partial<Opens>) =>
    db().write((trx) =>
      setOpens(trx, { aid: shop.aid, rid }, { ...OPENS_NOTHING, ...opens }, now(), 'test'),
    )
  const paymentOf = async (user_ref: string) =>
    (await shop.client.searchPayments({ user_ref })).data[0]?.id as string
  const refund = async (userRef: string) =>
    await shop.client.refundPayment({ payment: await paymentOf(userRef) })
  const dispute = async (userRef: string, outcome: 'opened' | 'lost') => {
    const id = await paymentOf(userRef)
    const payment = await findPayment(db().read, shop.aid, id)
    await shop.cards.dispute(payment?.provider_ref as string, outcome)
    await applyEvent(shop.environment, { kind: 'payment', paymentId: id })
  }
  const brief = ({ code, ...rest }: Decision) => {
    const { until, since, nextChange } = rest as Partial<GrantedDecision & RefusedDecision>
    return { code, until, since, nextChange }
  }
  return {
    shop,
    db,
    now,
    ask,
    askOne,
    buy,
    subscribe,
    grant,
    open,
    paymentOf,
    refund,
    dispute,
    brief,
  }
}

export const none = { until: undefined, since: undefined, nextChange: undefined }
