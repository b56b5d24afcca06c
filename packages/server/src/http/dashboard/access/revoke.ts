import { Type } from 'typebox'
import type { Environment } from '../../../context.ts'
import { clocksOf } from '../../../domain/payments/context.ts'
import { isUpToBank } from '../../../domain/payments/payments.ts'
import { attemptRefunds } from '../../../domain/payments/refunds/attempt-refunds.ts'
import type { RevokeResult } from '../../../domain/payments/refunds/revoke.ts'
import { previewRevoke, revokeById } from '../../../domain/people/revoke.ts'
import { Failure } from '../../../errors.ts'
import { refundItem } from '../../../records/refund.ts'
import { sourceItem } from '../../../records/source.ts'
import { appRoute, STAFF, SUPPORT } from '../route.ts'
import type { RevokedCounts, RevokedManyCounts, RevokePreview } from './schemas.ts'
import { toAccessItem } from './view.ts'

const refund = Type.Optional(
  Type.Boolean({
    description: 'Whether payments for the access are refunded, where possible; false by default.',
  }),
)

const effect = appRoute('GET /access/:id/effect', {
  allowed: STAFF,
  async handle({ env, aid, params }): Promise<RevokePreview> {
    const now = env.clock()
    return await env.database.snapshot(async (db) => {
      const seen = await previewRevoke(db, { aid, id: params.id ?? '' }, now)
      return {
        access: await toAccessItem(db, aid, seen.access, now),
        sources: seen.sources.map(sourceItem),
        subscriptions: seen.subscriptions.map((one) => ({
          id: one.id,
          status: one.status,
          amount: { amount: one.amount, currency: one.currency },
          period: one.period,
          current_period_end: one.current_period_end,
        })),
        refundable: seen.refundable.map(({ payment, left }) => ({
          payment_id: payment.id,
          amount: { amount: left, currency: payment.currency },
          created: payment.created,
          disputed: isUpToBank(payment),
        })),
        refund_mail_to: seen.mailAddress ?? null,
      }
    })
  },
})

interface Revocation {
  aid: string
  id: string
  actor: string
  refund: boolean
}

const revokeOne = async (env: Environment, input: Revocation): Promise<RevokeResult> =>
  await env.database.write((trx) => revokeById(trx, input, clocksOf(env)))

const revoke = appRoute('POST /access/:id/revoke', {
  management: 'POST /access/:id/revoke',
  allowed: SUPPORT,
  action: 'access.revoke',
  body: Type.Object({ refund }),
  async handle({ env, aid, params, body, actor, note }): Promise<RevokedCounts> {
    const input = { aid, id: params.id ?? '', actor, refund: body.refund ?? false }
    note({ access: input.id, refund: input.refund })
    const { access, refunds } = await revokeOne(env, input)
    note({ uid: access.uid, rid: access.rid, refunds: refunds.length })
    return {
      access: await toAccessItem(env.database.read, aid, access, env.clock()),
      refunds: (await attemptRefunds(env, refunds)).map(refundItem),
    }
  },
})

const MAX_AT_ONCE = 500

/** Revokes each record in its own transaction, so that one that is already gone does not affect the others.
 * Refunds are left to the worker, which does not send hundreds to the provider concurrently. */
const revokeMany = appRoute('POST /access/revoke-many', {
  allowed: SUPPORT,
  action: 'access.revoke-many',
  body: Type.Object({
    ids: Type.Array(Type.String({ maxLength: 64 }), { minItems: 1, maxItems: MAX_AT_ONCE }),
    refund,
  }),
  async handle({ env, aid, body, actor, note }): Promise<RevokedManyCounts> {
    const done: RevokedManyCounts = { revoked: 0, refunds: 0, refused: [] }
    note({ asked: body.ids.length, refund: body.refund ?? false })
    for (const id of new Set(body.ids)) {
      try {
        const input = { aid, id, actor, refund: body.refund ?? false }
        const { refunds } = await revokeOne(env, input)
        done.revoked++
        done.refunds += refunds.length
      } catch (error) {
        if (!(error instanceof Failure) || error.status >= 500) throw error
        done.refused.push({ id, code: error.code, message: error.message })
      }
    }
    note({ revoked: done.revoked, refunds: done.refunds })
    return done
  },
})

export const revokeRoutes = [effect, revoke, revokeMany]
