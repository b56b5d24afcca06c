import { Type } from 'typebox'
import {
  confirmManagementToken,
  createManagementToken,
  listManagementTokens,
  requireTokenName,
  revokeManagementToken,
  TOKEN_ROLES,
  type TokenRow,
} from '../../../domain/staff/management-tokens.ts'
import { OWNERS, staffRoute } from '../route.ts'
import type { NewTokenItem, TokenItem } from './schemas.ts'
import { realTimeOf } from './sign-in.ts'

const toItem = ({ digest: _, ...row }: TokenRow): TokenItem => row

const list = staffRoute('GET /tokens', {
  allowed: OWNERS,
  async handle({ ctx }): Promise<{ data: TokenItem[] }> {
    return { data: (await listManagementTokens(ctx.control.read)).map(toItem) }
  },
})

const create = staffRoute('POST /tokens', {
  allowed: OWNERS,
  action: 'token.create',
  confirmation: 'recent',
  body: Type.Object({
    name: Type.String({ minLength: 1, maxLength: 100 }),
    role: Type.Enum([...TOKEN_ROLES]),
    /** Null for all applications. */
    aid: Type.Union([Type.String({ maxLength: 64 }), Type.Null()]),
    /** In milliseconds; null if it works until it is revoked. */
    ends_at: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()]),
  }),
  async handle({ ctx, body, staff, note }): Promise<NewTokenItem> {
    const { role, aid, ends_at: endsAt } = body
    const input = { name: requireTokenName(body.name), role, aid, endsAt, madeBy: staff.id }
    note({ name: input.name, role, ...(aid === null ? {} : { for: aid }) })
    const { token, row } = await ctx.control.write((trx) =>
      createManagementToken(trx, input, realTimeOf(ctx)),
    )
    note({ token: row.id })
    return { ...toItem(row), token }
  },
})

const revoke = staffRoute('POST /tokens/:id/revoke', {
  allowed: OWNERS,
  action: 'token.revoke',
  async handle({ ctx, params, note }): Promise<TokenItem> {
    const now = realTimeOf(ctx)
    const row = await ctx.control.write((trx) => revokeManagementToken(trx, params.id ?? '', now))
    note({ name: row.name })
    return toItem(row)
  },
})

/** Lets a token work again that waits since a restore. */
const confirm = staffRoute('POST /tokens/:id/confirm', {
  allowed: OWNERS,
  action: 'token.confirm',
  confirmation: 'recent',
  async handle({ ctx, params, note }): Promise<TokenItem> {
    const row = await ctx.control.write((trx) => confirmManagementToken(trx, params.id ?? ''))
    note({ name: row.name })
    return toItem(row)
  },
})

export const tokenRoutes = [list, create, revoke, confirm]
