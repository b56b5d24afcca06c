import type { Generated } from 'kysely'
import { LAST_SECOND } from '../fields.ts'

/** Whole seconds since 1970, in the environment's business time. */
export type Seconds = number

/** Milliseconds since 1970, in real time. */
export type Millis = number

/** The value of "no end": one second past the last time that a client may name. A number keeps "the latest end" a plain
 * maximum and "live" a plain comparison on both engines. */
export const FOREVER: Seconds = LAST_SECOND + 1

export interface ApplicationTable {
  aid: string
  name: string
  /** ISO 4217 code, returned for free access. */
  currency: string
  /** Sender of the application's mails; null means the installation's default. */
  mail_from: string | null
  /** Text template of the grant mail; null means the built-in template. */
  mail_template: string | null
  created: Seconds
  archived: Seconds | null
  /** Printed on receipts. A null name means the application's name; a null address or tax line is left out. */
  seller_name: string | null
  seller_address: string | null
  tax_line: string | null
  /** JSON array of prefixes: a buyer may be sent back only to a URL that begins with one of them. */
  return_urls: string
  /** How long access stays open while a renewal is unpaid. */
  grace_days: number
  /** The image shown above its pages and mails. */
  logo_id: string | null
  /** `#rrggbb`; null means the built-in color. */
  accent: string | null
  /** Where readers can ask for help. */
  support_email: string | null
  /** JSON object: the URLs of the seller's terms, privacy policy and so on, by kind. */
  legal_links: string
  /** JSON object: templates by kind of mail, except the grant mail's. A missing one means the built-in template. */
  mail_templates: string
  /** IANA name: readers see days and times in this zone. */
  time_zone: string
  /** Whether writes must carry a `ts`, and are remembered so that none can be replayed. */
  require_ts: 0 | 1
}

export interface ApplicationKeyTable {
  id: string
  aid: string
  /** The private key, encrypted with the master key. */
  sealed: string
  created: Millis
  /** The key is invalid from this time on (the end of a rotation's overlap, or a revocation). */
  dies: Millis | null
}

export interface ResourceTable {
  aid: string
  rid: string
  name: string
  url: string
  created: Seconds
  /** A short description; may be empty. */
  description: string
  /** A URL, or empty. */
  image: string
  /** An uploaded image, which is shown instead of `image`. */
  image_id: string | null
  /** Since when it can't be sold or granted; existing access stays. */
  archived: Seconds | null
}

export interface UserTable {
  aid: string
  uid: string
  /** Both are null once the person is erased, and for a reader who is known only by a reference. */
  email: string | null
  email_key: string | null
  first_name: string
  last_name: string
  created: Seconds
  erased: Seconds | null
  /** Where mails go if the reader has no `email`. It never identifies the reader. */
  contact_email: string | null
  /** The least number that a working link of the reader carries. 0 until links are ended for the first time. */
  link_number: number
}

export interface UserRefTable {
  aid: string
  ref: string
  uid: string
  /** 1 for a uid or reference of a user who was merged into this one. A user who has only aliases counts as having no
   * reference. */
  alias: Generated<0 | 1>
}

/** The address of a user who was merged into another one. It names the user who is left, unless a user has it now. */
export interface FormerAddressTable {
  aid: string
  /** `emailKey` of the address. */
  email_key: string
  email: string
  uid: string
}

export interface AccessTable {
  id: string
  aid: string
  rid: string
  uid: string
  /** The `user_ref` of the last grant. */
  user_ref: string | null
  /** Price of the latest paid source, in minor units; a free grant has 0 and a null currency. */
  amount: number
  currency: string | null
  created: Seconds
  /** The latest end of the open sources. */
  ends: Seconds
  revoked: Seconds | null
  /** JSON array, in display order; `access_tags` holds the same tags for searching. */
  tags: string
  /** The end that an event has told of; null if none has. It differs from `ends` once that has changed. */
  end_told: Seconds | null
}

export interface AccessTagTable {
  aid: string
  tag: string
  access_id: string
  /** Creation time of the access record; set by a trigger. */
  created: Generated<Seconds>
}

/** The number of unrevoked records, without the changes still in `access_changes`. */
export interface AccessCountTable {
  aid: string
  /** '' for the application, `r` plus a rid, or `t` plus a tag. */
  scope: string
  all_n: number
  /** The records past the watermark. */
  live_n: number
}

/** For each application, the position in the order of (ends, id) up to which its records count as expired. */
export interface AccessWatermarkTable {
  aid: string
  ends: Seconds
  access_id: string
}

