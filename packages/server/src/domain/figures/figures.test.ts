import { describe, expect, it } from 'vitest'
import type { EnvironmentDatabase } from '../../db/database.ts'
import { updateRows } from '../../db/queries/rows.ts'
import type { PaymentTable, RefundTable, Seconds, SubscriptionTable } from '../../db/tables.ts'
import { databases } from '../../testing/databases.ts'
import { seededRandom } from '../../testing/random.ts'
import { useApplication, useService } from '../../testing/use-service.ts'
import { changeSettings } from '../apps/applications.ts'
import { searchPayments } from '../payments/payments.ts'
import { MOVEMENTS, type Movement } from '../subscriptions/movements.ts'
import { searchSubscriptions } from '../subscriptions/search.ts'
import { type Figures, readFigures } from './figures.ts'
import { monthlyAmount } from './monthly.ts'
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
  // Rows are written as no history leaves them: a payment without its access.
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
  function betweenPayments({ payments }: Rows) {
    const taken = payments.filter(({ status }) => status === 'succeeded' || status === 'disputed')
    const { currency } = pick(taken)
    const times = taken
      .filter((row) => row.currency === currency)
      .map(({ settled }) => settled ?? 0)
    const [first = 0, last = 0] = [pick(times), pick(times)].sort((a, b) => a - b)
    const day = (at: Seconds) => new Date(at * 1000).toISOString().slice(0, 10)
    return { range: { first: day(first), last: day(last) }, currency }
  }

  interface Rows {
    payments: PaymentTable[]
    refunds: RefundTable[]
    subscriptions: SubscriptionTable[]
  }

  async function fill(now: Seconds): Promise<Rows> {
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
        // Whether it has ended is told by its time alone.
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
      return {
        ...{ id: `pay-${i}`, aid, rid: pick(RIDS), uid: pick(uids), access_id: null },
        ...{ subscription_id: null, checkout_id: null, period_start: null, period_end: null },
        ...{ amount: 1 + below(1000), refunded: 0, currency: pick(CURRENCIES), provider: 'test' },
        ...{ provider_ref: null, method: null, status, flag: null, failure: null, created },
        settled: status === 'pending' ? null : Math.min(now, created + below(2 * DAY)),
        ...{ attempts: 0, due: null, lease_until: null },
        lost: status === 'lost' ? Math.min(now, created + below(90 * DAY)) : null,
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

  /** What the lists behind the figures count, by the days of the range. */
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

/** All numbers of the figures, without what they are about. */
function summary({ revenue, previous, netByBucket, resources, subscribers }: Figures) {
  const { currencies: _, ...counts } = subscribers
  return {
    revenue,
    previousNet: previous.net,
    netByBucket,
    resources: Object.fromEntries(resources.map(({ rid, net, sales }) => [rid, { net, sales }])),
    subscribers: counts,
  }
}

interface Naive {
  payments: PaymentTable[]
  refunds: RefundTable[]
  subscriptions: SubscriptionTable[]
}

/** Counts row by row, by the date that a calendar in the time zone shows. */
function countNaively(rows: Naive, figures: Figures, now: Seconds): ReturnType<typeof summary> {
  const { zone, comparison, currency } = figures
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short' })
  const days = new Map<Seconds, string>()
  const dayOf = (at: Seconds) => {
    const day = days.get(at) ?? format.format(at * 1000)
    days.set(at, day)
    return day
  }
  const isIn = (at: Seconds | null, { first, last }: { first: string; last: string }) =>
    at !== null && dayOf(at) >= first && dayOf(at) <= last
  const nothing = { taken: 0, sales: 0, refunded: 0, lost: 0 }
  const moves: (typeof nothing & { at: Seconds; rid: string })[] = []
  for (const { id, rid, amount, refunded, status, settled, lost, ...row } of rows.payments) {
    if (row.currency !== currency || status === 'pending' || status === 'failed') continue
    moves.push({ ...nothing, at: settled as Seconds, rid, taken: amount, sales: 1 })
    if (status === 'lost')
      moves.push({ ...nothing, at: lost as Seconds, rid, lost: amount - refunded })
    for (const refund of rows.refunds) {
      if (refund.payment_id !== id || refund.status !== 'succeeded') continue
      moves.push({ ...nothing, at: refund.settled as Seconds, rid, refunded: refund.amount })
    }
  }
  const sum = (days: { first: string; last: string }, rid?: string) => {
    const total = { ...nothing }
    for (const move of moves) {
      if (!isIn(move.at, days) || (rid !== undefined && move.rid !== rid)) continue
      for (const key of Object.keys(nothing) as (keyof typeof nothing)[]) total[key] += move[key]
    }
    return { ...total, net: total.taken - total.refunded - total.lost }
  }
  const { range } = comparison
  const resources = RIDS.map((rid) => [rid, sum(range, rid)] as const)
    .filter(([, { sales, refunded, lost }]) => sales + refunded + lost > 0)
    .map(([rid, { net, sales }]) => [rid, { net, sales }])

  const paidSince = (row: SubscriptionTable) =>
    row.trial_ends === null ? row.created : row.periods >= 1 ? row.trial_ends : null
  const today = dayOf(now)
  const last = [range.last, today].sort()[0] as string
  const isPaid = (row: SubscriptionTable, hasBegun: (day: string) => boolean) => {
    const since = paidSince(row)
    return (
      since !== null &&
      hasBegun(dayOf(since)) &&
      (row.ended === null || !hasBegun(dayOf(row.ended)))
    )
  }
  const joined = rows.subscriptions.filter((row) => isIn(paidSince(row), range))
  const cameBack = (row: SubscriptionTable) =>
    rows.subscriptions.some(
      (other) =>
        other.id !== row.id &&
        other.uid === row.uid &&
        other.rid === row.rid &&
        paidSince(other) !== null &&
        other.ended !== null &&
        other.created <= row.created &&
        (other.ended < row.created || (other.ended === row.created && other.id < row.id)),
    )
  const worth = (list: SubscriptionTable[]) => ({
    count: list.length,
    monthly: list
      .filter((row) => row.currency === currency)
      .reduce((all, { amount, period }) => all + monthlyAmount(amount, period), 0),
  })
  const of = (test: (row: SubscriptionTable) => boolean) => rows.subscriptions.filter(test)
  const trials = of(({ trial_ends }) => trial_ends !== null)
  return {
    revenue: sum(range),
    previousNet: sum(comparison.previous).net,
    netByBucket: comparison.buckets.map((bucket) => sum(bucket).net),
    resources: Object.fromEntries(resources),
    subscribers: {
      start: worth(of((row) => isPaid(row, (day) => day < range.first))),
      end: worth(of((row) => isPaid(row, (day) => day <= last))),
      new: worth(joined.filter((row) => !cameBack(row))),
      back: worth(joined.filter(cameBack)),
      left: worth(of((row) => paidSince(row) !== null && isIn(row.ended, range))),
      inTrial: trials.filter(
        (row) =>
          dayOf(row.created) <= last &&
          (row.trial_ends as number) > (last === today ? now : 0) &&
          (last === today || dayOf(row.trial_ends as number) > last) &&
          (row.ended === null || dayOf(row.ended) > last),
      ).length,
      trialsStarted: trials.filter((row) => isIn(row.created, range)).length,
      trialsConverted: trials.filter((row) => row.periods >= 1 && isIn(row.trial_ends, range))
        .length,
      trialsLost: trials.filter((row) => row.periods === 0 && isIn(row.ended, range)).length,
    },
  }
}
