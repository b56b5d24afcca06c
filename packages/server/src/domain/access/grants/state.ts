import type { Trx } from '../../../db/database.ts'
import { listRows, lockRows } from '../../../db/queries/rows.ts'
import type { AccessTable, SourceTable } from '../../../db/tables.ts'
import { findResources, type ResourceRow } from '../../resources/resources.ts'
import { emailKey } from '../../users/email.ts'
import { listUsers } from '../../users/find.ts'
import { findUidsByEmail, lockUsersByEmail } from '../../users/user-email.ts'
import type { UserRow } from '../../users/users.ts'
import type { Grant } from './input.ts'

/** The rows that a grant depends on. */
export interface GrantState {
  resource: ResourceRow | undefined
  /** The user whom the grant's email address names, or else the one whom `userRef` names if that user has no address yet. */
  user: UserRow | undefined
  /** Owner uid by name, for every reference and every uid to keep in the batch. */
  refOwners: ReadonlyMap<string, string>
  /** The names in the batch that are uids of existing users, and whether those users are erased. */
  uids: ReadonlyMap<string, { isErased: boolean }>
  /** The uid of the user whom an address names, by `emailKey`, for every former address in the batch. */
  addressOwners: ReadonlyMap<string, string>
  /** The user's unrevoked record on the resource, locked. */
  access: AccessTable | undefined
  /** The open sources of `access`. */
  sources: readonly SourceTable[]
  /** Access ids that the batch wants to keep and that already exist. */
  takenIds: ReadonlySet<string>
}

const present = <T>(values: readonly (T | undefined)[]): T[] =>
  values.filter((value) => value !== undefined)

/** Loads the state of every grant, with a few queries for the whole batch. */
export async function loadGrantStates(trx: Trx, grants: readonly Grant[]): Promise<GrantState[]> {
  const aid = grants[0]?.aid as string
  const refs = grants.flatMap((input) => refsIn(input))
  const resources = await findResources(trx, aid, [...new Set(grants.map((input) => input.rid))])
  const emails = grants.map(({ email }) => email)
  let users = await lockUsersByEmail(trx, aid, emails)
  const names = [...refs, ...present(grants.map((input) => input.preserve?.uid))]
  const refOwners = await findRefOwners(trx, aid, names)
  const uids = await findUids(trx, aid, names)
  const former = grants.flatMap(({ preserve }) => preserve?.formerAddresses ?? [])
  const addressOwners = await findUidsByEmail(trx, aid, former)
  const takenIds = await findTakenIds(trx, aid, present(grants.map((input) => input.preserve?.id)))
  // Each query sees what is committed by then, so the owner of a taken name may be a user created since the first
  // query. Without this second look, a concurrent retry of the same grant would be refused for its own name.
  const held = refOwners.size + uids.size + takenIds.size > 0
  const isSomebodyNew = emails.some((email) => !users.has(emailKey(email)))
  if (held && isSomebodyNew) users = await lockUsersByEmail(trx, aid, emails)
  const living = [...uids].flatMap(([uid, { isErased }]) => (isErased ? [] : [uid]))
  const unnamed = await lockUnnamed(trx, aid, [...new Set([...refOwners.values(), ...living])])
  const people = [...users.values(), ...unnamed]
  const access = await lockAccess(trx, aid, grants, people)
  const sources = await findOpenSources(trx, aid, access)
  const byUid = new Map(unnamed.map((row) => [row.uid, row]))
  const byRid = new Map(resources.map((row) => [row.rid, row]))
  const records = new Map(access.map((row) => [`${row.uid} ${row.rid}`, row]))
  return grants.map((input) => {
    const owner = refOwners.get(input.userRef ?? '') ?? input.userRef
    const user = users.get(emailKey(input.email)) ?? byUid.get(owner ?? '')
    const record = user && records.get(`${user.uid} ${input.rid}`)
    return {
      resource: byRid.get(input.rid),
      user,
      refOwners,
      uids,
      addressOwners,
      access: record,
      sources: record ? sources.filter((source) => source.access_id === record.id) : NO_SOURCES,
      takenIds,
    }
  })
}

const NO_SOURCES: readonly SourceTable[] = []

/** All references and aliases that a grant gives to its user. */
export function refsIn(input: Grant): string[] {
  const { otherRefs = [], aliases = [] } = input.preserve ?? {}
  return [...new Set([...present([input.userRef]), ...otherRefs, ...aliases])]
}

/** Locks readers who bought through a link without an email address. The first grant that names their reference and
 * an address gives them that address. */
async function lockUnnamed(trx: Trx, aid: string, uids: readonly string[]): Promise<UserRow[]> {
  return await lockRows(trx, 'users', { aid, uid: uids, email: null, erased: null }, 'uid')
}

async function findRefOwners(
  trx: Trx,
  aid: string,
  refs: readonly string[],
): Promise<Map<string, string>> {
  const rows = await listRows(trx, 'user_refs', { aid, ref: refs })
  return new Map(rows.map((row) => [row.ref, row.uid]))
}

async function findUids(
  trx: Trx,
  aid: string,
  refs: readonly string[],
): Promise<Map<string, { isErased: boolean }>> {
  const users = await listUsers(trx, aid, refs)
  return new Map(users.map(({ uid, erased }) => [uid, { isErased: erased !== null }]))
}

/** Locks the rows that the grants may change, in a fixed order, so that grants can't deadlock. */
async function lockAccess(
  trx: Trx,
  aid: string,
  grants: readonly Grant[],
  users: readonly UserRow[],
): Promise<AccessTable[]> {
  const rids = [...new Set(grants.map(({ rid }) => rid))]
  const uids = users.map(({ uid }) => uid)
  return await lockRows(trx, 'access', { aid, rid: rids, uid: uids, revoked: null }, 'id')
}

async function findOpenSources(
  trx: Trx,
  aid: string,
  access: readonly AccessTable[],
): Promise<SourceTable[]> {
  const ids = access.map(({ id }) => id)
  return await listRows(trx, 'sources', { aid, access_id: ids, closed: null })
}

/** An access id is unique in its application. */
async function findTakenIds(trx: Trx, aid: string, ids: readonly string[]): Promise<Set<string>> {
  const rows = await listRows(trx, 'access', { aid, id: ids })
  return new Set(rows.map((row) => row.id))
}
