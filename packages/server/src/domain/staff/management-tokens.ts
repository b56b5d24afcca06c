import { randomBytes } from 'node:crypto'
import type { Selectable } from 'kysely'
import type { ControlDatabase } from '../../db/database.ts'
import { findRow, updateRows } from '../../db/queries/rows.ts'
import type { ManagementTokenTable, Millis } from '../../db/tables.ts'
import { fail, invalid, requireFound } from '../../errors.ts'
import { nameText } from '../../fields.ts'
import { newId } from '../../ids.ts'
import { readField } from '../../parameters.ts'
import { type ControlDb, type ControlTrx, lockStaff, type Role } from './staff.ts'
import { digestOf } from './tokens.ts'

/** The roles that a program may have. There are no owner tokens: actions for owners only are for people. */
export type TokenRole = Exclude<Role, 'owner'>
export const TOKEN_ROLES = [
  'developer',
  'support',
  'reader',
] as const satisfies readonly TokenRole[]

export type TokenRow = Selectable<ManagementTokenTable>

/** The form of every token: a prefix that secret scanners can find, and 32 random bytes. */
const TOKEN_PATTERN = /^ghm_[A-Za-z0-9_-]{43}$/

const START_LENGTH = 8

/** More live tokens than an installation needs; a script that makes one for every run is stopped here. */
const MAX_LIVE = 100

/** Minimum time between two updates of `used_at`, so that not every request causes a write. */
const NOTED_EVERY: Millis = 60_000

export const tokenName = nameText(60, 'The name of a token.')
export const requireTokenName = (typed: string) => readField('name', typed.trim(), tokenName)

export interface NewManagementToken {
  name: string
  role: TokenRole
  /** The only application that it may use; null for all, including future ones. */
  aid: string | null
  /** Null if it works until it is revoked. */
  endsAt: Millis | null
  /** The id of the owner who makes it; null for the command line. */
  madeBy: string | null
}

/** Returns the token, which can't be read again, and its row. */
export async function createManagementToken(
  trx: ControlTrx,
  { name, role, aid, endsAt, madeBy }: NewManagementToken,
  now: Millis,
): Promise<{ token: string; row: TokenRow }> {
  if (endsAt !== null && endsAt <= now) throw invalid('ends_at', 'must be in the future')
  await lockStaff(trx)
  if (aid !== null && !(await findRow(trx, 'aids', { aid }))) throw fail('application_not_found')
  if ((await countLive(trx, now)) >= MAX_LIVE) throw fail('too_many_tokens')
  const token = `ghm_${randomBytes(32).toString('base64url')}`
  const row: TokenRow = {
    ...{ id: newId(), digest: digestOf(token), start: token.slice(0, START_LENGTH) },
    ...{ name, role, aid, made_by: madeBy },
    ...{ created_at: now, ends_at: endsAt, used_at: null, revoked_at: null, suspended_at: null },
  }
  await trx.insertInto('management_tokens').values(row).execute()
  return { token, row }
}

async function countLive(trx: ControlTrx, now: Millis): Promise<number> {
  const { n } = await trx
    .selectFrom('management_tokens')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('revoked_at', 'is', null)
    .where((eb) => eb.or([eb('ends_at', 'is', null), eb('ends_at', '>', now)]))
    .executeTakeFirstOrThrow()
  return Number(n)
}

/** Read from the database for every request, so that a revocation takes effect with the next one, in every process. */
export async function requireManagementToken(
  control: ControlDatabase,
  token: string,
  now: Millis,
): Promise<TokenRow> {
  const row = TOKEN_PATTERN.test(token)
    ? await findRow(control.read, 'management_tokens', { digest: digestOf(token) })
    : undefined
  if (!row) throw fail('invalid_token')
  if (row.revoked_at !== null) throw fail('invalid_token', 'This token was revoked.')
  if (row.ends_at !== null && row.ends_at <= now) {
    throw fail('invalid_token', 'This token has expired.')
  }
  if (row.suspended_at !== null) throw fail('token_suspended')
  if (row.used_at === null || row.used_at <= now - NOTED_EVERY) await noteUse(control, row.id, now)
  return row
}

async function noteUse(control: ControlDatabase, id: string, now: Millis): Promise<void> {
  await control.write(async (trx) => {
    await updateRows(trx, 'management_tokens', { id }, { used_at: now })
  })
}

/** Lists the newest tokens first, revoked ones included. */
export async function listManagementTokens(db: ControlDb): Promise<TokenRow[]> {
  return await db
    .selectFrom('management_tokens')
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute()
}

/** Lets a token work again that waits since a restore. One that doesn't wait stays as it is. */
export async function confirmManagementToken(trx: ControlTrx, id: string): Promise<TokenRow> {
  await lockStaff(trx)
  const row = requireFound(await findRow(trx, 'management_tokens', { id }), 'token_not_found')
  await updateRows(trx, 'management_tokens', { id }, { suspended_at: null })
  return { ...row, suspended_at: null }
}

/** Revoking a token twice is not an error, and keeps the first time. */
export async function revokeManagementToken(
  trx: ControlTrx,
  id: string,
  now: Millis,
): Promise<TokenRow> {
  await lockStaff(trx)
  const row = requireFound(await findRow(trx, 'management_tokens', { id }), 'token_not_found')
  const revoked_at = row.revoked_at ?? now
  await updateRows(trx, 'management_tokens', { id }, { revoked_at })
  return { ...row, revoked_at }
}
