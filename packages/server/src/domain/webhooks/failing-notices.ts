import { sql } from 'kysely'
import type { EnvironmentDatabase } from '../../db/database.ts'
import { findAndLockRow, listRows, type RowKey, updateRows } from '../../db/queries/rows.ts'
import type { Millis, Seconds, WebhookNoticeEvent } from '../../db/tables.ts'
import { listDueApplications } from '../apps/turns.ts'
import { recordWebhookNotice } from './notices.ts'
import { DAY } from './schedule.ts'

/** The times after which staff are notified that an endpoint is failing. Another email follows when it is switched
 * off. */
const STEPS: readonly { after: Millis; event: WebhookNoticeEvent }[] = [
  { after: DAY / 24, event: 'webhook_hour' },
  { after: DAY, event: 'webhook_day' },
]

const FAILING = { table: 'webhook_endpoints', isDue: sql<boolean>`state = 'failing'` } as const

/** Tells staff of endpoints that have been failing for an hour or a day, once each. Returns how many. */
export async function noticeFailing(
  database: EnvironmentDatabase,
  clocks: { now: Seconds; realTime: Millis },
): Promise<number> {
  const { realTime } = clocks
  const due: RowKey[] = []
  for (const aid of await listDueApplications(database.read, FAILING)) {
    const failing = await listRows(database.read, 'webhook_endpoints', { aid, state: 'failing' })
    due.push(...failing.filter((row) => stepOf(row, realTime) > row.notified))
  }
  for (const key of due) {
    await database.write(async (trx) => {
      const { aid, id } = key
      const endpoint = await findAndLockRow(trx, 'webhook_endpoints', { aid, id })
      const step = endpoint && stepOf(endpoint, realTime)
      if (!endpoint || !step || endpoint.state !== 'failing' || step <= endpoint.notified) return
      await updateRows(trx, 'webhook_endpoints', { aid, id }, { notified: step })
      const { event } = STEPS[step - 1] as (typeof STEPS)[number]
      await recordWebhookNotice(trx, endpoint, event, clocks)
    })
  }
  return due.length
}

/** How many of the steps are over. */
const stepOf = ({ failing_since }: { failing_since: Millis | null }, realTime: Millis): number =>
  failing_since === null ? 0 : STEPS.filter(({ after }) => realTime - failing_since >= after).length
