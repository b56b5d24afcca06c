// The records that the client sends and receives, under short names.
import type { components, operations } from './api.ts'

export type AccessDetails = components['schemas']['AccessDetails']
export type AccessPage = components['schemas']['AccessPage']
export type RevokedAccess = components['schemas']['RevokedAccess']
export type Refund = components['schemas']['Refund']
export type Subscription = components['schemas']['Subscription']
export type SubscriptionPage = components['schemas']['SubscriptionPage']
export type Payment = components['schemas']['Payment']
export type PaymentPage = components['schemas']['PaymentPage']
export type ManageLink = components['schemas']['ManageLink']
export type Download = components['schemas']['Download']
export type DownloadUrl = components['schemas']['DownloadUrl']
export type Clock = components['schemas']['Clock']
export type AccessCheck = components['schemas']['AccessCheck']
export type AccessChecks = components['schemas']['AccessChecks']
export type Offer = components['schemas']['Offer']
export type Entitlement = components['schemas']['Entitlement']
export type EntitlementPage = components['schemas']['EntitlementPage']
export type User = components['schemas']['User']
export type EventPage = components['schemas']['EventPage']
/** One of all events; its `type` decides which. */
export type Event = EventPage['data'][number]
export type EventType = Event['type']
/** The event of one type: `EventOf<'access.granted'>`. */
export type EventOf<T extends EventType> = Extract<Event, { type: T }>

type Query<Operation extends keyof operations> = NonNullable<
  operations[Operation]['parameters']['query']
>
/** The parameters of a write. The client adds the time, and a random `idempotency_key` unless you pass your own. */
type Write<Operation extends keyof operations> = Omit<Query<Operation>, 'ts'>
export type AccessQuery = Query<'getAccess'>
export type AccessSearch = Query<'searchAccess'>
export type Grant = Write<'grantAccess'>
export type Revoke = Write<'revokeAccess'>
export type SubscriptionSearch = Query<'searchSubscriptions'>
export type NamedSubscription = Query<'getManageLink'>
export type SubscriptionChange = Write<'cancelSubscription'>
export type PaymentSearch = Query<'searchPayments'>
/** A partial refund requires a name of your own, so that your code can safely ask for it again. */
export type RefundRequest = Omit<
  Write<'refundPayment'>,
  'amount' | 'reference' | 'idempotency_key'
> &
  (
    | { amount?: never; reference?: string; idempotency_key?: string }
    | { amount: string; reference: string; idempotency_key?: string }
    | { amount: string; reference?: string; idempotency_key: string }
  )
export type EventSearch = Query<'searchEvents'>
export type EventReplayRequest = Write<'replayEvents'>
export type EventReplay = components['schemas']['EventReplay']
export type DownloadQuery = Query<'getDownload'>
export type DownloadUrlQuery = Query<'getDownloadUrl'>
export type ClockStep = Write<'advanceClock'>

export type CheckQuestion = Omit<Query<'checkAccess'>, 'rids'> & { rids: readonly string[] }
export type EntitlementQuery = Query<'listEntitlements'>
