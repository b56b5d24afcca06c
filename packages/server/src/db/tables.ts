import type { Generated } from 'kysely'

/** Whole seconds since 1970, in the environment's business time. */
export type Seconds = number

/** Milliseconds since 1970, in real time. */
export type Millis = number

/** An end that never comes: one past the last time that a client may name. Kept as a number so that
 * "the latest end" is a plain maximum and "live" a plain comparison, on both databases. */
export const FOREVER: Seconds = 253402300800

export interface ApplicationTable {
  aid: string
  name: string
  /** ISO 4217, shown on free access. */
  currency: string
  /** Sender of its mails; null means the installation's. */
  mail_from: string | null
  /** Text template of the grant mail; null means the built-in one. */
  mail_template: string | null
  created: Seconds
  archived: Seconds | null
  /** On receipts; null means the application's name, and nothing. */
  seller_name: string | null
  seller_address: string | null
  tax_line: string | null
  /** JSON array: the addresses that a buyer may be sent back to begin with one of these. */
  return_urls: string
  /** How long access stays open while a renewal can't be paid. */
  grace_days: number
}

export interface ApplicationKeyTable {
  id: string
  aid: string
  /** The private key, sealed under the master key. */
  sealed: string
  created: Millis
  /** From then on the key is dead (end of a rotation's overlap, or a revoke). */
  dies: Millis | null
}

export interface ResourceTable {
  aid: string
  rid: string
  name: string
  url: string
  created: Seconds
  /** In some words, what it is; empty if nobody has said. */
  description: string
  /** An address, or empty. */
  image: string
  /** Since when nothing of it is sold or granted; the access that there is stays. */
  archived: Seconds | null
}

export interface UserTable {
  aid: string
  uid: string
  /** Both null once the person was erased, or while the address that the person typed is unproven. */
  email: string | null
  email_key: string | null
  first_name: string
  last_name: string
  created: Seconds
  erased: Seconds | null
  /** Typed at a checkout by somebody whom only a reference names: mails go there, and it names nobody. */
  contact_email: string | null
}

export interface UserRefTable {
  aid: string
  ref: string
  uid: string
  /** 1 for a uid or a reference of a user who was merged into this one. A user who has only aliases
   * counts as one without a reference. */
  alias: Generated<0 | 1>
}

export interface AccessTable {
  id: string
  aid: string
  rid: string
  uid: string
  /** The reference of the last grant. */
  user_ref: string | null
  /** Price of the latest paid source, in minor units; 0 with a null currency for a free grant. */
  amount: number
  currency: string | null
  created: Seconds
  /** The latest end of its open sources. */
  ends: Seconds
  revoked: Seconds | null
  /** JSON array, as shown; `access_tags` holds the same for searching. */
  tags: string
}

export interface AccessTagTable {
  aid: string
  tag: string
  access_id: string
  /** Of its record; filled in by the database. */
  created: Generated<Seconds>
}

/** How many unrevoked records there are, but for what `access_changes` has yet to add. */
export interface AccessCountTable {
  aid: string
  /** '' for the application, `r` and a rid, `t` and a tag. */
  scope: string
  all_n: number
  /** Those past the watermark. */
  live_n: number
}

/** One row: up to where, in the order of (ends, id), records are counted as over. */
export interface AccessWatermarkTable {
  name: string
  ends: Seconds
  access_id: string
}

/** Written by the database with every change of a record or its tags. */
export interface AccessChangeTable {
  seq: Generated<number>
  aid: string
  scope: string
  ends: Seconds
  access_id: string
  n: number
}

/** What holds an access open. */
export interface SourceTable {
  id: string
  aid: string
  access_id: string
  kind: 'grant' | 'purchase' | 'subscription'
  created: Seconds
  ends: Seconds
  closed: Seconds | null
  /** Counts the different grants that this source has seen; part of the mail's key. */
  revision: number
  /** Digest of the last grant's message, to tell a retry from a new grant. */
  message_digest: string
  /** 1 if the last grant called for a mail. */
  notified: 0 | 1
  /** Of a purchase: when its period begins, which is later than now while another paid one runs. */
  starts: Seconds | null
  /** Of a purchase: `30 days`; null for ever. */
  period: string | null
  payment_id: string | null
  subscription_id: string | null
  /** Of a purchase whose period had begun when a merge put it behind another one: the seconds that were
   * left of the period then. Null where the whole period counts. */
  remaining: Seconds | null
}

