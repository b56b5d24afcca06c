import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import type { Environment } from '../../context.ts'
import { decide } from '../../domain/decision/decide.ts'
import { listEntitlements } from '../../domain/decision/list.ts'
import {
  PREVIEWED_ACTIONS,
  type PreviewedAction,
  previewDecision,
} from '../../domain/decision/preview.ts'
import * as fields from '../../fields.ts'
import { optional, readParameters, required } from '../../parameters.ts'
import {
  AccessChecks,
  checkRecord,
  EntitlementPage,
  entitlementPage,
} from '../../records/decision.ts'
import { contract, type Endpoint } from './contract.ts'

/** How many rids fit into the head of any request, whatever proxy is in front. */
const MAX_IN_QUERY = 100
const MAX_IN_BODY = 1_000

/** Rids with a space between them. A rid has no white space. */
function ridList(most: number, tooMany: string): fields.Field<string[]> {
  return {
    schema: Type.String({
      description: `1 to ${most} rids with a space between them, which is written \`%20\` or \`+\`.`,
    }),
    read(text) {
      const rids = text.split(' ')
      if (rids.length > most) return tooMany
      for (const [i, rid] of rids.entries()) {
        const result = rid === '' ? fields.problems.empty : fields.rid.read(rid)
        if (typeof result === 'string') return `number ${i + 1}${quoted(rid)} ${result}`
      }
      return { value: rids }
    },
  }
}

const MAX_QUOTED = 40
const quoted = (rid: string) => (rid === '' ? '' : ` (${[...rid].slice(0, MAX_QUOTED).join('')})`)

const ACTIONS = PREVIEWED_ACTIONS.join('|')
const PREVIEWED = new RegExp(`^(${ACTIONS}):(.{1,64})$`, 'u')

const previewed: fields.Field<PreviewedAction> = {
  schema: Type.String({
    pattern: `^(${ACTIONS}):`,
    description:
      'The action after which the answer would hold; it is not carried out. `revoke:` with the ID of an access ' +
      'record, `refund:` with that of a payment, or `cancel:` with that of a subscription.',
  }),
  read(text) {
    const [, action, id] = PREVIEWED.exec(text) ?? []
    if (action === undefined || id === undefined) {
      return 'must be revoke:ACCESS, refund:PAYMENT or cancel:SUBSCRIPTION'
    }
    return { value: { action: action as PreviewedAction['action'], id } }
  },
}

const parametersFor = (rids: fields.Field<string[]>) => ({
  user_ref: required(fields.userRef),
  rids: required(rids),
  if: optional(previewed),
})

const inQuery = parametersFor(
  ridList(MAX_IN_QUERY, `must be at most ${MAX_IN_QUERY}; POST takes ${MAX_IN_BODY}`),
)
const inBody = parametersFor(ridList(MAX_IN_BODY, `must be at most ${MAX_IN_BODY}`))

/** A position in a list, as an opaque text. */
const cursor: fields.Field<string> = {
  schema: Type.String({
    description: 'The `cursor` of the previous page; left out for the first page.',
  }),
  read(text) {
    const rid = Buffer.from(text, 'base64url').toString()
    const isOurs = encodeCursor(rid) === text && typeof fields.rid.read(rid) !== 'string'
    return isOurs ? { value: rid } : 'not a cursor of this list'
  },
}

const encodeCursor = (rid: string) => Buffer.from(rid).toString('base64url')

const list = {
  user_ref: required(fields.userRef),
  cursor: optional(cursor),
  pagesize: optional(fields.pagesize, 100),
}

export function checkRoutes(app: FastifyInstance, env: Environment): void {
  addQuestion(app, env, 'get', checkAccess, inQuery)
  addQuestion(app, env, 'post', checkManyAccess, inBody)
  addList(app, env)
}

interface Question {
  aid: string
  userRef: string
  rids: readonly string[]
}

async function answer(env: Environment, question: Question, action: PreviewedAction | undefined) {
  const { now, decisions } = action
    ? await previewDecision(env, question, action)
    : await decideNow(env, question)
  return { now, user_ref: question.userRef, checks: decisions.map(checkRecord) }
}

async function decideNow({ database, clock, refusals }: Environment, question: Question) {
  const { aid, userRef, rids } = question
  const now = clock()
  const decisions = await decide(database.read, question, now)
  const [only] = decisions
  // A check of several resources asks what to show in a list, and not for a reader who wants to see one of them.
  if (rids.length === 1 && only?.granted === false) {
    const { rid, record } = only
    const isExpired = record?.rid === rid && record.revoked === null
    refusals.add(aid, rid, userRef, isExpired ? record.ends : undefined)
  }
  return { now, decisions }
}

/** The action of `if` fails as it would if it were carried out. */
const OF_PREVIEWS = [
  'access_not_found',
  'payment_not_found',
  'subscription_not_found',
  'refund_too_large',
  'payment_not_refundable',
  'storage_full',
] as const

/** Adds a way to ask: a few resources fit into the query, many into a body. */
function addQuestion(
  app: FastifyInstance,
  env: Environment,
  method: 'get' | 'post',
  about: Pick<Endpoint, 'id' | 'summary' | 'description' | 'isForm'>,
  parameters: typeof inQuery,
): void {
  const endpoint = { ...about, parameters, response: AccessChecks, failures: OF_PREVIEWS }
  app[method]('/r2/access/check', contract(endpoint), async ({ signed }) => {
    const { user_ref: userRef, rids, if: action } = readParameters(parameters, signed.parameters)
    return await answer(env, { aid: signed.aid, userRef, rids }, action)
  })
}

const checkAccess = {
  id: 'checkAccess',
  summary: 'May this user see these resources, and why?',
  description:
    'The status is 200 also if access is not granted: decide by `granted` alone. ' +
    'With `if`, the answer is the one after an action, which is not carried out.',
}

const checkManyAccess = {
  id: 'checkManyAccess',
  summary: 'The same for up to 1,000 resources',
  description:
    'Changes nothing. Up to 160 KiB are read. The query takes the parameters too, as far as proxies let it pass.',
  isForm: true as const,
}

function addList(app: FastifyInstance, { database, clock }: Environment): void {
  app.get(
    '/r2/access/list',
    contract({
      id: 'listEntitlements',
      summary: 'Everything that a user may see',
      description:
        'One entry for each live access record, by rid. While `more` is true, ask again ' +
        'with the `cursor` of the answer.',
      parameters: list,
      response: EntitlementPage,
    }),
    async (request) => {
      const { aid, parameters } = request.signed
      const { user_ref: userRef, cursor: after = '', pagesize } = readParameters(list, parameters)
      const now = clock()
      const question = { aid, userRef, after, limit: pagesize }
      const { entitlements, next } = await listEntitlements(database.read, question, now)
      const page = { entitlements, next: next === undefined ? undefined : encodeCursor(next) }
      return entitlementPage(userRef, page, now)
    },
  )
}
