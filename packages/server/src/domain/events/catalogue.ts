/** The types of events, each with its description. The order is that of the documentation. */
export const EVENT_TYPES = {
  'user.access_changed':
    "A reader's entitlements have changed. The event lists all of them, so that most sites need no other event.",
  'access.granted': 'A reader got access to a resource that they had no access record of.',
  'access.changed': 'An access record has changed: its end, its tags, its reference or its reader.',
  'access.revoked': 'Access was revoked.',
  'access.ended': 'Access has ended: its time is over, or what was paid for it was given back.',
  'subscription.started': 'A subscription or its trial has begun.',
  'subscription.trial_ending': 'A trial ends soon; the first charge follows.',
  'subscription.renewed': 'The next period of a subscription is paid.',
  'subscription.past_due':
    'A charge for the next period failed. Access stays open for the grace period.',
  'subscription.recovered': 'A subscription that was past due is paid again.',
  'subscription.canceled':
    'A subscription will not be renewed. Access lasts until the end of the period.',
  'subscription.resumed': 'The cancellation of a subscription was taken back.',
  'subscription.ended': 'A subscription has ended.',
  'payment.succeeded': 'Money was taken. It says nothing about access.',
  'payment.failed': 'A charge was refused.',
  'refund.succeeded': 'Money was given back.',
  'refund.failed': 'A refund was refused, or came back.',
  'dispute.opened':
    'A payer disputes a payment, a bank has a question about it, or a lost dispute is open again. Access does not change.',
  'dispute.won': 'A dispute was decided for the seller, also on appeal.',
  'dispute.lost':
    'A dispute was decided for the payer. If nothing of the payment is left, its `status` is `lost`, and what it gave access to has ended.',
  'download.delivered': 'A file was sent to a reader.',
  'user.updated': "A reader's email address, name or references have changed.",
  'user.merged': 'Another user was merged into this one. The uid of the other remains an alias.',
  'user.erased': 'A reader was erased. Delete what you hold of them.',
  'catalogue.changed': 'A resource, its prices, its files or what it opens have changed.',
  'service.restored':
    'The service went back to an earlier state, and all readers and resources have been told again.',
} as const

export type EventType = keyof typeof EVENT_TYPES

export const EVENT_TYPE_NAMES = Object.keys(EVENT_TYPES) as readonly EventType[]

/** The schema version of events. Fields may be added within a version; a schema that removes a field or changes its
 * meaning is a new one. */
export const EVENT_VERSION = 1

/** Whether a text names types of events: one type, all of a group (`access.*`), or all (`*`). */
export const isTypePattern = (text: string): boolean =>
  EVENT_TYPE_NAMES.some((type) => matchesType(text, type))

/** Whether a type, or a group with a wildcard, covers a type. */
function matchesType(pattern: string, type: string): boolean {
  if (pattern === '*' || pattern === type) return true
  return pattern.endsWith('.*') && type.startsWith(pattern.slice(0, -1))
}

/** Lists the types that any of these patterns covers. */
export const listMatchingTypes = (patterns: readonly string[]): EventType[] =>
  EVENT_TYPE_NAMES.filter((type) => patterns.some((pattern) => matchesType(pattern, type)))
