import type { Db, Trx } from '../../db/database.ts'
import { readMeta, setMeta } from '../../db/meta.ts'
import { deleteRows } from '../../db/queries/rows.ts'
import type { Millis } from '../../db/tables.ts'
import { newId } from '../../ids.ts'
import { bumpKeysVersion } from '../apps/keys.ts'
import type { MasterKey } from '../apps/master-key.ts'
import { findSecret, replaceSecret, secretBinding } from '../apps/secrets.ts'

/** The time of the connection, and the person who made it. */
interface Connected {
  connected: Millis
  /** A name for people: that of the member of staff, or "command line". */
  by: string
}

/** The keys of a Stripe account, as staff entered them. */
export interface PaymentsConnection extends Connected {
  secretKey: string
  /** Null if the key may not read it. */
  account: StripeAccount | null
  /** Null while Stripe sends us no events. Payments then settle by polling. */
  webhook: WebhookEndpoint | null
}

export interface StripeAccount {
  id: string
  name: string | null
}

export interface WebhookEndpoint {
  /** Stripe's id; null if the endpoint was created by hand. */
  id: string | null
  url: string
  secret: string
}

/** A mail server, as staff entered it. */
export interface MailConnection extends Connected {
  host: string
  port: number
  security: MailSecurity
  /** Both are null if the server needs no login. */
  user: string | null
  password: string | null
  sender: string
}

export const MAIL_SECURITIES = ['tls', 'starttls', 'none'] as const
export type MailSecurity = (typeof MAIL_SECURITIES)[number]

export interface StoredConnections {
  payments?: PaymentsConnection
  mail?: MailConnection
}

export type ConnectionKind = keyof StoredConnections
const KINDS: readonly ConnectionKind[] = ['payments', 'mail']

const secretName = (kind: ConnectionKind) => `connection/${kind}`

/** The row in `meta` that changes whenever a connection changes, so that other processes notice. */
const CONNECTIONS_VERSION = 'connections_version'

/** Returns undefined if nothing was ever connected. */
export const readConnectionsVersion = (db: Db): Promise<string | undefined> =>
  readMeta(db, CONNECTIONS_VERSION)

/** The row in `meta` that says that the publisher wants Link on payment pages. It also applies to the operator's keys. */
const OFFERS_LINK = 'stripe_offers_link'

export const readOffersLink = async (db: Db): Promise<boolean> =>
  (await readMeta(db, OFFERS_LINK)) === 'yes'

export async function setOffersLink(trx: Trx, isOffered: boolean): Promise<void> {
  await setMeta(trx, OFFERS_LINK, isOffered ? 'yes' : 'no')
  await setMeta(trx, CONNECTIONS_VERSION, newId())
}

/** Reads and decrypts all connections of an environment. */
export async function readConnections(db: Db, masterKey: MasterKey): Promise<StoredConnections> {
  const found: Record<string, unknown> = {}
  for (const kind of KINDS) {
    const name = secretName(kind)
    const sealed = await findSecret(db, name)
    if (sealed !== undefined) found[kind] = JSON.parse(masterKey.open(sealed, secretBinding(name)))
  }
  return found
}

/** Stores a connection in place of the one before. It is one sealed text in the `secrets` table, so that a rotation of
 * the master key, a backup and a move carry it like every other secret. */
export async function saveConnection<K extends ConnectionKind>(
  trx: Trx,
  masterKey: MasterKey,
  kind: K,
  connection: NonNullable<StoredConnections[K]>,
): Promise<void> {
  // Taken before sealing: serializes with a rotation of the master key.
  await bumpKeysVersion(trx)
  await replaceSecret(trx, masterKey, secretName(kind), JSON.stringify(connection))
  await setMeta(trx, CONNECTIONS_VERSION, newId())
}

export async function removeConnection(trx: Trx, kind: ConnectionKind): Promise<void> {
  await deleteRows(trx, 'secrets', { name: secretName(kind) })
  await setMeta(trx, CONNECTIONS_VERSION, newId())
}

/** Removes all connections, for a copy that becomes an installation of its own. */
export async function removeConnections(trx: Trx): Promise<void> {
  for (const kind of KINDS) await removeConnection(trx, kind)
}