/** Written by triggers with every change of a record or its tags. */
export interface AccessChangeTable {
  aid: string
  scope: string
  /** Random; set by the database. */
  id: Generated<string>
  ends: Seconds
  access_id: string
  n: number
}

/** A grant, purchase or subscription that gives access through a record. */
export interface SourceTable {
  id: string
  aid: string
  access_id: string
  kind: 'grant' | 'purchase' | 'subscription'
  created: Seconds
  ends: Seconds
  closed: Seconds | null
  /** Counts the distinct grants made through this source; part of the mail's key. */
  revision: number
  /** Digest of the last grant's message, to distinguish a retry from a new grant. */
  message_digest: string
  /** 1 if the last grant triggered a mail. */
  notified: 0 | 1
  /** Purchases only: the start of the period, which is in the future while another paid period runs. */
  starts: Seconds | null
  /** Purchases only: for example `30 days`; null for lifetime access. */
  period: string | null
  payment_id: string | null
  subscription_id: string | null
  /** Purchases only: the seconds that were left of a period that had already begun when a merge queued it behind
   * another one. Null where the whole period counts. */
  remaining: Seconds | null
}

/** An offer for a resource. Never changed, only archived. */
export interface PriceTable {
  id: string
  aid: string
  rid: string
  /** Minor units. */
  amount: number
  currency: string
  recurring: 0 | 1
  /** For example `1 month`; null for lifetime access, bought once. */
  period: string | null
  trial_days: number
  created: Seconds
  archived: Seconds | null
}

export type SubscriptionStatus = 'trialing' | 'active' | 'past_due' | 'canceled' | 'ended'

/** The worker's next action for a subscription. */
export type SubscriptionStep = 'trial_notice' | 'renew' | 'end'

export interface SubscriptionTable {
  id: string
  aid: string
  rid: string
  uid: string
  access_id: string
  amount: number
  currency: string
  period: string
  status: SubscriptionStatus
  created: Seconds
  /** Null if there was no trial. */
  trial_ends: Seconds | null
  /** The start of the first paid period: all later periods are counted from it. */
  anchor: Seconds
  /** How many periods have been paid. */
  periods: number
  current_period_start: Seconds
  current_period_end: Seconds
  canceled: Seconds | null
  ended: Seconds | null
  /** When the worker takes `next_step`. Both are null while a charge is pending at the provider, and after the
   * subscription has ended. */
  next_due: Seconds | null
  next_step: SubscriptionStep | null
  /** Failed charges for the upcoming period. */
  tries: number
  provider: string
  /** The payment method at the provider; null if unknown (sold elsewhere). */
  method: string | null
}

export type PaymentStatus =
  | 'pending'
  | 'succeeded'
  | 'failed'
  | 'partially_refunded'
  | 'refunded'
  | 'disputed'
  | 'lost'

export interface PaymentTable {
  id: string
  aid: string
  rid: string
  uid: string
  /** Null for a payment that grants no access. */
  access_id: string | null
  subscription_id: string | null
  checkout_id: string | null
  period_start: Seconds | null
  period_end: Seconds | null
  amount: number
  /** Sum of the successful refunds. */
  refunded: number
  currency: string
  provider: string
  provider_ref: string | null
  method: string | null
  status: PaymentStatus
  /** Why staff should look at it: `late`, `duplicate` or `mismatch`. */
  flag: PaymentFlag | null
  /** Why it failed: `declined`, `needs_payer`, … */
  failure: string | null
  created: Seconds
  settled: Seconds | null
  attempts: number
  /** When the provider is asked next; null once the payment is settled. */
  due: Millis | null
  lease_until: Millis | null
  /** When its last lost dispute was lost; null if none is. */
  lost: Seconds | null
  /** How often the provider has refused the order while it is pending. Each time, the next attempt has a new idempotency
   * key. */
  refusals: number
  /** Why the provider has not settled it yet. */
  last_error: string | null
  /** When the subscription of a pending renewal ends if the outcome is still unknown; otherwise null. */
  deadline: Seconds | null
  /** What lost disputes took, at most the amount. */
  lost_amount: number
  /** What undecided disputes are about, at most the amount. */
  disputed_amount: number
  /** Whether the provider still takes refunds, as it does while a bank only inquires. */
  refundable_in_dispute: 0 | 1
  /** The seconds of access that were left when a lost dispute ended it, or `FOREVER`; null if it ended none. They are
   * given back if the dispute is won after all. */
  access_left: Seconds | null
}

export type PaymentFlag = 'late' | 'duplicate' | 'mismatch'

