import type { Trx } from '../../db/database.ts'
import { updateRows } from '../../db/queries/rows.ts'

/** Fields of events that name nobody: our own ids, times, amounts and states. All other text may be personal. */
const KEPT_FIELDS = new Set([
  ...['id', 'type', 'timestamp', 'version', 'aid', 'environment', 'sequence', 'uid', 'merged_uid'],
  ...['rid', 'access_id', 'payment_id', 'subscription_id', 'download_id', 'currency', 'status'],
  ...[
    'code',
    'kind',
    'via',
    'flag',
    'reason',
    'period',
    'outcome',
    'actor',
    'action',
    'why',
    'path',
    'traceparent',
  ],
])

/** The text that replaces personal text in the events of an erased reader. */
const REDACTED = ''

/** Removes personal text from the stored events of these users, and returns the number of events. The last event, by
 * which sites learn of the erasure, stays: without the references they could not carry it out. */
export async function redactEvents(
  trx: Trx,
  aid: string,
  uids: readonly string[],
): Promise<number> {
  const rows = await trx
    .selectFrom('events')
    .select(['id', 'body'])
    .where('aid', '=', aid)
    .where('uid', 'in', uids)
    .where('type', '<>', 'user.erased')
    .execute()
  let changed = 0
  for (const { id, body } of rows) {
    const redacted = redactEventBody(body)
    if (redacted === body) continue
    await updateRows(trx, 'events', { aid, id }, { body: redacted })
    changed++
  }
  return changed
}

/** Returns the JSON of an event without personal text. */
const redactEventBody = (body: string): string => {
  const event = JSON.parse(body) as Record<string, unknown>
  return JSON.stringify({ ...(redactValue(event, '') as object), redacted: true })
}

function redactValue(value: unknown, name: string): unknown {
  if (typeof value === 'string') return KEPT_FIELDS.has(name) ? value : REDACTED
  if (Array.isArray(value)) {
    // Lists of texts are references, tags and what a pass opens.
    return value.some((one) => typeof one === 'string')
      ? []
      : value.map((one) => redactValue(one, name))
  }
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, redactValue(inner, key)]),
  )
}
