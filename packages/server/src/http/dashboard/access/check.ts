import { Type } from 'typebox'
import { CODE_MEANINGS } from '../../../domain/decision/codes.ts'
import { decide } from '../../../domain/decision/decide.ts'
import * as fields from '../../../fields.ts'
import { readField } from '../../../parameters.ts'
import { checkRecord } from '../../../records/decision.ts'
import { appRoute, STAFF } from '../route.ts'
import type { ExplainedCheck } from './schemas.ts'

/** Why a reader may or may not see a resource, as the check of the access API says it. Unlike there, a refusal is not
 * counted: it is not the reader who asks. */
const check = appRoute('GET /access/check', {
  management: 'GET /access/check',
  allowed: STAFF,
  query: Type.Object({
    user_ref: Type.String({
      maxLength: 1_000,
      description: "Your site's user_ref for the reader, or the uid.",
    }),
    rid: Type.String({
      maxLength: 1_000,
      description: 'The id of the resource, as your site names it.',
    }),
  }),
  async handle({ env, aid, query }): Promise<ExplainedCheck> {
    const userRef = readField('user_ref', query.user_ref, fields.userRef)
    const rid = readField('rid', query.rid, fields.rid)
    const now = env.clock()
    const decisions = await decide(env.database.read, { aid, userRef, rids: [rid] }, now)
    const [record] = decisions.map(checkRecord) as [ReturnType<typeof checkRecord>]
    return { now, user_ref: userRef, meaning: CODE_MEANINGS[record.code], ...record }
  },
})

export const checkRoutes = [check]
