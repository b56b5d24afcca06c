import type { Trx } from '../../db/database.ts'
import type { MailKind } from '../../db/tables.ts'
import type { Clocks } from '../access/grants/input.ts'
import { getApplication } from '../apps/applications.ts'
import { type Delivery, enqueueMails, type NewMail } from '../mail/outbox.ts'
import type { MailPayloads, Seller } from '../mail/payloads.ts'
import { findResources } from '../resources/resources.ts'
import { mailAddressOf } from '../users/buyer.ts'
import { findLiveUser } from '../users/users.ts'

export type PaymentMailKind = Exclude<MailKind, 'grant' | 'address_changed'>

/** The event-specific part of a mail. The user, the resource and the seller are looked up. */
export interface MailEvent<K extends PaymentMailKind> {
  kind: K
  /** Identifies the event, so that it is mailed once. */
  key: string
  /** Overrides the user's address. */
  to?: string | undefined
  about: { aid: string; uid: string; rid: string; amount: number; currency: string }
  payload: Omit<
    MailPayloads[K],
    'at' | 'resource' | 'first_name' | 'amount' | 'currency' | 'seller' | 'url'
  >
}

export const trialNoticeKey = ({ id }: { id: string }) => `trial_ends:${id}`

/** Queues a mail to the reader, if an address is known. Returns its key, for the history of the change. */
export async function enqueuePaymentMail<K extends PaymentMailKind>(
  trx: Trx,
  event: MailEvent<K>,
  clocks: Clocks,
  delivery: Delivery,
): Promise<string | undefined> {
  const { aid, uid, rid, amount, currency } = event.about
  const user = await findLiveUser(trx, aid, uid)
  const [resource] = await findResources(trx, aid, [rid])
  const recipient = event.to ?? (user && mailAddressOf(user))
  if (!user || !resource || recipient === undefined) return undefined
  const payload = {
    at: clocks.now,
    resource: resource.name,
    url: resource.url,
    first_name: user.first_name,
    amount,
    currency,
    seller: await sellerOf(trx, aid),
    ...event.payload,
  }
  const { key, kind } = event
  const to = { recipient, linkNumber: user.link_number }
  const mail = { key, aid, uid, kind, ...to, payload, delivery } as unknown as NewMail
  await enqueueMails(trx, [mail], clocks)
  return key
}

async function sellerOf(trx: Trx, aid: string): Promise<Seller> {
  const app = await getApplication(trx, aid)
  return {
    name: app.seller_name ?? app.name,
    address: app.seller_address ?? '',
    tax_line: app.tax_line ?? '',
  }
}