/** A payment flag, or `trial_used`: the reader, the address or the card already had a trial. */
export type CheckoutRefusal = PaymentFlag | 'trial_used'

/** Which application a payment belongs to, for events of the provider, which name nothing else. */
export interface ProviderRefTable {
  provider: string
  ref: string
  aid: string
  payment_id: string
}

/** Sums taken and given back in one currency, of one resource or of the whole application, in spans of several sizes
 * (`domain/figures/sums.ts`). A worker adds the changes to them. */
export interface RevenueTotalTable {
  aid: string
  currency: string
  /** How many seconds of payments are added up. */
  size: Seconds
  /** The beginning of these seconds. */
  at: Seconds
  /** Empty for the sums of all resources. */
  rid: string
  /** Sum of the payments whose money was taken. */
  taken: number
  /** The number of these payments. */
  sales: number
  refunded: number
  /** The part of payments that was lost in disputes and had not been refunded. */
  lost: number
}

/** Written by triggers with every change of a payment or a refund, until it is part of the sums. */
export interface RevenueChangeTable {
  aid: string
  /** Random; set by the database. */
  id: Generated<string>
  currency: string
  rid: string
  at: Seconds
  taken: number
  sales: number
  refunded: number
  lost: number
}

export type RefundStatus = 'pending' | 'succeeded' | 'failed'

export interface RefundTable {
  id: string
  aid: string
  payment_id: string
  amount: number
  currency: string
  status: RefundStatus
  /** Why it failed, or why it was made automatically: `disputed`, `late` or `duplicate`. */
  reason: string | null
  /** The caller's idempotency key: two requests with the same reference are one refund. */
  reference: string | null
  actor: string
  created: Seconds
  settled: Seconds | null
  provider_ref: string | null
  attempts: number
  due: Millis | null
  lease_until: Millis | null
  last_error: string | null
  /** As in `PaymentTable`. */
  refusals: number
}

export interface CheckoutTable {
  /** Unguessable: knowing it is enough to see the checkout. */
  id: string
  aid: string
  rid: string
  /** `card` replaces the card of a subscription. */
  purpose: 'buy' | 'card'
  /** Taken from a purchase link, whose resource may not exist yet. */
  resource_name: string | null
  resource_url: string | null
  amount: number
  currency: string
  recurring: 0 | 1
  period: string | null
  trial_days: number
  user_ref: string | null
  /** From a purchase link, so the application vouches for it. */
  vouched_email: string | null
  /** Typed by the buyer: unproven. */
  typed_email: string | null
  first_name: string
  last_name: string
  return_url: string | null
  /** Identifies the application key that signed the link; the return URL is signed with the same key. */
  key_mark: string | null
  /** Digest of a link that is valid for one purchase. */
  link_mark: string | null
  subscription_id: string | null
  /** The user who got what was bought; null until it is paid, and once that user is erased. */
  uid: string | null
  /** The future id of the payment: the provider gets it before the row exists. */
  payment_id: string
  provider: string
  provider_ref: string | null
  status: 'open' | 'paid' | 'expired'
  created: Seconds
  expires: Seconds
  paid: Seconds | null
  /** When the provider is next asked for the state; for an expired checkout, when it is asked to close its page. */
  due: Millis | null
  /** Why a completed checkout granted nothing; null if it granted what was bought. */
  refusal: CheckoutRefusal | null
  /** When the provider's page closes, in real time; null before the page exists. */
  page_ends: Millis | null
  /** The link number of the reader who gets links from the page after the payment. For a card, that of the link which led
   * to the checkout. */
  link_number: number
}

/** An email address or a card that has had a trial of a resource. */
export interface TrialTable {
  aid: string
  rid: string
  kind: 'email' | 'card'
  /** A keyed digest: comparable, but identifies nobody. */
  mark: string
  created: Seconds
}

/** How the provider's ledger and ours differ, where only staff can decide what to do. */
export type FindingKind =
  | 'charge_unknown'
  | 'charge_missing'
  | 'charge_in_doubt'
  | 'checkout_unknown'
  | 'amount_differs'
  | 'refund_unknown'
  | 'order_waiting'
  | 'object_unreadable'

export interface FindingTable {
  id: string
  kind: FindingKind
  /** The provider's reference, or the id of our payment or refund. There is at most one finding per kind and subject. */
  subject: string
  message: string
  /** Null if the charge names no application. It may name one that was lost in a restore. */
  aid: string | null
  payment_id: string | null
  provider_ref: string | null
  /** Minor units. */
  amount: number | null
  currency: string | null
  /** When the money moved, in real time. */
  at: Seconds
  /** When it was first found, in real time. */
  found: Seconds
  /** When staff marked it as resolved, in real time; null while it is open. */
  dismissed: Seconds | null
}