/** Something that can be bought of a resource. Never changed, only archived. */
export interface PriceTable {
  id: string
  aid: string
  rid: string
  /** Minor units. */
  amount: number
  currency: string
  recurring: 0 | 1
  /** `1 month`; null for access without an end, bought once. */
  period: string | null
  trial_days: number
  created: Seconds
  archived: Seconds | null
}

export type SubscriptionStatus = 'trialing' | 'active' | 'past_due' | 'canceled' | 'ended'

/** What the worker does next with a subscription. */
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
  /** Null without a trial. */
  trial_ends: Seconds | null
  /** Where the first paid period began: every later one is counted from there. */
  anchor: Seconds
  /** How many periods were paid. */
  periods: number
  current_period_start: Seconds
  current_period_end: Seconds
  canceled: Seconds | null
  ended: Seconds | null
  /** When the worker has to look at it again, and what for; null while it waits for a payment. */
  next_due: Seconds | null
  next_step: SubscriptionStep | null
  /** Charges that failed for the period to come. */
  tries: number
  provider: string
  /** What the provider charges; null where it is not known (sold elsewhere). */
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
  /** Null for money that holds nothing open. */
  access_id: string | null
  subscription_id: string | null
  checkout_id: string | null
  period_start: Seconds | null
  period_end: Seconds | null
  amount: number
  /** Sum of the refunds that succeeded. */
  refunded: number
  currency: string
  provider: string
  provider_ref: string | null
  method: string | null
  status: PaymentStatus
  /** Why somebody should look at it: `late`, `duplicate`, `mismatch`. */
  flag: PaymentFlag | null
  /** Why it failed: `declined`, `needs_payer`, … */
  failure: string | null
  created: Seconds
  settled: Seconds | null
  attempts: number
  /** When the provider is asked next; null once it is settled. */
  due: Millis | null
  lease_until: Millis | null
}

export type PaymentFlag = 'late' | 'duplicate' | 'mismatch'

/** As for a payment; or the reader, the address or the card had a trial before. */
export type CheckoutRefusal = PaymentFlag | 'trial_used'

export type RefundStatus = 'pending' | 'succeeded' | 'failed'

export interface RefundTable {
  id: string
  aid: string
  payment_id: string
  amount: number
  currency: string
  status: RefundStatus
  /** Why it failed, or why it was made without anybody asking: `disputed`, `late`, `duplicate`. */
  reason: string | null
  /** The caller's own name for it: asked for twice under one name, it is one refund. */
  reference: string | null
  actor: string
  created: Seconds
  settled: Seconds | null
  provider_ref: string | null
  attempts: number
  due: Millis | null
  lease_until: Millis | null
  last_error: string | null
}

export interface CheckoutTable {
  /** Unguessable: who knows it may see the checkout. */
  id: string
  aid: string
  rid: string
  /** `card` puts a new card on a subscription. */
  purpose: 'buy' | 'card'
  /** What a purchase link says of a resource that may not exist yet. */
  resource_name: string | null
  resource_url: string | null
  amount: number
  currency: string
  recurring: 0 | 1
  period: string | null
  trial_days: number
  user_ref: string | null
  /** In a link, and so vouched for by the application. */
  vouched_email: string | null
  /** Typed by whoever sits there: unproven. */
  typed_email: string | null
  first_name: string
  last_name: string
  return_url: string | null
  /** Tells which of the application's keys signed the link; the way back is signed with it too. */
  key_mark: string | null
  /** Digest of a link that is good for one purchase. */
  link_mark: string | null
  subscription_id: string | null
  /** Who got what was bought; null until it is paid, or until that person is erased. */
  uid: string | null
  /** The id that the payment will have: the provider knows it before we have the row. */
  payment_id: string
  provider: string
  provider_ref: string | null
  status: 'open' | 'paid' | 'expired'
  created: Seconds
  expires: Seconds
  paid: Seconds | null
  /** When the provider is asked how it stands; of an expired one, when it is asked to close its page. */
  due: Millis | null
  /** Why a completed checkout opened nothing; null where it opened what was bought. */
  refusal: CheckoutRefusal | null
  /** The provider's page closes at this moment of real time; null before there is a page. */
  page_ends: Millis | null
}

