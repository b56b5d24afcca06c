import {
  ApiError,
  type GatehouseManagement,
  type ManagementResult,
} from '@gatehouse/sdk/management'
import { Type } from 'typebox'
import { OperatorError } from '../../errors.ts'
import { readTool, text } from './tool.ts'

type Check = ManagementResult<'checkAccess'>

/** Asks about whomever a text may name: sites have references that look like addresses. */
async function explain(client: GatehouseManagement, user: string, rid: string): Promise<Check> {
  const [first, other] = await findChecks(client, user, rid)
  if (!first) throw new OperatorError(`No reader has the address, reference or uid ${user}.`)
  if (!other) return first
  throw new OperatorError(
    `${user} is the reference of one reader (uid ${first.uid}) and the email address of another ` +
      `(uid ${other.uid}). Ask again with the uid of the one who is meant.`,
  )
}

/** Returns one answer for each reader whom the text names. */
async function findChecks(client: GatehouseManagement, user: string, rid: string) {
  const names = [{ user_ref: user }, { uid: user }]
  const asked = names.map((name) => client.call('checkAccess', { query: { ...name, rid } }))
  const checks = await Promise.all([...asked, checkByEmail(client, user.trim(), rid)])
  const known = checks.filter((check) => check?.uid !== undefined) as Check[]
  return known.filter(({ uid }, i) => known.findIndex((one) => one.uid === uid) === i)
}

async function checkByEmail(client: GatehouseManagement, email: string, rid: string) {
  if (!email.includes('@')) return undefined
  try {
    return await client.call('checkAccess', { query: { email, rid } })
  } catch (error) {
    // A reference may have an @ and be no address.
    if (error instanceof ApiError && error.parameter === 'email') return undefined
    throw error
  }
}

export const explainAccess = readTool(
  'explain_access',
  'checkAccess',
  'Answers why a reader can or can’t see a resource: whether access is granted, the reason, since or until when, ' +
    'what gives it, and what could be bought. Start here for “why can’t she read it?”.',
  Type.Object({
    user: text('The reader: an email address, a reference of the site, or a uid.'),
    rid: text('The id of the resource. Use search if only its name is known.'),
  }),
  (client, { user, rid }) => explain(client, user, rid),
)