/** The ledger of the built-in test provider: saved cards, charges and refunds. */
export interface TestLedgerTable {
  id: string
  kind: 'session' | 'method' | 'charge' | 'refund'
  /** The idempotency key of the call that created the entry; null for a saved card. A second call with the same key
   * creates nothing. */
  key: string | null
  card: string
  charge_id: string | null
  amount: number
  currency: string
  status: string
  failure: string | null
  dispute: 'inquiry' | 'opened' | 'won' | 'lost' | null
  /** What the dispute is about; null for the whole charge. */
  disputed_amount: number | null
  tries: number
  created: Millis
}

export type StoreName = 'disk' | 's3'

/** A stored file. */
export interface FileTable {
  id: string
  store: StoreName
  /** Hexadecimal. Null, like the size, until all bytes are stored. */
  sha256: string | null
  size: number | null
  created: Millis
  /** Null while a record refers to the file. Otherwise the time since when none does; an upload renews it while it
   * runs. 0: the sweep is removing the file. */
  dropped: Millis | null
  aid: string
}

/** A file of a resource, with what readers see of it. */
export interface DownloadTable {
  id: string
  aid: string
  rid: string
  title: string
  description: string
  /** A URL, or empty. */
  image: string
  /** An uploaded image, which is shown instead of `image`. */
  image_id: string | null
  /** The order of a resource's downloads; of equal ones, the id decides. */
  position: number
  file_id: string
  /** The file name that the reader sees. */
  file_name: string
  /** Media type. */
  type: string
  /** When the current file was added. */
  filed: Seconds
  created: Seconds
  modified: Seconds
  published: Seconds | null
}

/** An uploaded image. */
export interface ImageTable {
  aid: string
  /** Derived from the content, so that a URL with it can be cached for ever. */
  id: string
  /** Media type. */
  type: string
  width: number
  height: number
  /** JSON array: the width, the height and the file of each size, smallest first. */
  sizes: string
  created: Seconds
}

/** One use of a limited link; it covers everything fetched within a day. */
export interface DownloadUseTable {
  link: string
  /** Counted from 1. */
  number: number
  /** How many uses the link allows. */
  most: number
  aid: string
  opened: Seconds
  /** When the link expires, and this row can be deleted. */
  ends: Seconds
}

/** `complete`: everything requested was sent. `redirected`: another server delivers the file and only it knows the
 * outcome. */
export type DeliveryOutcome = 'complete' | 'partial' | 'redirected'

/** Responses with bytes of one file through one link, batched over about a second: a download in parts has many. */
export interface DeliveryTable {
  id: string
  aid: string
  rid: string
  download_id: string
  /** Identifies the link but can't be used to open it. */
  link: string
  /** The reader whom the link was made for; null for a link without one. */
  uid: string | null
  at: Seconds
  answers: number
  bytes: number
  outcome: DeliveryOutcome
}

/** The work that remains after a person was erased. */
export interface ErasureTable {
  aid: string
  uid: string
  created: Millis
  /** When the worker looks at it next. */
  due: Millis
  attempts: number
  /** 1 once the database files hold no copy of the deleted data. */
  scrubbed: 0 | 1
}

/** Secrets of the installation itself, encrypted with the master key. */
export interface SecretTable {
  name: string
  sealed: string
}

/** How many requests were sent to the payment provider on one day. */
export interface ProviderCallTable {
  /** In real time, as days since 1970. */
  day: number
  reads: number
  writes: number
}

/** A version of the keys that sign readers' links, which are among the secrets. */
export interface LinkKeyTable {
  version: number
  created: Millis
  /** When it stops to work; null for the version that signs. */
  ends: Millis | null
}

/** The history of readers: an actor, an action and a time. People are recorded by uid only, so that they can be erased. */
export interface HistoryTable {
  /** Grows with the time at which the entry was written. */
  seq: number
  aid: string
  uid: string | null
  rid: string | null
  access_id: string | null
  at: Seconds
  actor: string
  action: string
  /** JSON objects of what changed, or null. */
  before: string | null
  after: string | null
  /** Key of the mail that this change triggered. */
  mail_key: string | null
  /** Random, because two processes may use the same number. Empty in entries of older versions. */
  tie_breaker: string
}

/** `dead`: no further attempt is made. `kept`: it is stored for staff to see, and never sent. */
export type MailStatus = 'queued' | 'sending' | 'sent' | 'dead' | 'kept'