/** An address or a card that had the trial of a resource. */
export interface TrialTable {
  aid: string
  rid: string
  kind: 'email' | 'card'
  /** A keyed digest: it can be compared, and names nobody. */
  mark: string
  created: Seconds
}

/** Why the provider's books and ours differ, where only staff can decide what to do. */
export type FindingKind =
  | 'charge_unknown'
  | 'charge_missing'
  | 'charge_in_doubt'
  | 'checkout_unknown'
  | 'amount_differs'
  | 'refund_unknown'

export interface FindingTable {
  id: string
  kind: FindingKind
  /** What it is about: the provider's name for it, or our id. One finding of a kind for each. */
  subject: string
  message: string
  /** Null where the charge names no application. It may name one that a restore has lost. */
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
  /** When staff said that it is dealt with, in real time; null while it is open. */
  dismissed: Seconds | null
}

/** What the test cards remember: saved cards, charges and refunds. */
export interface TestLedgerTable {
  id: string
  kind: 'session' | 'method' | 'charge' | 'refund'
  /** Our id of it; a second call with the same one is the same call. */
  key: string | null
  card: string
  charge_id: string | null
  amount: number
  currency: string
  status: string
  failure: string | null
  dispute: 'opened' | 'won' | 'lost' | null
  tries: number
  created: Millis
}

export type StoreName = 'disk' | 's3'

/** Bytes that a store keeps. */
export interface FileTable {
  id: string
  store: StoreName
  /** In hexadecimal; null, as the size is, until all bytes are there. */
  sha256: string | null
  size: number | null
  created: Millis
  /** Since when no record names it; null while one does. */
  dropped: Millis | null
}

/** What a resource has to download; one at most. */
export interface DownloadTable {
  id: string
  aid: string
  rid: string
  title: string
  description: string
  /** An address, or empty. */
  image: string
  file_id: string
  /** What the file is called on the reader's side. */
  file_name: string
  /** Media type. */
  type: string
  /** When this very file was put here. */
  filed: Seconds
  created: Seconds
  modified: Seconds
  published: Seconds | null
}

/** One of the uses that a limited link has had; it covers all that is fetched for a day. */
export interface DownloadUseTable {
  link: string
  /** Counted from 1. */
  number: number
  /** How many the link allows. */
  most: number
  aid: string
  opened: Seconds
  /** When the link ends, and this row is of no use any more. */
  ends: Seconds
}

/** `complete`: all that was asked for was sent. `redirected`: handed over to another server, which knows
 * how it went. */
export type DeliveryOutcome = 'complete' | 'partial' | 'redirected'

/** Answers with bytes of a file, by one link within a moment: a download in parts is many at once. */
export interface DeliveryTable {
  id: string
  aid: string
  rid: string
  download_id: string
  /** Names the link and does not open it. */
  link: string
  /** Who it was made for; null for a link that names nobody. */
  uid: string | null
  at: Seconds
  answers: number
  bytes: number
  outcome: DeliveryOutcome
}

/** What is left to do after a person was erased. */
export interface ErasureTable {
  aid: string
  uid: string
  created: Millis
  /** When it is looked at next. */
  due: Millis
  attempts: number
  /** 1 once the database files hold no copy of what was deleted. */
  scrubbed: 0 | 1
}

/** Keys of the installation itself, sealed under the master key. */
export interface SecretTable {
  name: string
  sealed: string
}

/** Who did what, when. People are named by uid only, so that they can be erased. */
export interface HistoryTable {
  seq: Generated<number>
  aid: string
  uid: string | null
  rid: string | null
  access_id: string | null
  at: Seconds
  actor: string
  action: string
  /** JSON objects with what changed, or null. */
  before: string | null
  after: string | null
  /** Key of the mail that this change called for. */
  mail_key: string | null
}

export type MailStatus = 'queued' | 'sending' | 'sent' | 'dead' | 'kept'

export type MailKind =
  | 'grant'
  | 'receipt'
  | 'payment_failed'
  | 'trial_ends'
  | 'canceled'
  | 'refunded'

export interface OutboxTable {
  id: string
  /** Names the event that called for the mail; unique, so that no event has two. */
  key: string
  aid: string
  uid: string
  kind: MailKind
  recipient: string
  /** JSON: all that the template needs. */
  payload: string
  status: MailStatus
  attempts: number
  created: Millis
  /** Not tried before then. */
  due: Millis
  lease_token: string | null
  lease_until: Millis | null
  last_error: string | null
  sent: Millis | null
}

