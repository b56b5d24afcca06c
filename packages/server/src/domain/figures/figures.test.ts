import { describe, expect, it } from 'vitest'
import type { EnvironmentDatabase } from '../../db/database.ts'
import { updateRows } from '../../db/queries/rows.ts'
import type { PaymentTable, RefundTable, Seconds, SubscriptionTable } from '../../db/tables.ts'
import { databases } from '../../testing/databases.ts'
import { countNaively, type FiguresRows, summary } from '../../testing/figures/naive-count.ts'
import { seededRandom } from '../../testing/random.ts'
import { useApplication, useService } from '../../testing/use-service.ts'
import { changeSettings } from '../apps/applications.ts'
import { searchPayments, UNDISPUTED } from '../payments/payments.ts'
import { MOVEMENTS, type Movement } from '../subscriptions/movements.ts'
import { searchSubscriptions } from '../subscriptions/search.ts'
import { type Figures, readFigures } from './figures.ts'
import { PRESETS, spanOfDays } from './ranges.ts'
import { foldRevenue } from './sums.ts'

const DAY = 86_400
const RIDS = ['news', 'maps', 'music']
const CURRENCIES = ['EUR', 'USD', 'JPY']
/** The clocks of Cairo are set forward at midnight, those of Kathmandu and Chatham differ by a quarter of an hour. */
const ZONES = [
  'Europe/Berlin',
  'Africa/Cairo',
  'Asia/Kathmandu',
  'UTC',
  'America/New_York',
  'Pacific/Chatham',
  'Australia/Lord_Howe',
]
const PERIODS = ['1 month', '1 year', '2 weeks', '30 days', '3 months']
const FIRST_WINDOW = { offset: 0, limit: 10 }

const seed = Math.floor(Math.random() * 2 ** 31)