export type MailKind =
  | 'grant'
  | 'receipt'
  | 'payment_failed'
  | 'trial_ends'
  | 'canceled'
  | 'refunded'
  | 'address_changed'

/** 0: somebody waits for it, such as a receipt. 1: the notification of a single grant. 2: one of many, as of an import. */
export type MailPriority = 0 | 1 | 2

export interface OutboxTable {
  id: string
  /** Identifies the event that triggered the mail. It is unique, so an event never has two mails. */
  key: string
  aid: string
  uid: string
  kind: MailKind
  recipient: string
  /** JSON with everything that the template needs. */
  payload: string
  status: MailStatus
  attempts: number
  created: Millis
  /** Not sent before this time. */
  due: Millis
  /** Mails with a lower number are sent before others of the application. */
  priority: MailPriority
  lease_token: string | null
  lease_until: Millis | null
  last_error: string | null
  sent: Millis | null
  /** How far the environment's clock was ahead of real time when the mail was created. Senders work in real time; staff
   * read the time of the sandbox. */
  clock_offset: Seconds
  /** The link number of the reader when the recipient was read: the links in the mail carry it. */
  link_number: number
}

export interface MetaTable {
  name: string
  value: string
}

/** A note of staff about a person. */
export interface NoteTable {
  aid: string
  id: string
  uid: string
  /** Plain text; lines end with `\n`. */
  text: string
  /** The author, named as in the history. */
  actor: string
  created: Seconds
  /** The last change; null if there was none. */
  changed: Seconds | null
  changed_by: string | null
}

/** Something that a pass opens. */
export interface PassEntryTable {
  aid: string
  /** The number of characters of a prefix, 0 for everything, or `WHOLE_RID`. */
  size: number
  /** A rid, or what rids begin with. */
  value: string
  /** The rid of the pass. */
  pass: string
}

/** The `size` of an entry that is one rid. */
export const WHOLE_RID = -1

/** Kinds of events of an application that staff can get by email. */
export type NoticeKind = 'sale' | 'dispute' | 'payment_failed' | 'refund_failed' | 'webhook_failed'

export type NoticeEvent =
  | 'purchase'
  | 'subscription'
  | 'trial_converted'
  | 'opened'
  | 'inquiry'
  | 'won'
  | 'lost'
  | 'appealed'
  | 'won_on_appeal'
  | 'past_due'
  | 'ended'
  | 'refused'
  | 'bounced'
  | 'renewal_waits'
  | 'refund_waits'
  | WebhookNoticeEvent

/** A webhook endpoint has been failing for an hour or a day, was switched off because of that, or said that it is gone. */
export type WebhookNoticeEvent = 'webhook_hour' | 'webhook_day' | 'webhook_off' | 'webhook_gone'

/** Events that staff may want to hear of, until they are put into emails. They name no reader. */
export interface NoticeTable {
  aid: string
  id: string
  kind: NoticeKind
  event: NoticeEvent
  /** For a webhook endpoint, its host. */
  rid: string
  /** The id of the subscription (a charge failed), of the webhook endpoint (a webhook notice) or of the payment (all
   * others). */
  subject_id: string
  amount: number
  /** Empty for a webhook endpoint. */
  currency: string
  at: Seconds
  created: Millis
  /** Notices with the same value become one email per member; null until they are bundled. */
  bundle: string | null
}

/** Access checks of one reader and resource that were refused for one reason. */
export interface RefusedCheckTable {
  aid: string
  uid: string
  /** As the site asked for it; no resource may have it. */
  rid: string
  code: 'expired' | 'revoked' | 'never_granted' | 'no_resource'
  /** When the access ended or was revoked; null if there never was any. */
  since: Seconds | null
  /** The pass through which there had been access; null if it was access to the resource itself, or none. */
  via: string | null
  first_at: Seconds
  last_at: Seconds
  times: number
}

export type WebhookState = 'on' | 'failing' | 'off' | 'disabled'

/** Why an endpoint was switched off: it answered 410 Gone, or it failed for days. */
export type WebhookOffReason = 'gone' | 'failing'

