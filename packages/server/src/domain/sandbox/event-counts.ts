import type { Db } from '../../db/database.ts'

/** How many events of each kind happened. */
export interface EventCounts {
  renewed: number
  renewals_failed: number
  subscriptions_ended: number
  trial_notices: number
  /** Mails that were queued. */
  mails: number
}

const ACTIONS = {
  renewed: 'renewed',
  'renewal failed': 'renewals_failed',
  'subscription ended': 'subscriptions_ended',
  'trial notice': 'trial_notices',
} as const satisfies Record<string, keyof EventCounts>

/** Returns the current position in the history, for `countEventsSince`. */
export async function findHistoryPosition(db: Db): Promise<number> {
  const row = await db
    .selectFrom('history')
    .select('seq')
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.seq ?? 0
}

export async function countEventsSince(db: Db, mark: number): Promise<EventCounts> {
  const happened: EventCounts = {
    renewed: 0,
    renewals_failed: 0,
    subscriptions_ended: 0,
    trial_notices: 0,
    mails: 0,
  }
  const rows = await db
    .selectFrom('history')
    .select((eb) => [
      'action',
      eb.fn.countAll<number>().as('count'),
      eb.fn.count<number>('mail_key').as('mails'),
    ])
    .where('seq', '>', mark)
    .groupBy('action')
    .execute()
  for (const { action, count, mails } of rows) {
    const name = ACTIONS[action as keyof typeof ACTIONS]
    if (name !== undefined) happened[name] += Number(count)
    happened.mails += Number(mails)
  }
  return happened
}
