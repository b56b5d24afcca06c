import type { Trx } from '../db/database.ts'
import type { Seconds } from '../db/tables.ts'
import { fail } from '../errors.ts'
import type { Delivery } from '../outbox/outbox.ts'
import { type AccessRow, findAccessById } from './details.ts'
import { grantAccess } from './grant.ts'
import type { Times } from './grant-wish.ts'

interface Extension {
  aid: string
  id: string
  /** FOREVER for access without an end. */
  ends: Seconds
  message?: string | undefined
  notify: Delivery | undefined
  actor: string
}

/** Another end for a record that there is: a grant to the same person. What was paid for stays as long as
 * it was paid for. */
export async function extendAccess(trx: Trx, wish: Extension, times: Times): Promise<AccessRow> {
  const { aid, id, ends, message, notify, actor } = wish
  const access = await findAccessById(trx, aid, id)
  if (!access || access.revoked !== null) throw fail('access_not_found')
  const { rid, email } = access
  if (email === null) {
    throw fail(
      'invalid_parameter',
      'This person has no e-mail address that is proven: set one first.',
    )
  }
  const granted = await grantAccess(trx, times, { aid, rid, email, ends, message, notify, actor })
  // Revoked or merged since we looked: what is granted then is another record, and nobody asked for it.
  if (granted.id !== id) throw fail('access_not_found')
  return granted
}
