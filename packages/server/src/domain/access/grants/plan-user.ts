import type { FormerAddressTable } from '../../../db/tables.ts'
import { fail, invalid } from '../../../errors.ts'
import { newUid } from '../../../ids.ts'
import { emailKey } from '../../users/email.ts'
import type { UserRow } from '../../users/users.ts'
import type { Clocks, Grant } from './input.ts'
import { type GrantState, refsIn } from './state.ts'

/** What a grant writes about its user. */
export interface UserPlan {
  /** The user with the changes. */
  user: UserRow
  newUser?: UserRow
  /** Changed names of an existing user, and the address of one who had none. */
  rename?: Pick<UserRow, 'aid' | 'uid' | 'first_name' | 'last_name' | 'email' | 'email_key'>
  newRefs: { aid: string; uid: string; ref: string; alias: 0 | 1 }[]
  newFormerAddresses: FormerAddressTable[]
}

export function planUser(state: GrantState, input: Grant, clocks: Clocks): UserPlan {
  const user: UserRow = state.user ?? {
    aid: input.aid,
    uid: newUidFor(state, input),
    email: input.email,
    email_key: emailKey(input.email),
    first_name: input.firstName ?? '',
    last_name: input.lastName ?? '',
    created: Math.min(input.preserve?.created ?? clocks.now, clocks.now),
    erased: null,
    contact_email: null,
    link_number: 0,
  }
  const newNames = {
    newRefs: newRefsOf(state, user, input),
    newFormerAddresses: newFormerAddressesOf(state, user, input),
  }
  if (!state.user) return { user, newUser: user, ...newNames }
  const names = {
    first_name: input.firstName ?? user.first_name,
    last_name: input.lastName ?? user.last_name,
  }
  const address = {
    email: user.email ?? input.email,
    email_key: user.email_key ?? emailKey(input.email),
  }
  const renamed =
    names.first_name !== user.first_name ||
    names.last_name !== user.last_name ||
    user.email === null
  return {
    user: { ...user, ...names, ...address },
    ...newNames,
    ...(renamed ? { rename: { aid: user.aid, uid: user.uid, ...names, ...address } } : {}),
  }
}

function newUidFor(state: GrantState, input: Grant): string {
  const kept = input.preserve?.uid
  if (kept === undefined) return newUid()
  if (state.uids.has(kept)) {
    throw invalid('uid', 'belongs to a user with another email address')
  }
  if (state.refOwners.has(kept)) {
    throw invalid('uid', 'already used as the user_ref of another user')
  }
  return kept
}

function newRefsOf(state: GrantState, user: UserRow, input: Grant): UserPlan['newRefs'] {
  const { aid, preserve } = input
  return refsIn(input)
    .filter((ref) => isNewRef(state, user, ref))
    .map((ref) => ({ aid, uid: user.uid, ref, alias: preserve?.aliases?.includes(ref) ? 1 : 0 }))
}

/** Whether to add a reference to this user. Throws if it belongs to somebody else or is a uid. */
function isNewRef(state: GrantState, user: UserRow, ref: string): boolean {
  if (ref === user.uid) return false
  const owner = state.refOwners.get(ref)
  if (owner === user.uid) return false
  if (owner !== undefined) throw fail('user_ref_taken')
  const named = state.uids.get(ref)
  if (named) throw fail(named.isErased ? 'user_ref_erased' : 'user_ref_is_uid')
  return true
}

/** The former addresses in an imported row that the user doesn't have yet, now or formerly. Throws if one names somebody
 * else. */
function newFormerAddressesOf(
  { addressOwners }: GrantState,
  { aid, uid, email_key }: UserRow,
  { email: granted, preserve }: Grant,
): FormerAddressTable[] {
  const own = email_key ?? emailKey(granted)
  const byKey = new Map((preserve?.formerAddresses ?? []).map((email) => [emailKey(email), email]))
  const rows: FormerAddressTable[] = []
  for (const [key, email] of byKey) {
    const owner = addressOwners.get(key)
    if (owner !== undefined && owner !== uid) throw fail('email_taken')
    if (owner === undefined && key !== own) rows.push({ aid, email_key: key, email, uid })
  }
  return rows
}

/** Where a grant's mail goes: to the address as spelled in the grant, which may differ from the stored spelling. If the grant
 * names the user by a former address, the mail goes to the user's own. */
export const recipientOf = (user: Pick<UserRow, 'email' | 'email_key'>, email: string): string =>
  user.email_key === emailKey(email) ? email : (user.email ?? email)
