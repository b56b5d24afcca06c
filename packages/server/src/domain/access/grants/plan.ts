import { createHash } from 'node:crypto'
import type { AccessTable, Seconds, SourceTable } from '../../../db/tables.ts'
import { fail, invalid } from '../../../errors.ts'
import { newOrderedId, newSortedId } from '../../../ids.ts'
import type { Change, NewReader } from '../../history/history.ts'
import type { NewMail } from '../../mail/outbox.ts'
import type { UserRow } from '../../users/users.ts'
import type { Clocks, Grant } from './input.ts'
import { planUser, recipientOf, type UserPlan } from './plan-user.ts'
import type { GrantState } from './state.ts'

/** The rows that a grant writes. */
export interface GrantPlan extends Omit<UserPlan, 'user'> {
  accessId: string
  newAccess?: AccessTable
  changedAccess?: Pick<AccessTable, 'aid' | 'id' | 'user_ref' | 'ends' | 'tags'>
  /** The complete new tags, if they change. */
  tags?: { aid: string; accessId: string; tags: readonly string[]; replace: boolean }
  newSource?: SourceTable
  changedSource?: Pick<
    SourceTable,
    'aid' | 'id' | 'ends' | 'revision' | 'message_digest' | 'notified'
  >
  mail?: NewMail
  /** One entry per change; empty for an identical repeat. */
  changes: Change[]
  /** Whether the person has not been told about this grant yet, so that one that notifies sends a mail. */
  isUnannounced: boolean
  /** The end of the access before the grant; null for new access. */
  endsBefore: Seconds | null
  /** The end of the access after the grant. */
  ends: Seconds
}

/** Decides which rows a grant writes. A pure function: it does no I/O. */
export function planGrant(state: GrantState, input: Grant, clocks: Clocks): GrantPlan {
  if (!state.resource) throw fail('resource_not_found')
  if (state.resource.archived !== null) throw fail('resource_archived')
  requirePreservable(state, input)
  const { user, ...person } = planUser(state, input, clocks)
  const source = planSource(state, input, clocks)
  const access = planAccess(state, input, user, source.row, clocks)
  const mail = source.notify ? planMail(state, input, user, source.row) : undefined
  const plan: GrantPlan = {
    ...{ accessId: access.row.id, changes: [], ...person, ...access.writes },
    ...{ isUnannounced: source.isUnannounced, endsBefore: state.access?.ends ?? null },
    ends: access.row.ends,
  }
  const sourceRow = { ...source.row, access_id: access.row.id }
  if (source.isNew) plan.newSource = sourceRow
  else if (source.differs) plan.changedSource = sourceRow
  if (mail) plan.mail = mail
  plan.changes = describe(plan, state, input, access.row, clocks)
  return plan
}

/** A given id or uid is kept or the grant is refused; it is never silently replaced. */
function requirePreservable({ user, access, takenIds }: GrantState, { preserve }: Grant): void {
  if (preserve?.uid !== undefined && user && user.uid !== preserve.uid) {
    throw invalid('uid', 'the user with this email address has another uid')
  }
  if (preserve?.id === undefined || preserve.id === access?.id) return
  if (takenIds.has(preserve.id)) {
    throw invalid('id', 'another record already has this id')
  }
  if (access) {
    throw invalid('id', 'the record of this user and resource has another id')
  }
}

function planSource(state: GrantState, input: Grant, clocks: Clocks) {
  const last = state.sources.find((source) => source.kind === 'grant')
  const digest = createHash('sha256')
    .update(input.message ?? '')
    .digest('base64url')
  // A grant that is over already is no news, unless it ends an earlier one.
  const isNews = Math.max(input.ends, last?.ends ?? 0) > clocks.now
  const notify = isNews && input.notify !== undefined
  // The same end and message mean a retry of the same grant, which gets no second mail.
  const repeated = last?.ends === input.ends && last.message_digest === digest
  const row: SourceTable = {
    id: last?.id ?? newOrderedId(),
    aid: input.aid,
    access_id: last?.access_id ?? '',
    kind: 'grant',
    created: last?.created ?? clocks.now,
    ends: input.ends,
    closed: null,
    revision: last ? last.revision + (repeated ? 0 : 1) : 1,
    message_digest: digest,
    notified: notify || (repeated && last.notified) ? 1 : 0,
    starts: null,
    period: null,
    payment_id: null,
    subscription_id: null,
    remaining: null,
  }
  const hasSameEnd = input.skipIfSameEnd === true && !last && state.access?.ends === input.ends
  const isUnannounced = isNews && !hasSameEnd && !(repeated && last.notified === 1)
  return {
    row,
    isNew: last === undefined && !hasSameEnd,
    differs: !hasSameEnd && (!repeated || row.notified !== last.notified),
    isUnannounced,
    notify: notify && isUnannounced,
  }
}