describe.each(databases)(`figures on $name, seed ${seed}`, (database) => {
  // The rows are written directly, in a state that no real history leaves: payments without their access.
  const service = useService(database, { checksInvariants: false })
  const app = useApplication(service, { resources: RIDS })
  const random = seededRandom(seed)
  const below = (most: number) => Math.floor(random() * most)
  const pick = <T>(items: readonly T[]) => items[below(items.length)] as T
  const env = () => service.ctx.environments.production
  const db = (): EnvironmentDatabase => env().database

  it('are those of a naive count over random rows, and lead to as many records', async () => {
    const now = env().clock()
    const rows = await fill(now)
    for (const zone of new Set([...ZONES.slice(0, 3), pick(ZONES)])) {
      await db().write((trx) => changeSettings(trx, app.aid, { time_zone: zone }, now, 'test'))
      if (random() < 0.3) await foldRevenue(db())
      const asked = [{ range: pick(PRESETS), currency: pick(CURRENCIES) }, betweenPayments(rows)]
      for (const { range, currency } of asked) {
        const input = { aid: app.aid, range, currency }
        const figures = await db().snapshot((read) => readFigures(read, input, now))
        const naive = countNaively(rows, figures, now)
        expect({ zone, range, ...summary(figures) }).toEqual({ zone, range, ...naive })
        await compareLists(figures, now)
      }
    }
  })

  /** Days that begin and end with a payment, because mistakes show at the edges. */
  function betweenPayments({ payments }: FiguresRows) {
    const taken = payments.filter(({ status }) => status === 'succeeded' || status === 'disputed')
    const { currency } = pick(taken)
    const times = taken
      .filter((row) => row.currency === currency)
      .map(({ settled }) => settled ?? 0)
    const [first = 0, last = 0] = [pick(times), pick(times)].sort((a, b) => a - b)
    const day = (at: Seconds) => new Date(at * 1000).toISOString().slice(0, 10)
    return { range: { first: day(first), last: day(last) }, currency }
  }

  async function fill(now: Seconds): Promise<FiguresRows> {
    const { aid } = app
    const uids: string[] = []
    for (let i = 0; i < 6; i++) {
      const { uid } = await app.client.grantAccess({ rid: 'news', email: `r${i}@example.com` })
      uids.push(uid)
    }
    const access = await db().read.selectFrom('access').selectAll().where('aid', '=', aid).execute()
    const past = () => now - below(900 * DAY)
    const subscriptions = Array.from({ length: 100 }, (_, i) => {
      const created = past()
      const trial = pick([null, null, 7 * DAY, 30 * DAY])
      const ended = random() < 0.6 ? Math.min(now, created + below(400 * DAY)) : null
      const trialEnds = trial === null ? null : created + trial
      const isTrialOver = trialEnds !== null && trialEnds <= (ended ?? now)
      return {
        ...{ id: `sub-${String(i).padStart(4, '0')}`, aid, rid: pick(RIDS), uid: pick(uids) },
        access_id: access[0]?.id as string,
        ...{ amount: 100 + below(900), currency: pick(CURRENCIES), period: pick(PERIODS) },
        // The figures go by `ended`, the time, and not by the status.
        status: 'ended' as const,
        ...{ created, trial_ends: trialEnds, anchor: created },
        periods: trialEnds === null ? 1 : isTrialOver ? below(2) : 0,
        ...{ current_period_start: created, current_period_end: created + 1 },
        ...{ canceled: null, ended, next_due: null, next_step: null },
        ...{ tries: 0, provider: 'test', method: null },
      }
    })
    const statuses = ['succeeded', 'failed', 'pending', 'lost', 'disputed'] as const
    const payments = Array.from({ length: 150 }, (_, i) => {
      const created = past()
      const status = pick(statuses)
      const amount = 2 + below(1000)
      const isLost = status === 'lost' || (status === 'disputed' && random() < 0.5)
      return {
        ...{ id: `pay-${i}`, aid, rid: pick(RIDS), uid: pick(uids), access_id: null },
        ...{ subscription_id: null, checkout_id: null, period_start: null, period_end: null },
        ...{ amount, refunded: 0, currency: pick(CURRENCIES), provider: 'test' },
        ...{ provider_ref: null, method: null, status, flag: null, failure: null, created },
        settled: status === 'pending' ? null : Math.min(now, created + below(2 * DAY)),
        ...{ attempts: 0, due: null, lease_until: null },
        ...{ refusals: 0, last_error: null, deadline: null },
        ...UNDISPUTED,
        // Some are lost in part, some while another dispute is open.
        ...(isLost
          ? {
              lost: Math.min(now, created + below(90 * DAY)),
              lost_amount: status === 'lost' ? amount : 1 + below(amount),
            }
          : {}),
      }
    })
    await db().write(async (trx) => {
      await trx.insertInto('payments').values(payments).execute()
      await trx.insertInto('subscriptions').values(subscriptions).execute()
    })
    // Later changes stay pending until one of the time zones is looked at.
    await foldRevenue(db())
    await db().write(async (trx) => {
      for (const { id, aid, amount, currency, status, created } of payments) {
        if (status === 'pending' && random() < 0.5) {
          const settled = Math.min(now, created + below(DAY))
          const change = { status: pick(['succeeded', 'failed'] as const), settled }
          await updateRows(trx, 'payments', { aid, id: id }, change)
        }
        if (status === 'pending' || status === 'failed' || random() < 0.6) continue
        const part = 1 + below(amount)
        const refund = {
          ...{ id: `ref-${id}`, aid, payment_id: id, amount: part, currency, reason: null },
          status: pick(['pending', 'succeeded', 'failed'] as const),
          ...{
            reference: null,
            actor: 'test',
            created,
            settled: Math.min(now, created + below(99 * DAY)),
          },
          ...{ provider_ref: null, attempts: 0, due: null, lease_until: null, last_error: null },
          refusals: 0,
        }
        await trx.insertInto('refunds').values(refund).execute()
        const after = pick(['succeeded', 'failed'] as const)
        await updateRows(trx, 'refunds', { aid, id: refund.id }, { status: after })
        const refunded = after === 'succeeded' ? part : 0
        await updateRows(trx, 'payments', { aid, id: id }, { refunded })
      }
    })
    const all = async <T>(table: 'payments' | 'refunds' | 'subscriptions') =>
      (await db().read.selectFrom(table).selectAll().where('aid', '=', aid).execute()) as T[]
    return {
      payments: await all<PaymentTable>('payments'),
      refunds: await all<RefundTable>('refunds'),
      subscriptions: await all<SubscriptionTable>('subscriptions'),
    }
  }

  /** Requires that the lists behind the figures have the same counts, by the days of the range. */
  async function compareLists(
    { zone, comparison, currency, revenue, subscribers }: Figures,
    now: Seconds,
  ) {
    const { first, last } = comparison.range
    const span = spanOfDays(zone, { first, last }, now)
    const { aid } = app
    const listed = await searchPayments(db().read, { aid, currency, taken: span }, FIRST_WINDOW)
    expect(listed.total).toBe(revenue.sales)
    const counts: Partial<Record<Movement, number>> = {
      paid: subscribers.end.count,
      new: subscribers.new.count,
      back: subscribers.back.count,
      left: subscribers.left.count,
      in_trial: subscribers.inTrial,
      trial_started: subscribers.trialsStarted,
      trial_converted: subscribers.trialsConverted,
      trial_lost: subscribers.trialsLost,
    }
    for (const movement of MOVEMENTS) {
      const moved = { movement, ...span }
      const { total } = await searchSubscriptions(db().read, { aid, moved }, FIRST_WINDOW)
      expect({ movement, total }).toEqual({ movement, total: counts[movement] })
    }
  }
})
