import type { Environment } from '../../context.ts'
import { updateRows } from '../../db/queries/rows.ts'
import { type CheckoutRow, createCheckout } from '../../domain/payments/checkout/checkouts.ts'
import { newUid } from '../../ids.ts'
import { signForPurpose } from '../../signing/links.ts'
import { ONCE } from './shop.ts'

/** Makes a manage token as the versions did that named no application in it. */
export function oldManageToken(key: Buffer, subscriptionId: string, expires: number): string {
  const text = `${subscriptionId}.${expires}`
  return `${text}.${signForPurpose('gatehouse manage link v1', key, text)}`
}

/** Creates a checkout with an id of the versions whose ids named no application. */
export async function createOldCheckout(
  env: Environment,
  { aid, rid, userRef }: { aid: string; rid: string; userRef: string },
): Promise<CheckoutRow> {
  const names = { firstName: '', lastName: '' }
  const made = await createCheckout(env, { aid, rid, userRef, terms: ONCE, ...names })
  const id = newUid()
  await env.database.write((trx) => updateRows(trx, 'checkouts', { aid, id: made.id }, { id }))
  return { ...made, id }
}