/** A URL that gets the events of an application. */
export interface WebhookEndpointTable {
  aid: string
  id: string
  url: string
  /** JSON array of event types and wildcards such as `access.*`; `*` is all of them. */
  types: string
  /** The version of the bodies that are sent to it. */
  version: string
  description: string
  /** `off` is the worker's doing, `disabled` that of staff. */
  state: WebhookState
  /** The cursor: events up to this position have been admitted, or don't match `types`. */
  position: number
  /** Nothing is sent to it before this time. */
  resume_at: Millis
  /** Failed probes since it began failing; they determine the pause before the next one. */
  probes: number
  /** Failed attempts since the last success. */
  failures: number
  /** The first failure since the last success. */
  failing_since: Millis | null
  last_success: Millis | null
  last_failure: Millis | null
  last_error: string | null
  /** How many emails staff got about the failures since the last success. */
  notified: number
  off_at: Millis | null
  off_reason: WebhookOffReason | null
  /** The time of the oldest event that it missed while it was off; null if a replay has nothing to offer. */
  missed_from: Millis | null
  /** When it was switched on again; null while it is off. */
  missed_to: Millis | null
  created: Millis
}

export interface WebhookSecretTable {
  aid: string
  id: string
  endpoint: string
  /** The text `whsec_…`, encrypted with the master key. */
  sealed: string
  created: Millis
  /** The secret no longer signs from this time on. */
  dies: Millis | null
}

export type WebhookReplayMode = 'failed' | 'all'

/** An order to deliver the events of a time range once more. */
export interface WebhookReplayTable {
  aid: string
  id: string
  endpoint: string
  /** `failed` leaves out events that were delivered. */
  mode: WebhookReplayMode
  from_time: Millis
  to_time: Millis
  /** The cursor: events up to this position have been admitted. */
  position: number
  end_position: number
  /** How many events it has admitted. */
  admitted: number
  actor: string
  created: Millis
  /** When the last event was admitted. */
  finished: Millis | null
}

/** `failed`: all attempts are used up, or the endpoint was switched off. */
export type WebhookDeliveryState = 'pending' | 'sending' | 'delivered' | 'failed'

/** One event on its way to one endpoint. */
export interface WebhookDeliveryTable {
  aid: string
  endpoint: string
  event_id: string
  /** The position of the event. */
  position: number
  /** The reader whose events are sent in order; null for an event without one. */
  uid: string | null
  sequence: number | null
  type: string
  state: WebhookDeliveryState
  /** Attempts since it was last queued; a replay starts anew. */
  attempts: number
  /** All attempts, including those before a replay. It numbers the rows of `webhook_attempts`. */
  total_attempts: number
  created: Millis
  /** Not sent before this time. */
  due: Millis
  /** The first attempt since it was last queued. */
  first_attempt: Millis | null
  lease_token: string | null
  lease_until: Millis | null
  delivered: Millis | null
  /** The replay that queued it last. */
  replay: string | null
}

/** A request that was sent, and its response. The body is that of the event. */
export interface WebhookAttemptTable {
  aid: string
  endpoint: string
  event_id: string
  /** Counted from 1. */
  number: number
  at: Millis
  url: string
  duration_ms: number
  /** Null if no response came. */
  status: number | null
  /** Why it failed; null if it succeeded. */
  error: string | null
  /** The beginning of the response. */
  response: string | null
}

/** Events, as sites hear of them. A row is written in the transaction of its cause. */
export interface EventTable {
  aid: string
  id: string
  /** The place in the order in which sites read the events, counted from 1. Null until the transaction has ended and
   * `stampPositions` has numbered it. */
  position: number | null
  /** The reader whom it is about; null for an event about no reader. */
  uid: string | null
  /** Counts the events of a reader, from 1; null if there is no reader. */
  sequence: number | null
  type: string
  at: Seconds
  created: Millis
  /** The JSON that sites get. It is written once, and changed only by an erasure. */
  body: string
}

/** How far the events of an application are numbered. */
export interface EventCounterTable {
  aid: string
  /** The last position that was given. */
  position: number
  /** The last position whose event was deleted because of its age. */
  swept: number
}

/** The last `sequence` of each reader. It is locked last in a transaction, so that it can't cause a deadlock. */
export interface EventSequenceTable {
  aid: string
  uid: string
  sequence: number
  /** The last number before a change that no event tells, because an import was silent; null without one. */
  silent_at: number | null
}

/** A request that took effect. It is known by its idempotency key, by its signature, or has a row for each. */
export interface HandledRequestTable {
  aid: string
  /** SHA-256 of the key and what it belongs to, or of the signature. */
  digest: string
  kind: 'key' | 'signature'
  /** SHA-256 of what a request with a key asked for; empty for a signature, and once the reader was erased. */
  content: string
  /** The reader whom the answer is about. */
  uid: string | null
  /** The HTTP status of the answer to a request with a key. */
  status: number | null
  /** The answer as JSON; null for a signature, and once the reader was erased. */
  body: string | null
  /** Set while the request is still being handled after its transaction; `body` is then not final. */
  lease_until: Millis | null
  /** The row is deleted some time after this. */
  ends: Millis
}

