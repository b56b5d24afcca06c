import type { DeliveryRow } from '../domain/downloads/deliveries.ts'
import { withoutNulls } from './without-nulls.ts'

/** A delivery for the command line. `link` is the link's id, with which nobody can download. */
export function deliveryDetails(row: DeliveryRow) {
  const { at, aid, rid, uid, link, answers, bytes, outcome } = row
  return withoutNulls({ at, aid, rid, uid, link, answers, bytes, outcome })
}
