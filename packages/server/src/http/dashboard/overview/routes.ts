import { Type } from 'typebox'
import type { FindingTable } from '../../../db/tables.ts'
import { countCreatedByDay, countRevokedByDay } from '../../../domain/access/counts/days.ts'
import { countLive } from '../../../domain/access/counts/totals.ts'
import { countEnding } from '../../../domain/access/list-for-staff.ts'
import { countFailedByDay } from '../../../domain/mail/failed-by-day.ts'
import { listOpenFindingsFor } from '../../../domain/payments/reconcile/findings.ts'
import {
  type SumsByDay,
  sumPaymentsByDay,
  sumRefundsByDay,
} from '../../../domain/payments/sums-by-day.ts'
import { appRoute, type Route, STAFF } from '../route.ts'
import type { Attention, CountByDay, ListLink, Overview, SumByDay } from './schemas.ts'

const overview = appRoute('GET /overview', {
  who: STAFF,
  query: Type.Object({
    days: Type.Optional(Type.Union([Type.Literal(7), Type.Literal(30), Type.Literal(90)])),
  }),
  async handle({ env, aid, query }): Promise<Overview> {
    const now = env.clock()
    const last = Math.floor(now / 86_400)
    const days = { first: last - (query.days ?? 30) + 1, last }
    const from = String(days.first * 86_400)
    return await env.database.snapshot(async (db) => {
      const mails = await countFailedByDay(db, aid, days)
      const granted = await countCreatedByDay(db, aid, days)
      const revoked = await countRevokedByDay(db, aid, days)
      const taken = await sumPaymentsByDay(db, aid, days)
      const paidBack = await sumRefundsByDay(db, aid, days)
      const soon = await countEnding(db, aid, now)
      return {
        days: granted.map((_, i) => (days.first + i) * 86_400),
        live: { count: await countLive(db, { aid }, now), list: access({}) },
        ending: { count: soon.ending, list: access({ state: 'ending' }) },
        renewing: { count: soon.renewing, list: access({ state: 'renewing' }) },
        failed_mails: {
          total: mails.total,
          by_day: mails.counts,
          list: { page: 'mail', query: { status: 'dead' } },
        },
        attention: (await listOpenFindingsFor(db, aid)).slice(0, MAX_FINDINGS).map(toAttention),
        grants: counted(granted, access({ state: 'any', from })),
        revokes: counted(revoked, access({ state: 'revoked', from })),
        revenue: taken.map((sums) => summed(sums, { from })),
        refunds: paidBack.map((sums) => summed(sums, { refunded_from: from })),
      }
    })
  },
})

const MAX_FINDINGS = 20

const toAttention = (row: FindingTable): Attention => ({
  id: row.id,
  kind: row.kind,
  provider_ref: row.provider_ref,
  payment: row.payment_id,
  money:
    row.amount === null || row.currency === null
      ? null
      : { amount: row.amount, currency: row.currency },
})

const access = (query: Record<string, string>): ListLink => ({ page: 'access', query })

const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0)

const counted = (counts: number[], list: ListLink): CountByDay => ({
  total: sum(counts),
  by_day: counts,
  list,
})

const summed = ({ currency, sums }: SumsByDay, query: Record<string, string>): SumByDay => ({
  currency,
  total: sum(sums),
  by_day: sums,
  list: { page: 'payments', query },
})

export const overviewRoutes: readonly Route[] = [overview]