export interface MetaTable {
  name: string
  value: string
}

/** The tables of one environment. */
export interface Tables {
  applications: ApplicationTable
  application_keys: ApplicationKeyTable
  resources: ResourceTable
  users: UserTable
  user_refs: UserRefTable
  access: AccessTable
  access_tags: AccessTagTable
  access_counts: AccessCountTable
  access_watermark: AccessWatermarkTable
  access_changes: AccessChangeTable
  sources: SourceTable
  history: HistoryTable
  outbox: OutboxTable
  secrets: SecretTable
  prices: PriceTable
  subscriptions: SubscriptionTable
  payments: PaymentTable
  refunds: RefundTable
  checkouts: CheckoutTable
  trials: TrialTable
  reconciliation_findings: FindingTable
  test_ledger: TestLedgerTable
  files: FileTable
  downloads: DownloadTable
  download_uses: DownloadUseTable
  deliveries: DeliveryTable
  erasures: ErasureTable
  meta: MetaTable
}

export interface AidTable {
  aid: string
  environment: string
}

/** Somebody who runs the place. */
export interface StaffTable {
  id: string
  email: string
  email_key: string
  name: string
  role: 'owner' | 'developer' | 'support' | 'reader'
  /** Argon2id; null until one was set. */
  password: string | null
  created_at: Millis
  disabled_at: Millis | null
}

/** A browser where somebody is signed in. */
export interface StaffSessionTable {
  /** SHA-256 of what its cookie holds. */
  token_digest: string
  /** Names it, and does not open it. */
  id: string
  staff_id: string
  created_at: Millis
  seen_at: Millis
  ends_at: Millis
  agent: string
}

export interface StaffLinkTable {
  token_digest: string
  kind: 'setup' | 'invite' | 'reset'
  /** Who it is for; null for a set-up link. */
  email: string | null
  email_key: string | null
  role: StaffTable['role']
  /** Whose password it sets anew; null where it makes a member. */
  staff_id: string | null
  /** Which owner made it; null for the command line. */
  made_by: string | null
  created_at: Millis
  ends_at: Millis
  used_at: Millis | null
}

export interface StaffPasskeyTable {
  id: string
  /** As the authenticator names it. */
  credential_id: string
  staff_id: string
  /** Base64url. */
  public_key: string
  counter: number
  /** JSON array. */
  transports: string
  name: string
  created_at: Millis
  used_at: Millis | null
}

export interface StaffChallengeTable {
  /** SHA-256 of the challenge. */
  digest: string
  /** Who registers a passkey; null for a challenge that somebody has signed in with, which is kept so that it
   * is used once. */
  staff_id: string | null
  ends_at: Millis
}

export interface StaffTryTable {
  /** What wrong passwords are counted by; an account by a digest of what was typed. */
  subject: string
  begun_at: Millis
  tries: number
}

/** What the staff did. Readers are named by uid only, so that they can be erased. */
export interface AuditTable {
  seq: Generated<number>
  at: Millis
  staff_id: string | null
  email: string
  environment: string | null
  aid: string | null
  action: string
  /** JSON objects. */
  params: string
  details: string
  outcome: string
}

/** A request to the API that was not carried out. Nothing that a client has sent is in it but the names
 * of a route and of one of its parameters. */
export interface RefusedCallTable {
  id: string
  aid: string
  at: Millis
  method: string
  /** The pattern, as `/r2/user/:user_ref`. */
  route: string
  status: number
  /** The code of the failure; where the signature was refused, what was wrong with it. */
  reason: string
  parameter: string | null
  /** Which key has signed it; null if none has. */
  key_id: string | null
}

export interface KeyUseTable {
  key_id: string
  /** The last one, in real time, counted from 1970. */
  day: number
}

/** The tables beside both environments. */
export interface ControlTables {
  aids: AidTable
  staff: StaffTable
  staff_sessions: StaffSessionTable
  staff_links: StaffLinkTable
  staff_passkeys: StaffPasskeyTable
  staff_challenges: StaffChallengeTable
  staff_tries: StaffTryTable
  audit: AuditTable
  refused_calls: RefusedCallTable
  key_uses: KeyUseTable
  meta: MetaTable
}
