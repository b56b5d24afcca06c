import type { Trx } from '../../db/database.ts'
import type { Seconds } from '../../db/tables.ts'
import { fail } from '../../errors.ts'
import type { Delivery } from '../mail/outbox.ts'
import { type AccessRow, findAccessById } from './details.ts'
import { grantAccess } from './grants/grant.ts'
import type { Clocks } from './grants/input.ts'

interface Extension {
  aid: string
  id: string
  /** FOREVER for access without an end date. */
  ends: Seconds
  message?: string | undefined
  notify: Delivery | undefined
  actor: string
}

/** Changes the end of an existing record with a grant to the same user. Paid time is not shortened. */
export async function extendAccess(trx: Trx, input: Extension, clocks: Clocks): Promise<AccessRow> {
  const { aid, id, ends, message, notify, actor } = input
  const access = await findAccessById(trx, aid, id)
  if (!access || access.revoked !== null) throw fail('access_not_found')
  const { rid, email } = access
  if (email === null) {
    throw fail('invalid_parameter', 'This user has no verified email address. Set one first.')
  }
  const granted = await grantAccess(trx, { aid, rid, email, ends, message, notify, actor }, clocks)
  // The record was revoked or merged since we read it, so the grant created or changed another one. Roll that back.
  if (granted.id !== id) throw fail('access_not_found')
  return granted
}