/** The tables of one environment. */
export interface Tables {
  applications: ApplicationTable
  application_keys: ApplicationKeyTable
  resources: ResourceTable
  users: UserTable
  user_refs: UserRefTable
  former_addresses: FormerAddressTable
  access: AccessTable
  access_tags: AccessTagTable
  access_counts: AccessCountTable
  access_watermarks: AccessWatermarkTable
  access_changes: AccessChangeTable
  sources: SourceTable
  history: HistoryTable
  outbox: OutboxTable
  secrets: SecretTable
  link_keys: LinkKeyTable
  prices: PriceTable
  subscriptions: SubscriptionTable
  payments: PaymentTable
  provider_refs: ProviderRefTable
  provider_calls: ProviderCallTable
  refunds: RefundTable
  revenue_totals: RevenueTotalTable
  revenue_changes: RevenueChangeTable
  checkouts: CheckoutTable
  trials: TrialTable
  reconciliation_findings: FindingTable
  test_ledger: TestLedgerTable
  files: FileTable
  downloads: DownloadTable
  images: ImageTable
  download_uses: DownloadUseTable
  deliveries: DeliveryTable
  erasures: ErasureTable
  notes: NoteTable
  pass_entries: PassEntryTable
  notices: NoticeTable
  refused_checks: RefusedCheckTable
  webhook_endpoints: WebhookEndpointTable
  webhook_secrets: WebhookSecretTable
  webhook_replays: WebhookReplayTable
  webhook_deliveries: WebhookDeliveryTable
  webhook_attempts: WebhookAttemptTable
  events: EventTable
  event_counters: EventCounterTable
  event_sequences: EventSequenceTable
  handled_requests: HandledRequestTable
  meta: MetaTable
}

export interface AidTable {
  aid: string
  environment: string
}

/** A member of staff. */
export interface StaffTable {
  id: string
  email: string
  email_key: string
  name: string
  role: 'owner' | 'developer' | 'support' | 'reader'
  /** Argon2id hash; null until a password is set. */
  password: string | null
  created_at: Millis
  disabled_at: Millis | null
  /** Whether the member or an owner has chosen that a passkey is needed to sign in. */
  passkey_only: Generated<0 | 1>
}

/** A browser in which a member of staff is signed in. */
export interface StaffSessionTable {
  /** SHA-256 of the token in the cookie. */
  token_digest: string
  /** Identifies the session but can't be used to sign in. */
  id: string
  staff_id: string
  created_at: Millis
  seen_at: Millis
  ends_at: Millis
  agent: string
  /** When the member last proved who they are in this session. */
  confirmed_at: Millis
}

export interface StaffLinkTable {
  token_digest: string
  kind: 'setup' | 'invite' | 'reset'
  /** The recipient; null for a setup link. */
  email: string | null
  email_key: string | null
  role: StaffTable['role']
  /** The member whose password it resets; null if it creates a member. */
  staff_id: string | null
  /** The owner who created it; null for the command line. */
  made_by: string | null
  created_at: Millis
  ends_at: Millis
  used_at: Millis | null
  /** Whether somebody asked for it on the sign-in page: `created_at` is when. */
  asked_for: Generated<0 | 1>
}

export interface StaffPasskeyTable {
  id: string
  /** The authenticator's id for the passkey. */
  credential_id: string
  staff_id: string
  /** Base64url. */
  public_key: string
  counter: number
  /** JSON array. */
  transports: string
  name: string
  /** The host name under which it was made, and works. Empty if unknown: from before it was stored, and not used since. */
  host: Generated<string>
  created_at: Millis
  used_at: Millis | null
}

export interface StaffChallengeTable {
  /** SHA-256 of the challenge. */
  digest: string
  /** The member who registers a passkey; null for a sign-in challenge, which is stored after its use so that it
   * can't be used again. */
  staff_id: string | null
  ends_at: Millis
}

export interface StaffTryTable {
  /** Key of a failed sign-in counter, for example an IP address; accounts appear as a digest of the typed email. */
  subject: string
  begun_at: Millis
  tries: number
}

