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
}

export interface UserTable {
  aid: string
  uid: string
  /** Both null once the person was erased. */
  email: string | null
  email_key: string | null
  first_name: string
  last_name: string
  created: Seconds
  erased: Seconds | null
}

export interface UserRefTable {
  aid: string
  ref: string
  uid: string
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
}

/** What holds an access open. A grant is the first kind. */
export interface SourceTable {
  id: string
  aid: string
  access_id: string
  kind: 'grant'
  created: Seconds
  ends: Seconds
  closed: Seconds | null
  /** Counts the different grants that this source has seen; part of the mail's key. */
  revision: number
  /** Digest of the last grant's message, to tell a retry from a new grant. */
  message_digest: string
  /** 1 if the last grant called for a mail. */
  notified: 0 | 1
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

export interface OutboxTable {
  id: string
  /** Names the event that called for the mail; unique, so that no event has two. */
  key: string
  aid: string
  uid: string
  kind: 'grant'
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
  sources: SourceTable
  history: HistoryTable
  outbox: OutboxTable
  meta: MetaTable
}

export interface AidTable {
  aid: string
  environment: string
}

/** The tables beside both environments. */
export interface ControlTables {
  aids: AidTable
  meta: MetaTable
}
