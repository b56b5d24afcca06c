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

/** Returns the current position in the history of all applications, for `countEventsSince`. */
export async function findHistoryPosition(db: Db): Promise<number> {
  const ends = await db
    .selectFrom('applications as p')
    .select((eb) =>
      eb
        .selectFrom('history as h')
        .select(({ fn }) => fn.max('h.seq').as('seq'))
        .whereRef('h.aid', '=', 'p.aid')
        .as('seq'),
    )
    .execute()
  return Math.max(0, ...ends.map(({ seq }) => seq ?? 0))
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
    .selectFrom('applications as p')
    .innerJoin('history as h', 'h.aid', 'p.aid')
    .select((eb) => [
      'h.action',
      eb.fn.countAll<number>().as('count'),
      eb.fn.count<number>('h.mail_key').as('mails'),
    ])
    .where('h.seq', '>', mark)
    .groupBy('h.action')
    .execute()
  for (const { action, count, mails } of rows) {
    const name = ACTIONS[action as keyof typeof ACTIONS]
    if (name !== undefined) happened[name] += Number(count)
    happened.mails += Number(mails)
  }
  return happened
}
