import { expect, it, vi } from 'vitest'
import { updateRows } from '../../../db/queries/rows.ts'
import { useDomainShop } from '../../../testing/payments/use-domain-shop.ts'
import { clocksOf } from '../context.ts'
import type { RefundRow } from '../payments.ts'
import { attemptRefunds } from './attempt-refunds.ts'
import { requestRefund } from './orders.ts'
import { applyRefundFinding, findRefund } from './refunds.ts'

const { shop, env, db } = useDomainShop()

async function orderRefund(userRef: string): Promise<RefundRow> {
  const { payment_id } = await shop.buy({ rid: 'pass', userRef })
  const input = { aid: shop.aid, paymentId: payment_id, actor: 'test' }
  return await db().write((trx) => requestRefund(trx, input, clocksOf(env())))
}

it('sends what is pending, and answers with what all of them have become, in their order', async () => {
  const [first, second] = [await orderRefund('ann'), await orderRefund('bob')]
  const [settled] = await attemptRefunds(env(), [second])
  expect(settled).toMatchObject({ id: second.id, status: 'succeeded' })
  expect(await attemptRefunds(env(), [first, second])).toMatchObject([
    { id: first.id, status: 'succeeded' },
    { id: second.id, status: 'succeeded' },
  ])
})

it('waits while another process sends it', async () => {
  const refund = await orderRefund('ann')
  const { aid, id, amount, currency } = refund
  const lease = { lease_until: env().realTime() + 60_000 }
  await db().write((trx) => updateRows(trx, 'refunds', { aid, id }, lease))
  const onAnswer = vi.fn()
  const answer = attemptRefunds(env(), [refund])
  void answer.then(onAnswer)
  // More turns than the answer would take if it did not wait.
  for (let turn = 0; turn < 50; turn++) await findRefund(db().read, aid, id)
  expect(onAnswer).not.toHaveBeenCalled()
  const finding = { status: 'succeeded', ref: 're_1', money: { amount, currency } } as const
  await db().write((trx) => applyRefundFinding(trx, env(), { aid, id }, finding))
  expect(await answer).toMatchObject([{ id, status: 'succeeded' }])
})

it('leaves no timer behind, which would keep a command from ending for seconds', async () => {
  const countTimers = () =>
    process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length
  const before = countTimers()
  // Without refunds nothing is read, so no other timer can begin or end meanwhile.
  await attemptRefunds(env(), [])
  expect(countTimers()).toBe(before)
})
