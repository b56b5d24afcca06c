import type { Break } from './break.ts'

/** Breaks rules about events, webhooks, notices, refused checks and handled requests. */
export const EVENT_BREAKS: readonly Break[] = [
  ...[
    `delete from events where sequence = (select max(f.sequence) from events f where f.uid = events.uid)`,
    `update event_sequences set sequence = 0`,
    `update events set sequence = null`,
  ].map((statement) => ({
    rule: 'the last event about a reader that is kept has the number of the reader',
    break: statement,
  })),
  {
    rule: 'the positions of events that are kept have no gap',
    break: `insert into event_counters (aid, position, swept) select aid, 100000, 0 from applications`,
  },
  {
    rule: 'the events about a reader have positions in the order of their sequence',
    break: `update events set position = -1 where id = (select max(id) from events where uid is not null)`,
  },
  ...[
    `update refused_checks set times = 0`,
    `update refused_checks set first_at = last_at + 1`,
    `update refused_checks set since = null where code = 'expired'`,
    `update refused_checks set since = last_at + 1 where code = 'expired'`,
    `update refused_checks set code = 'other'`,
  ].map((statement) => ({
    rule: 'a refused check has a reason and a time, and each reader has few',
    break: statement,
  })),
  ...[
    `update handled_requests set status = null`,
    `update handled_requests set content = ''`,
    `update handled_requests set body = null`,
    `update handled_requests set body = null, content = '', uid = null`,
    `update handled_requests set kind = 'signature'`,
    `update handled_requests set kind = 'other'`,
  ].map((statement) => ({
    rule: 'a request with a key has its answer, and one that is known by its signature has none',
    break: statement,
  })),
  {
    rule: 'a stored answer is about a user of its application',
    break: `update handled_requests set uid = 'nobody'`,
  },
  ...[`update notices set kind = 'gossip'`, `update notices set subject_id = 'nobody'`].map(
    (broken) => ({
      rule: 'a notice to staff is about a payment, a subscription or a webhook of its application',
      break: broken,
    }),
  ),
  ...Object.entries({
    'a webhook endpoint is in a known state, and says when and why it is off': [
      `update webhook_endpoints set off_at = null`,
      `update webhook_endpoints set state = 'off'`,
      `update webhook_endpoints set failures = 1`,
    ],
    'a webhook endpoint is not ahead of the events': [
      `update webhook_endpoints set position = 1000000`,
    ],
    'a webhook endpoint has one secret that does not end, and two at most': [
      `update webhook_secrets set dies = 1`,
    ],
    'a webhook delivery waits, is being sent under a lease, or has ended': [
      `update webhook_deliveries set state = 'sending'`,
      `update webhook_deliveries set delivered = null`,
      `update webhook_deliveries set attempts = 2`,
    ],
    'nothing waits for a webhook endpoint that is off': [
      `update webhook_deliveries set state = 'pending'`,
    ],
    'a webhook delivery is of an event that its endpoint has come to': [
      `update webhook_deliveries set replay = null, position = 1000000`,
    ],
    'a delivered webhook has an attempt that succeeded': [
      `update webhook_attempts set status = 500`,
    ],
    'the attempts of a webhook are counted': [`update webhook_attempts set number = 2`],
  }).flatMap(([rule, broken]) => broken.map((statement) => ({ rule, break: statement }))),
  ...[
    // The last event about a reader is missing, or the access that it tells of was changed without one.
    `delete from events where type = 'user.access_changed' and exists (select 1 from events f
      where f.uid = events.uid and f.type = 'user.access_changed' and f.sequence < events.sequence)`,
    `update access set ends = ends + 1 where user_ref = 'ann'`,
  ].map((broken) => ({
    rule: 'the last event about what a reader has access to tells what they have now',
    break: broken,
  })),
]
