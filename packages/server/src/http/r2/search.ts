import type { FastifyInstance } from 'fastify'
import * as fields from '../../fields.ts'
import { optional, optionalNonEmpty, readParameters } from '../../parameters.ts'
import { contract, type Endpoint } from './contract.ts'

const parameters = {
  rid: optionalNonEmpty(fields.rid),
  user_ref: optionalNonEmpty(fields.userRef),
  page: optional(fields.page, 0),
  pagesize: optional(fields.pagesize, 100),
}

interface RecordFilter {
  aid: string
  rid: string | undefined
  userRef: string | undefined
}

/** Adds a search for the records of a resource or of a user, page by page. */
export function addRecordSearch(
  app: FastifyInstance,
  path: string,
  about: Omit<Endpoint, 'parameters'>,
  find: (
    filter: RecordFilter,
    window: { offset: number; limit: number },
  ) => Promise<{ data: object[]; total: number }>,
): void {
  app.get(
    path,
    contract({ ...about, parameters }),
    async ({ signed: { aid, parameters: given } }) => {
      const { page, pagesize, rid, user_ref: userRef } = readParameters(parameters, given)
      const window = { offset: page * pagesize, limit: pagesize }
      return { ...(await find({ aid, rid, userRef }, window)), page, pagesize }
    },
  )
}
