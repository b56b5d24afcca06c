import { expect, it } from 'vitest'
import { useDomainSubscriptions } from '../../../testing/payments/use-domain-subscriptions.ts'
import { DAY } from '../../../testing/time.ts'
import { beginAdoptedRenewal } from './orders.ts'

const { shop, env, db, historyOf, subscribe, change, at, begin } = useDomainSubscriptions()
const GRACE = 7 * DAY

it('is for the period after the last one, and is the same after a restore', async () => {
  const row = await subscribe()
  const { payment, subscription } = await begin(row)
  expect(payment).toMatchObject({
    ...{ period_start: row.current_period_end, period_end: null, status: 'pending' },
    ...{ amount: 499, refunded: 0, attempts: 0, due: env().realTime() },
  })
  expect(subscription).toMatchObject({ anchor: row.anchor, periods: 1, next_step: null })
  await db().write((trx) => trx.deleteFrom('payments').where('id', '=', payment.id).execute())
  expect((await begin(row)).payment.id).toBe(payment.id)
})

it.each([
  ['where the last one ended, up to a day after the days of grace', GRACE + DAY, 0],
  ['now, if it begins later than that', GRACE + DAY + 1, GRACE + DAY + 1],
])('is for a period that starts %s', async (_, late, moved) => {
  const row = await subscribe()
  const end = row.current_period_end
  const { payment, subscription } = await begin(row, end + late)
  expect(payment.period_start).toBe(end + moved)
  expect(subscription).toMatchObject(
    moved === 0
      ? { anchor: row.anchor, periods: 1, current_period_end: end }
      : { anchor: end + moved, periods: 0, current_period_end: end + moved },
  )
})

it.each([
  ['where the last one ended, if a second of it is left', { late: DAY - 1, tries: 0, moved: 0 }],
  ['now, if nothing of it is left', { late: DAY, tries: 0, moved: DAY }],
  ['where the last one ended, if it was tried before', { late: 3 * DAY, tries: 1, moved: 0 }],
])('is, of a period of a day, for one that starts %s', async (_, { late, tries, moved }) => {
  const bought = await subscribe({ terms: { recurring: 1, period: '1 day' } })
  const row = await change(bought, { tries })
  const end = row.current_period_end
  expect((await begin(row, end + late)).payment.period_start).toBe(end + moved)
})

it('keeps access open for a day at least', async () => {
  const row = await subscribe()
  const end = row.current_period_end
  await begin(row, end + GRACE)
  const [access] = (await shop.client.searchAccess()).data
  expect(access?.expires).toBe(end + GRACE + DAY)
  const [entry] = await historyOf('renewal begun')
  expect(JSON.parse(entry?.after ?? '')).toMatchObject({
    period_start: end,
    ends: end + GRACE + DAY,
  })
})

it('whose charge was made before a restore is for the period that was charged', async () => {
  const row = await subscribe()
  const adopt = (periodStart: number) =>
    db().write((trx) =>
      beginAdoptedRenewal(trx, row, { paymentId: `p${periodStart}`, periodStart }, at(periodStart)),
    )
  const end = row.current_period_end
  expect((await adopt(end)).subscription).toMatchObject({ anchor: row.anchor, periods: 1 })
  expect((await adopt(end + DAY)).subscription).toMatchObject({
    ...{ anchor: end + DAY, periods: 0, current_period_end: end + DAY },
  })
})
