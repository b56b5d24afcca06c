import type { Trx } from '../../db/database.ts'
import { updateRows } from '../../db/queries/rows.ts'

/** Fields whose text can't identify a person: our own ids, statuses and reasons. Any other text may be personal. */
const PRESERVED_FIELDS = new Set([
  ...['uid', 'payment', 'refund', 'subscription', 'merged_into', 'merged_from'],
  ...['status', 'why', 'flag', 'failure', 'reason', 'currency'],
])

/** Removes typed text, such as tags, from the history of these users. What happened, when and by whom stays.
 * Returns how many rows changed. */
export async function redactHistory(
  trx: Trx,
  aid: string,
  uids: readonly string[],
): Promise<number> {
  const rows = await trx
    .selectFrom('history')
    .select(['seq', 'tie_breaker', 'before', 'after'])
    .where('aid', '=', aid)
    .where('uid', 'in', uids)
    .where((eb) => eb.or([eb('before', 'is not', null), eb('after', 'is not', null)]))
    .execute()
  let changed = 0
  for (const { seq, tie_breaker, ...facts } of rows) {
    const [before, after] = [withoutPersonalText(facts.before), withoutPersonalText(facts.after)]
    if (before === facts.before && after === facts.after) continue
    await updateRows(trx, 'history', { aid, seq, tie_breaker }, { before, after })
    changed++
  }
  return changed
}

function withoutPersonalText(json: string | null): string | null {
  if (json === null) return null
  const facts = Object.entries(JSON.parse(json) as Record<string, unknown>)
  const kept = facts.filter(([name, value]) =>
    typeof value === 'string'
      ? PRESERVED_FIELDS.has(name)
      : value === null || typeof value !== 'object',
  )
  return JSON.stringify(Object.fromEntries(kept))
}
