import type { HistoryRow } from '../domain/history/history.ts'
import { withoutNulls } from './without-nulls.ts'

/** The values before or after a change; the fields depend on the action. */
export interface Facts {
  ends?: unknown
  [name: string]: unknown
}

const factsIn = (json: string | null) => (json === null ? null : (JSON.parse(json) as Facts))

/** A change in an export of a person's data. */
export function exportedChange(row: HistoryRow) {
  const { seq, at, actor, action, uid, rid, access_id } = row
  const facts = { before: factsIn(row.before), after: factsIn(row.after) }
  return { seq, at, actor, action, uid, rid, access_id, ...facts }
}

/** The same for the command line, which leaves out what is null. */
export function changeDetails(row: HistoryRow) {
  const { seq: _, at, actor, action, uid, rid, ...rest } = exportedChange(row)
  return withoutNulls({ at, action, actor, rid, uid, ...rest })
}
