import { countLive } from '../../../domain/access/counts/totals.ts'
import { countEnding } from '../../../domain/access/list-for-staff.ts'
import { listRecentActivity } from '../../../domain/figures/activity.ts'
import { countAttention } from '../../../domain/figures/attention.ts'
import { readFigures } from '../../../domain/figures/figures.ts'
import { countFailedMails } from '../../../domain/mail/failed.ts'
import { readApiUsage } from '../../../domain/payments/api-usage.ts'
import { listProviderProblems } from '../../../domain/payments/provider-problems.ts'
import { listOpenFindingsFor } from '../../../domain/payments/reconcile/findings.ts'
import { invalid } from '../../../errors.ts'
import { appRoute, type Route, STAFF } from '../route.ts'
import { type Figures, FiguresQuery, type ListLink, type Overview } from './schemas.ts'
import { toActivityItems, toAttention, toFigures } from './view.ts'

const MAX_FINDINGS = 20

const overview = appRoute('GET /overview', {
  allowed: STAFF,
  async handle({ env, aid }): Promise<Overview> {
    const now = env.clock()
    return await env.database.snapshot(async (db) => {
      const soon = await countEnding(db, aid, now)
      const { pastDue, disputed, mismatched } = await countAttention(db, aid)
      const counted = (count: number, page: ListLink['page'], query: Record<string, string>) => ({
        count,
        list: { page, query },
      })
      return {
        live: counted(await countLive(db, { aid }, now), 'access', {}),
        ending: counted(soon.ending, 'access', { state: 'ending' }),
        renewing: counted(soon.renewing, 'access', { state: 'renewing' }),
        failed_mails: counted(await countFailedMails(db, aid), 'mail', { status: 'dead' }),
        past_due: counted(pastDue, 'subscriptions', { status: 'past_due' }),
        disputed: counted(disputed, 'payments', { status: 'disputed' }),
        mismatched: counted(mismatched, 'payments', { flag: 'mismatch' }),
        payment_problems: (await listProviderProblems(db, env, [aid])).map(({ text }) => text),
        reads: (await readApiUsage(env, db)) ?? null,
        attention: (await listOpenFindingsFor(db, aid)).slice(0, MAX_FINDINGS).map(toAttention),
        activity: await toActivityItems(db, aid, await listRecentActivity(db, aid)),
      }
    })
  },
})

const figures = appRoute('GET /figures', {
  management: 'GET /figures',
  allowed: STAFF,
  query: FiguresQuery,
  async handle({ env, aid, query }): Promise<Figures> {
    const range = readRange(query)
    return await env.database.snapshot(async (db) =>
      toFigures(await readFigures(db, { aid, range, currency: query.currency }, env.clock())),
    )
  },
})

function readRange({ range, first, last }: { range?: string; first?: string; last?: string }) {
  if (first === undefined && last === undefined) return (range ?? '30d') as '30d'
  if (first === undefined) throw invalid('first', 'required together with the last day')
  if (last === undefined) throw invalid('last', 'required together with the first day')
  return { first, last }
}

export const overviewRoutes: readonly Route[] = [overview, figures]
