import type { HistoryRow } from '../domain/history/history.ts'
import { withoutNulls } from './without-nulls.ts'

/** The values before or after a change; the fields depend on the action. */
export interface ChangedValues {
  ends?: unknown
  [name: string]: unknown
}

const valuesIn = (json: string | null) =>
  json === null ? null : (JSON.parse(json) as ChangedValues)

/** A change in an export of a person's data. */
export function exportedChange(row: HistoryRow) {
  const { seq, at, actor, action, uid, rid, access_id } = row
  const values = { before: valuesIn(row.before), after: valuesIn(row.after) }
  return { seq, at, actor, action, uid, rid, access_id, ...values }
}

/** The same for the command line, which leaves out what is null. */
export function changeDetails(row: HistoryRow) {
  const { seq: _, at, actor, action, uid, rid, ...rest } = exportedChange(row)
  return withoutNulls({ at, action, actor, rid, uid, ...rest })
}
