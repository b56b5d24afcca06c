import type { FastifyInstance } from 'fastify'
import type { Environment } from '../../context.ts'
import { FOREVER } from '../../db/tables.ts'
import { type AccessRow, findAccess } from '../../domain/access/details.ts'
import { searchAccess } from '../../domain/access/search.ts'
import { accessNotFound, findOpenAccess } from '../../domain/passes/records.ts'
import { clocksOf } from '../../domain/payments/context.ts'
import type { RefundRow } from '../../domain/payments/payments.ts'
import { refundOnce } from '../../domain/payments/refunds/refund-once.ts'
import { revokeWithRefund } from '../../domain/payments/refunds/revoke.ts'
import { email } from '../../domain/users/email.ts'
import { lockUidByRef } from '../../domain/users/user-ref.ts'
import { fail } from '../../errors.ts'
import * as fields from '../../fields.ts'
import {
  optional,
  optionalNonEmpty,
  readParameters,
  required,
  valueOfAlias,
} from '../../parameters.ts'
import {
  AccessDetails,
  AccessPage,
  accessRecord,
  openAccessRecord,
  RevokedAccess,
} from '../../records/access.ts'
import { refundRecord } from '../../records/refund.ts'
import { contract } from './contract.ts'
import { addWrite } from './request/add-write.ts'

export const getAccessParameters = {
  rid: required(fields.rid),
  user_ref: required(fields.userRef),
  show_expired: optional(
    fields.described(
      'Whether an expired access of the resource itself is returned if there is no live one.',
      fields.flag,
    ),
    false,
  ),
}

const search = {
  rid: optionalNonEmpty(fields.rid),
  user_ref: optionalNonEmpty(fields.userRef),
  email: optionalNonEmpty(email),
  tag: optionalNonEmpty(fields.tag),
  show_expired: optional(
    fields.described('Whether expired access is found too.', fields.flag),
    false,
  ),
  page: optional(fields.page, 0),
  pagesize: optional(fields.pagesize, 100),
}

const grant = {
  rid: required(fields.rid),
  email: required(email),
  user_ref: optional(
    fields.described(
      'Your own name for the user: unique, and the same every time. Without it, the records show the `uid`. ' +
        'The `uid` of another user is refused.',
      fields.userRef,
    ),
  ),
  expiration: optionalNonEmpty(
    fields.described(
      'When the access ends, in seconds since 1970; without it, the access has no end date.',
      fields.seconds,
    ),
  ),
  expires: optionalNonEmpty(
    fields.described(
      'Another name for `expiration`, as in the record. Give one of the two.',
      fields.seconds,
    ),
  ),
  message: optional(fields.message),
  suppress_email: optional(
    fields.described('Whether no email about the grant is sent to the user.', fields.flag),
    false,
  ),
  first_name: optional(fields.described("The user's first name.", fields.personName)),
  last_name: optional(fields.described("The user's last name.", fields.personName)),
  tags: optional(fields.tags),
}

const revoke = {
  rid: required(fields.rid),
  user_ref: required(fields.userRef),
  refund: optional(
    fields.described('Whether the current payment of each source is refunded.', fields.flag),
    false,
  ),
}

export function accessRoutes(app: FastifyInstance, env: Environment): void {
  addGet(app, env)
  addSearch(app, env)
  addGrant(app, env)
  addRevoke(app, env)
}

function addGet(app: FastifyInstance, { database, clock, refusals }: Environment): void {
  app.get(
    '/r2/access',
    contract({
      id: 'getAccess',
      summary: 'May this user see this resource?',
      description:
        'Live access only: expired or revoked access is a 404. If the user has none to the resource ' +
        'itself, the record of a pass that opens it answers, and `via` names the pass.',
      parameters: getAccessParameters,
      response: AccessDetails,
      failures: ['access_not_found'],
    }),
    async (request) => {
      const { aid, parameters } = request.signed
      const input = readParameters(getAccessParameters, parameters)
      const key = { aid, rid: input.rid, userRef: input.user_ref }
      const now = clock()
      const found = await findOpenAccess(database.read, key, now, input.show_expired)
      if (found) return openAccessRecord(found, input.rid)
      if (!request.isSelfRequest) {
        const own = await findAccess(database.read, key, now, true)
        refusals.add(aid, input.rid, input.user_ref, own && own.ends <= now ? own.ends : undefined)
      }
      throw fail('access_not_found')
    },
  )
}