/** Actions of staff. Readers are recorded by uid only, so that they can be erased. */
export interface AuditTable {
  seq: Generated<number>
  at: Millis
  staff_id: string | null
  /** The management token that was used; null if none was. */
  token_id: string | null
  email: string
  environment: string | null
  aid: string | null
  action: string
  /** JSON objects. */
  params: string
  details: string
  outcome: string
  /** From where it was done; null if unknown, and in entries of versions before 0012_audit_origins. */
  address: string | null
  agent: string | null
  /** The id of the session, which is not its token. */
  session_id: string | null
  /** For a command: the user of the operating system who ran it. */
  os_user: string | null
}

/** An API request that was refused. Of what the client sent, only the route and the name of a parameter are
 * stored. */
export interface RefusedCallTable {
  /** The id of the entry. */
  id: string
  aid: string
  /** In milliseconds since 1970. */
  at: Millis
  /** The HTTP method. */
  method: string
  /** The route pattern, such as `/r2/user/:user_ref`. */
  route: string
  /** The HTTP status of the answer. */
  status: number
  /** The error code or, if the signature was refused, what was wrong with it. */
  reason: string
  /** The parameter that was wrong; null if it was none. */
  parameter: string | null
  /** The key that signed the request; null if none did. */
  key_id: string | null
}

export interface KeyUseTable {
  key_id: string
  /** The last day on which the key was used, in days since 1970, in real time. */
  day: number
}

/** The tables shared by both environments. */
/** The filters and the sort order of a list that a member of staff has saved. */
export interface SavedViewTable {
  id: string
  staff_id: string
  aid: string
  /** Such as `payments`. */
  list: string
  name: string
  /** JSON object: the parameters of the list's URL. */
  search: string
  is_default: 0 | 1
  created_at: Millis
}

/** An application of production and its counterpart in the sandbox. */
export interface ApplicationPairTable {
  production_aid: string
  sandbox_aid: string
  created_at: Millis
}

/** A token with which a program uses the management API. */
export interface ManagementTokenTable {
  id: string
  digest: string
  /** The beginning of the token, by which people recognize it. */
  start: string
  name: string
  role: 'developer' | 'support' | 'reader'
  /** Null for all applications. */
  aid: string | null
  /** The owner who made it; null for the command line. */
  made_by: string | null
  created_at: Millis
  /** Null if it works until it is revoked. */
  ends_at: Millis | null
  /** The last use, to within a minute. */
  used_at: Millis | null
  revoked_at: Millis | null
  /** When a restore brought it back: it waits until an owner confirms it. Null if it doesn't wait. */
  suspended_at: Millis | null
}

/** The emails with a link, to somebody who can't sign in yet or has forgotten the password. */
export type StaffLinkMailKind = 'invite' | 'reset' | 'forgot'

/** What an email about the security of an account tells its member. */
export type SecurityEvent = 'passkey_added' | 'passkey_removed' | 'password_changed'

/** The emails that a member can choose for each application. */
export type NotificationKind = NoticeKind | 'digest'

/** An email to a member of staff. It names no reader. The recipient is looked up when it is sent. */
export interface StaffMailTable {
  id: string
  /** Names the cause, so that it is mailed once to each member. */
  key: string
  kind: StaffLinkMailKind | NotificationKind | 'security'
  /** Null for an invitation, and for a link that somebody asked for who may not be a member. */
  staff_id: string | null
  /** Null if it concerns no application. */
  aid: string | null
  /** The link of an invitation or of a reset. Its token is derived from the id when the email is sent. */
  link_digest: string | null
  /** JSON with what is known only at the time of the cause. */
  payload: string
  status: MailStatus
  attempts: number
  created_at: Millis
  /** Not sent before this time. */
  due_at: Millis
  lease_token: string | null
  lease_until: Millis | null
  last_error: string | null
  sent_at: Millis | null
}

/** The emails that a member has chosen or declined. Without a row, the default of the role applies. */
export interface StaffNotificationTable {
  staff_id: string
  aid: string
  kind: NotificationKind
  is_on: 0 | 1
}

/** The last day of an application whose digest was made. */
export interface StaffDigestTable {
  aid: string
  day: string
}

export interface ControlTables {
  aids: AidTable
  application_pairs: ApplicationPairTable
  staff: StaffTable
  staff_sessions: StaffSessionTable
  staff_links: StaffLinkTable
  staff_passkeys: StaffPasskeyTable
  staff_challenges: StaffChallengeTable
  staff_tries: StaffTryTable
  audit: AuditTable
  refused_calls: RefusedCallTable
  key_uses: KeyUseTable
  saved_views: SavedViewTable
  staff_mails: StaffMailTable
  staff_notifications: StaffNotificationTable
  staff_digests: StaffDigestTable
  management_tokens: ManagementTokenTable
  meta: MetaTable
}
