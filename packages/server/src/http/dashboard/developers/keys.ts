import { findKeyUses } from '../../../domain/apps/calls.ts'
import { decryptKey, listLiveKeys, revokeKey, rotateKey } from '../../../domain/apps/keys.ts'
import { recordHistory } from '../../../domain/history/history.ts'
import { fail } from '../../../errors.ts'
import { appRoute, DEVELOPERS, type Route } from '../route.ts'
import { type KeyItem, type RevealedKey, RotateBody } from './schemas.ts'

const DAY_MS = 86_400_000

const list = appRoute('GET /keys', {
  allowed: DEVELOPERS,
  async handle({ ctx, env, aid }): Promise<{ data: KeyItem[] }> {
    const rows = await listLiveKeys(env.database.read, aid, env.realTime())
    await env.calls.flush()
    const ids = rows.map(({ id }) => id)
    const days = await findKeyUses(ctx.control.read, ids)
    const used = (id: string) => {
      const day = days.get(id)
      return day === undefined ? null : day * DAY_MS
    }
    const data = rows.map(({ id, created, dies }) => ({
      ...{ id, created_at: created, dies_at: dies, used_at: used(id) },
    }))
    return { data }
  },
})

const reveal = appRoute('POST /keys/:id/reveal', {
  allowed: DEVELOPERS,
  action: 'key.reveal',
  confirmation: 'recent',
  async handle({ ctx, env, aid, params }): Promise<RevealedKey> {
    const keys = await listLiveKeys(env.database.read, aid, env.realTime())
    const key = keys.find(({ id }) => id === params.id)
    if (!key) throw fail('key_not_found')
    return { id: key.id, private_key: decryptKey(ctx.masterKey, key) }
  },
})

const rotate = appRoute('POST /keys/rotate', {
  allowed: DEVELOPERS,
  action: 'key.rotate',
  confirmation: 'recent',
  body: RotateBody,
  async handle({ ctx, env, aid, body, actor, note }): Promise<RevealedKey> {
    const key = await env.database.write(async (trx) => {
      const made = await rotateKey(trx, ctx.masterKey, aid, body.overlap * 1000, env.realTime())
      await recordHistory(trx, [
        { aid, at: env.clock(), actor, action: 'key rotated', after: { key_id: made.id } },
      ])
      return made
    })
    note({ key_id: key.id, overlap: body.overlap })
    return { id: key.id, private_key: key.privateKey }
  },
})

const revoke = appRoute('POST /keys/:id/revoke', {
  allowed: DEVELOPERS,
  action: 'key.revoke',
  async handle({ env, aid, params, actor }) {
    const keyId = params.id as string
    await env.database.write(async (trx) => {
      await revokeKey(trx, aid, keyId, env.realTime())
      await recordHistory(trx, [
        { aid, at: env.clock(), actor, action: 'key revoked', before: { key_id: keyId } },
      ])
    })
    return { id: keyId, revoked: true }
  },
})

export const keyRoutes: readonly Route[] = [list, reveal, rotate, revoke]