function addSearch(app: FastifyInstance, { database, clock }: Environment): void {
  app.get(
    '/r2/access/search',
    contract({
      id: 'searchAccess',
      summary: 'Search access records',
      description:
        'Newest first. Filters combine with AND. Revoked access is left out. A record of a pass has the `rid` of ' +
        'the pass, and is not found by what the pass opens. Records that are granted ' +
        'while you read page after page can shift the pages; from the 10,000th record on, they do not.',
      parameters: search,
      response: AccessPage,
    }),
    async (request) => {
      const { aid, parameters } = request.signed
      const { page, pagesize, ...input } = readParameters(search, parameters)
      const { rid, email, tag, user_ref: userRef, show_expired: showExpired } = input
      const filter = { aid, rid, userRef, email, tag, showExpired }
      const window = { offset: page * pagesize, limit: pagesize }
      const { rows, total } = await searchAccess(database.read, filter, window, clock())
      return { data: rows.map(accessRecord), total, page, pagesize }
    },
  )
}

function addGrant(app: FastifyInstance, env: Environment): void {
  addWrite(
    app,
    '/r2/access/grant',
    {
      id: 'grantAccess',
      summary: 'Grant access',
      description:
        'One record per user and resource: a repeated grant updates it, an identical one changes ' +
        'nothing and sends no second mail.',
      parameters: grant,
      response: AccessDetails,
      failures: [
        'user_ref_taken',
        'user_ref_is_uid',
        'user_ref_erased',
        'resource_archived',
        'resource_not_found',
      ],
    },
    async (input, { signed, write }) => {
      const ends = valueOfAlias(['expiration', input.expiration], ['expires', input.expires])
      const wanted = {
        aid: signed.aid,
        rid: input.rid,
        email: input.email,
        userRef: input.user_ref,
        ends: ends ?? FOREVER,
        message: input.message,
        firstName: input.first_name,
        lastName: input.last_name,
        tags: input.tags,
        notify: input.suppress_email ? undefined : env.delivery,
        actor: 'api',
      }
      const toAnswer = (row: AccessRow) => ({ status: 200, body: accessRecord(row) })
      return await env.grants.grantOnce(wanted, write, toAnswer)
    },
  )
}

function addRevoke(app: FastifyInstance, env: Environment): void {
  addWrite(
    app,
    '/r2/access/revoke',
    {
      id: 'revokeAccess',
      summary: 'Revoke access',
      description:
        'Ends every source of the access at once, a subscription too. The second revoke is a 404. ' +
        'With `refund` the current payment of each source is paid back, once. Only the record of this `rid` ends: ' +
        'revoking a pass ends what is open through it, and what a user has through a pass alone is a 404 that names the pass.',
      parameters: revoke,
      response: RevokedAccess,
      failures: ['access_not_found'],
    },
    async ({ rid, user_ref: userRef, refund }, { signed: { aid }, write }) =>
      await refundOnce(env, write, async (trx) => {
        const uid = await lockUidByRef(trx, aid, userRef)
        const who = { aid, rid, actor: 'api', refund }
        const revoked =
          uid === undefined
            ? undefined
            : await revokeWithRefund(trx, { ...who, uid }, clocksOf(env))
        if (!revoked) throw await accessNotFound(trx, { aid, rid, userRef }, env.clock())
        const { access, refunds } = revoked
        return { uid: access.uid, refunds, toBody: (settled) => revokedRecord(access, settled) }
      }),
  )
}

function revokedRecord(access: AccessRow, rows: readonly RefundRow[]) {
  const refunds = rows.map(refundRecord)
  return {
    ...accessRecord(access),
    revoked: access.revoked,
    refund: refunds.at(-1) ?? null,
    refunds,
  }
}
