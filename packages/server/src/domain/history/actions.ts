/** The actions that the history records, by subject. The texts are stored, so none is ever renamed. */
type ApplicationAction =
  | 'application created'
  | 'application archived'
  | 'application image changed'
  | 'application image removed'
  | 'settings changed'
  | 'sandbox emptied'
  | 'key rotated'
  | 'key revoked'
  | 'webhook created'
  | 'webhook changed'
  | 'webhook disabled'
  | 'webhook enabled'
  | 'webhook secret rotated'
  | 'webhook replayed'
  | 'webhook deleted'

type CatalogueAction =
  | `resource ${'created' | 'changed' | 'archived' | 'restored'}`
  | 'resource opens changed'
  | `${'resource' | 'download'} image ${'changed' | 'removed'}`
  | `price ${'created' | 'archived' | 'restored'}`
  | `download ${'created' | 'described' | 'published' | 'withdrawn' | 'removed'}`
  | 'downloads ordered'
  | 'file replaced'

type UserAction =
  | 'user created'
  | 'user renamed'
  | 'e-mail changed'
  | 'old address notified'
  | 'reference added'
  | 'user merged in'
  | 'user merged away'
  | 'user erased'
  | `note ${'added' | 'changed' | 'removed'}`
  | 'mail sent again'
  | 'links ended'

type AccessAction =
  | 'granted'
  | 'revoked'
  | 'moved'
  | 'merged'
  | 'purchased'
  | 'purchase ended'
  | 'access given back'

type SubscriptionAction =
  | 'subscribed'
  | 'imported'
  | 'trial notice'
  | 'trial not wanted'
  | 'renewal begun'
  | 'renewed'
  | 'renewal failed'
  | `subscription ${'canceled' | 'resumed' | 'ended'}`
  | 'card changed'

export type DisputeAction = `dispute ${'opened' | 'won' | 'lost'}`

type MoneyAction =
  | 'payment not wanted'
  | `refund ${'ordered' | 'refused' | 'pending' | 'succeeded' | 'failed'}`
  | DisputeAction

export type HistoryAction =
  | ApplicationAction
  | CatalogueAction
  | UserAction
  | AccessAction
  | SubscriptionAction
  | MoneyAction

/** Actions that cause events or count in metrics, but are not recorded in the history. */
export type UnrecordedAction =
  | 'file delivered'
  | 'time over'
  | 'reader told again'
  | 'resource told again'
  | 'all told again'
  | 'checkout begun'
  | 'checkout completed'
