import { type Static, Type } from 'typebox'
import { CODE_MEANINGS } from '../../../domain/decision/codes.ts'
import { type Decision, decide } from '../../../domain/decision/decide.ts'
import { email as emailField } from '../../../domain/users/email.ts'
import { findUidByName, type UserName } from '../../../domain/users/user-name.ts'
import { fail, invalid } from '../../../errors.ts'
import * as fields from '../../../fields.ts'
import { readField } from '../../../parameters.ts'
import { checkRecord } from '../../../records/decision.ts'
import { appRoute, STAFF } from '../route.ts'
import type { ExplainedCheck } from './schemas.ts'

const given = (description: string) => Type.String({ maxLength: 1_000, description })

const Query = Type.Object({
  user_ref: Type.Optional(
    given(
      'The reader by the user_ref of your site. Exactly one of `user_ref`, `uid` and `email` is needed.',
    ),
  ),
  uid: Type.Optional(given('The reader by the uid, whatever references the reader has.')),
  email: Type.Optional(given('The reader by the email address.')),
  rid: given('The id of the resource, as your site names it.'),
})

type AskedName = Pick<Static<typeof Query>, 'user_ref' | 'uid' | 'email'>

const READERS: Readonly<Record<keyof AskedName, (text: string) => UserName>> = {
  user_ref: (text) => ({ userRef: readField('user_ref', text, fields.userRef) }),
  uid: (text) => ({ uid: readField('uid', text, fields.userRef) }),
  email: (text) => ({ email: readField('email', text, emailField) }),
}

const NAMES = ['user_ref', 'uid', 'email'] as const

/** Reads which reader is meant. */
function readReader(query: AskedName): UserName {
  const [name, other] = NAMES.filter((one) => query[one] !== undefined)
  if (name === undefined) {
    throw fail('invalid_parameter', 'One of user_ref, uid and email is required.')
  }
  if (other !== undefined) {
    throw invalid(other, `can't be combined with ${name}; send one of user_ref, uid and email`)
  }
  return READERS[name](query[name] as string)
}

/** Why a reader may or may not see a resource, as the check of the access API says it. Unlike there, a refusal is not
 * counted: it is not the reader who asks. */
const check = appRoute('GET /access/check', {
  management: 'GET /access/check',
  allowed: STAFF,
  query: Query,
  async handle({ env, aid, query }): Promise<ExplainedCheck> {
    const reader = readReader(query)
    const rid = readField('rid', query.rid, fields.rid)
    const now = env.clock()
    return await env.database.snapshot(async (db) => {
      const uid = await findUidByName(db, aid, reader)
      const [decision] = (await decide(db, { aid, ...reader, rids: [rid] }, now)) as [Decision]
      const meaning = meaningOf(decision, reader)
      return { now, ...toNames(query, uid), meaning, ...checkRecord(decision) }
    })
  },
})

/** Names the reader as the request did, and by the uid. */
const toNames = ({ user_ref, email }: AskedName, uid: string | undefined) => ({
  ...(user_ref === undefined ? {} : { user_ref }),
  ...(email === undefined ? {} : { email }),
  ...(uid === undefined ? {} : { uid }),
})

function meaningOf({ code }: Decision, reader: UserName): string {
  if (code !== 'user_unknown' || 'userRef' in reader) return CODE_MEANINGS[code]
  return `No user has this ${'uid' in reader ? 'uid' : 'email address'}.`
}

export const checkRoutes = [check]
