import * as fields from '../../fields.ts'
import { optional, readParameters } from '../../parameters.ts'

/** The parameters of a search for records of a resource or a user. */
export const recordSearch = {
  rid: optional(fields.rid),
  user_ref: optional(fields.userRef),
  page: optional(fields.page, 0),
  pagesize: optional(fields.pagesize, 100),
}

/** Reads which records a request searches for, and which page of them. */
export function readRecordSearch({
  aid,
  parameters,
}: {
  aid: string
  parameters: Parameters<typeof readParameters>[1]
}) {
  const { page, pagesize, rid, user_ref: userRef } = readParameters(recordSearch, parameters)
  const window = { offset: page * pagesize, limit: pagesize }
  return { filter: { aid, rid, userRef }, window, paging: { page, pagesize } }
}
