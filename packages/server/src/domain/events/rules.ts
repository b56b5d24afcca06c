import type { HistoryAction, UnrecordedAction } from '../history/actions.ts'
import type { CollectedChange } from '../history/collect.ts'
import type { EventType } from './catalogue.ts'

/** The events that an action causes. */
export interface ActionRule {
  /** The events about the change itself. */
  tells: (change: CollectedChange) => readonly EventType[]
  /** Whether it changes the access record that it names, so that an event about the record is sent. */
  changesAccess: boolean
  /** Whether `user.access_changed` is sent for the reader. */
  changesState: boolean
}

type Facts = Record<string, unknown>
const before = ({ before }: CollectedChange): Facts => (before ?? {}) as Facts
const after = ({ after }: CollectedChange): Facts => (after ?? {}) as Facts

type Told = readonly EventType[] | ActionRule['tells']

const rule = (told: Told, changesAccess: boolean, changesState: boolean): ActionRule => ({
  tells: typeof told === 'function' ? told : () => told,
  changesAccess,
  changesState,
})

const silent = rule([], false, false)
const about = (...told: EventType[]) => rule(told, false, false)
const ofState = (...told: EventType[]) => rule(told, false, true)
const ofAccess = (told: Told = []) => rule(told, true, true)

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
  'resource created': about('catalogue.changed'),
  'resource changed': about('catalogue.changed'),
  'resource archived': about('catalogue.changed'),
  'resource restored': about('catalogue.changed'),
  'resource opens changed': about('catalogue.changed'),
  'resource image changed': about('catalogue.changed'),
  'resource image removed': about('catalogue.changed'),
  'download image changed': about('catalogue.changed'),
  'download image removed': about('catalogue.changed'),
  'price created': about('catalogue.changed'),
  'price archived': about('catalogue.changed'),
  'price restored': about('catalogue.changed'),
  'download created': about('catalogue.changed'),
  'download described': about('catalogue.changed'),
  'download published': about('catalogue.changed'),
  'download withdrawn': about('catalogue.changed'),
  'download removed': about('catalogue.changed'),
  'downloads ordered': about('catalogue.changed'),
  'file replaced': about('catalogue.changed'),
  // The events about a new user's access carry the user.
  'user created': silent,
  'user renamed': about('user.updated'),
  'e-mail changed': about('user.updated'),
  'reference added': about('user.updated'),
  'old address notified': silent,
  'user merged in': ofState('user.merged'),
  'user merged away': silent,
  'user erased': ofState('user.erased'),
  'note added': silent,
  'note changed': silent,
  'note removed': silent,
  'mail sent again': silent,
  granted: ofAccess(),
  revoked: ofAccess(),
  moved: ofAccess(),
  merged: ofAccess(),
  purchased: ofAccess(['payment.succeeded']),
  'purchase ended': ofAccess(),
  subscribed: ofAccess(begun),
  imported: ofAccess(begun),
  'trial notice': about('subscription.trial_ending'),
  'trial not wanted': silent,
  // It keeps access open while the provider decides.
  'renewal begun': ofAccess(),
  renewed: ofAccess(renewed),
  'renewal failed': ofAccess(refused),
  'subscription canceled': ofState('subscription.canceled'),
  'subscription resumed': ofState('subscription.resumed'),
  'subscription ended': ofAccess(['subscription.ended']),
  'card changed': silent,
  // The money was taken, and goes back.
  'payment not wanted': about('payment.succeeded'),
  'refund ordered': silent,
  // The payment is disputed, so nothing more can be given back.
  'refund refused': about('refund.failed'),
  'refund pending': silent,
  'refund succeeded': about('refund.succeeded'),
  'refund failed': about('refund.failed'),
  'dispute opened': about('dispute.opened'),
  'dispute won': about('dispute.won'),
  'dispute lost': about('dispute.lost'),
  'file delivered': about('download.delivered'),
  'time over': ofAccess(),
  'checkout begun': silent,
  'checkout completed': silent,
}