function planAccess(
  state: GrantState,
  input: Grant,
  user: UserRow,
  grant: SourceTable,
  clocks: Clocks,
) {
  const old = state.access
  // A user's own uid works as a `user_ref`, but is not stored as a reference.
  const userRef = input.userRef === user.uid ? undefined : input.userRef
  const others = state.sources.filter((source) => source.kind !== 'grant')
  const oldTags: string[] = old ? JSON.parse(old.tags) : []
  const tags = input.tags ? [...new Set(input.tags)] : oldTags
  const row: AccessTable = {
    id: old?.id ?? input.preserve?.id ?? newSortedId(),
    aid: input.aid,
    rid: input.rid,
    uid: user.uid,
    user_ref: userRef ?? old?.user_ref ?? null,
    amount: old?.amount ?? 0,
    currency: old?.currency ?? null,
    // An import can't set a creation time in the future.
    created: old?.created ?? Math.min(input.preserve?.created ?? clocks.now, clocks.now),
    ends: latest([grant.ends, ...others.map((source) => source.ends)]),
    revoked: null,
    tags: JSON.stringify(tags),
    end_told: old?.end_told ?? null,
  }
  const retagged = row.tags !== (old?.tags ?? '[]')
  const changed =
    old && (retagged || old.ends !== row.ends || old.user_ref !== row.user_ref) ? row : undefined
  const tagWrites = { aid: input.aid, accessId: row.id, tags, replace: old !== undefined }
  return {
    row,
    writes: {
      ...(old ? {} : { newAccess: row }),
      ...(changed ? { changedAccess: changed } : {}),
      ...(retagged ? { tags: tagWrites } : {}),
    },
  }
}

const latest = (ends: readonly Seconds[]): Seconds => Math.max(...ends)

function planMail(
  state: GrantState,
  input: Grant,
  user: UserRow,
  grant: SourceTable,
): NewMail | undefined {
  if (!input.notify || !state.resource) return undefined
  return {
    // The revision gives each distinct grant exactly one mail key.
    key: `grant:${grant.id}:${grant.revision}`,
    aid: input.aid,
    uid: user.uid,
    kind: 'grant',
    recipient: recipientOf(user, input.email),
    linkNumber: user.link_number,
    payload: {
      rid: input.rid,
      resource: state.resource.name,
      url: state.resource.url,
      message: input.message ?? '',
      first_name: user.first_name,
      ends: input.ends,
    },
    delivery: input.notify,
    bulk: input.bulk,
  }
}

function describe(
  plan: GrantPlan,
  state: GrantState,
  input: Grant,
  access: AccessTable,
  clocks: Clocks,
): Change[] {
  // Spelled out: in an import, spreading what the changes have in common costs as much as planning the grant.
  const { aid, actor, trace } = input
  const { uid } = access
  const at = clocks.now
  const changes: Change[] = []
  if (plan.newUser) changes.push({ aid, uid, at, actor, trace, action: 'user created' })
  if (plan.rename) {
    const told = { former: namesOf(state) }
    changes.push({ aid, uid, at, actor, trace, action: 'user renamed', told })
  }
  for (const _ of plan.newRefs)
    changes.push({ aid, uid, at, actor, trace, action: 'reference added' })
  if (plan.newAccess || plan.changedAccess || plan.newSource || plan.changedSource) {
    const old = state.access
    changes.push({
      aid,
      uid,
      at,
      actor,
      trace,
      action: 'granted',
      rid: input.rid,
      accessId: access.id,
      before: old ? { ends: old.ends, tags: impersonal(old.tags) } : undefined,
      after: { ends: access.ends, grant_ends: input.ends, tags: impersonal(access.tags) },
      mailKey: plan.mail?.key,
      told: { newReader: newReaderOf(plan) },
    })
  }
  return changes
}

function newReaderOf(plan: GrantPlan): NewReader | undefined {
  const { newUser: user, newRefs: references, newAccess: access, newSource: source } = plan
  return user && access && source && { user, references, access, source }
}

const namesOf = ({ user }: GrantState) => ({
  email: user?.email ?? '',
  first_name: user?.first_name,
  last_name: user?.last_name,
})

/** Replaces tags that contain an email address: the history must hold no personal data. */
function impersonal(tags: string): string[] {
  if (tags === '[]') return []
  return (JSON.parse(tags) as string[]).map((tag) => (tag.includes('@') ? '(address)' : tag))
}
