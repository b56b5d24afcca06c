import type { HistoryAction, UnrecordedAction } from '../history/actions.ts'
import type { CollectedChange } from '../history/collect.ts'
import type { EventType } from './catalogue.ts'

/** The events that an action causes. */
export interface ActionRule {
  /** The events about the change itself. */
  eventsOf: (change: CollectedChange) => readonly EventType[]
  /** Whether it changes the access record that it names, so that an event about the record is sent. */
  changesAccess: boolean
  /** Whether `user.access_changed` is sent for the reader. */
  emitsUserAccessChanged: boolean
}

type Values = Record<string, unknown>
const before = ({ before }: CollectedChange): Values => (before ?? {}) as Values
const after = ({ after }: CollectedChange): Values => (after ?? {}) as Values

type EventTypes = readonly EventType[] | ActionRule['eventsOf']

const rule = (
  types: EventTypes,
  changesAccess: boolean,
  emitsUserAccessChanged: boolean,
): ActionRule => ({
  eventsOf: typeof types === 'function' ? types : () => types,
  changesAccess,
  emitsUserAccessChanged,
})

const silent = rule([], false, false)
const emits = (...types: EventType[]) => rule(types, false, false)
const emitsWithUserAccessChanged = (...types: EventType[]) => rule(types, false, true)
const changesAccessRecord = (types: EventTypes = []) => rule(types, true, true)

/** A first payment is reported together with the start of the subscription; a trial has no payment yet. */
const begun = (change: CollectedChange): EventType[] => [
  'subscription.started',
  ...(change.told?.payment === undefined ? [] : (['payment.succeeded'] as const)),
]

const renewed = (change: CollectedChange): EventType[] => [
  'payment.succeeded',
  'subscription.renewed',
  ...(before(change).status === 'past_due' ? (['subscription.recovered'] as const) : []),
]

/** Only the first refusal makes a subscription past due; later ones are failed payments. */
const refused = (change: CollectedChange): EventType[] => [
  'payment.failed',
  ...(after(change).status === 'past_due' && before(change).status !== 'past_due'
    ? (['subscription.past_due'] as const)
    : []),
]

/** The one table that says which events a change makes. A change that is recorded and not listed here does not compile. */
export const ACTION_RULES: Record<HistoryAction | UnrecordedAction, ActionRule> = {
  'application created': silent,
  'application archived': silent,
  'application image changed': silent,
  'application image removed': silent,
  'settings changed': silent,
  'sandbox emptied': silent,
  'key rotated': silent,
  'key revoked': silent,
  'webhook created': silent,
  'webhook changed': silent,
  'webhook disabled': silent,
  'webhook enabled': silent,
  'webhook secret rotated': silent,
  'webhook replayed': silent,
  'webhook deleted': silent,
  'resource created': emits('catalogue.changed'),
  'resource changed': emits('catalogue.changed'),
  'resource archived': emits('catalogue.changed'),
  'resource restored': emits('catalogue.changed'),
  'resource opens changed': emits('catalogue.changed'),
  'resource image changed': emits('catalogue.changed'),
  'resource image removed': emits('catalogue.changed'),
  'download image changed': emits('catalogue.changed'),
  'download image removed': emits('catalogue.changed'),
  'price created': emits('catalogue.changed'),
  'price archived': emits('catalogue.changed'),
  'price restored': emits('catalogue.changed'),
  'download created': emits('catalogue.changed'),
  'download described': emits('catalogue.changed'),
  'download published': emits('catalogue.changed'),
  'download withdrawn': emits('catalogue.changed'),
  'download removed': emits('catalogue.changed'),
  'downloads ordered': emits('catalogue.changed'),
  'file replaced': emits('catalogue.changed'),
  // The events about a new user's access carry the user.
  'user created': silent,
  'user renamed': emits('user.updated'),
  'e-mail changed': emits('user.updated'),
  'reference added': emits('user.updated'),
  'old address notified': silent,
  'user merged in': emitsWithUserAccessChanged('user.merged'),
  'user merged away': silent,
  'user erased': emitsWithUserAccessChanged('user.erased'),
  'note added': silent,
  'note changed': silent,
  'note removed': silent,
  'mail sent again': silent,
  'links ended': silent,
  granted: changesAccessRecord(),
  revoked: changesAccessRecord(),
  moved: changesAccessRecord(),
  merged: changesAccessRecord(),
  purchased: changesAccessRecord(['payment.succeeded']),
  'purchase ended': changesAccessRecord(),
  'access given back': changesAccessRecord(),
  subscribed: changesAccessRecord(begun),
  imported: changesAccessRecord(begun),
  'trial notice': emits('subscription.trial_ending'),
  'trial not wanted': silent,
  // It keeps access open while the provider decides.
  'renewal begun': changesAccessRecord(),
  renewed: changesAccessRecord(renewed),
  'renewal failed': changesAccessRecord(refused),
  'subscription canceled': emitsWithUserAccessChanged('subscription.canceled'),
  'subscription resumed': emitsWithUserAccessChanged('subscription.resumed'),
  'subscription ended': changesAccessRecord(['subscription.ended']),
  'card changed': silent,
  // The money was taken, and goes back.
  'payment not wanted': emits('payment.succeeded'),
  'refund ordered': silent,
  // The payment is disputed, so nothing more can be given back.
  'refund refused': emits('refund.failed'),
  'refund pending': silent,
  'refund succeeded': emits('refund.succeeded'),
  'refund failed': emits('refund.failed'),
  'dispute opened': emits('dispute.opened'),
  'dispute won': emits('dispute.won'),
  'dispute lost': emits('dispute.lost'),
  'file delivered': emits('download.delivered'),
  'time over': changesAccessRecord(),
  'reader told again': emitsWithUserAccessChanged(),
  'resource told again': emits('catalogue.changed'),
  'all told again': emits('service.restored'),
  'checkout begun': silent,
  'checkout completed': silent,
}
