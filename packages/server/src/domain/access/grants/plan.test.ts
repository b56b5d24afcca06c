import { expect, it } from 'vitest'
import { FOREVER, type SourceTable } from '../../../db/tables.ts'
import type { ResourceRow } from '../../resources/resources.ts'
import type { UserRow } from '../../users/users.ts'
import type { Grant } from './input.ts'
import { planGrant } from './plan.ts'
import type { GrantState } from './state.ts'

const NOW = 1_000_000
const CLOCKS = { now: NOW, realTime: NOW * 1000 }
const RESOURCE = {
  aid: 'app',
  rid: 'news',
  name: 'News',
  url: 'https://news.example',
  archived: null,
}
const ANN: UserRow = {
  ...{ aid: 'app', uid: 'ann', email: 'ann@example.com', email_key: 'ann@example.com' },
  ...{ first_name: 'Ann', last_name: 'Lee', created: 1, erased: null, contact_email: null },
  link_number: 0,
}
const ACCESS: NonNullable<GrantState['access']> = {
  ...{ id: 'a1', aid: 'app', rid: 'news', uid: 'ann', user_ref: 'ref', amount: 499 },
  ...{ currency: 'EUR', created: 1, ends: NOW + 100, revoked: null, tags: '["gift"]', end_told: 7 },
}
const NOBODY: GrantState = {
  ...{ resource: RESOURCE as ResourceRow, user: undefined, access: undefined, sources: [] },
  ...{ refOwners: new Map(), uids: new Map(), takenIds: new Set(), addressOwners: new Map() },
}
const INPUT: Grant = {
  ...{ aid: 'app', rid: 'news', email: 'ann@example.com', ends: FOREVER, actor: 'test' },
}

const plan = (state: Partial<GrantState>, input: Partial<Grant> = {}) =>
  planGrant({ ...NOBODY, ...state }, { ...INPUT, ...input }, CLOCKS)

/** The grant that somebody has after a first one. */
function sourceOf(input: Partial<Grant> = {}, more: Partial<SourceTable> = {}): SourceTable {
  const { newSource } = plan({}, input)
  return { ...(newSource as SourceTable), id: 's1', access_id: 'a1', ...more }
}

it('of what is not sold any more, or does not exist, is refused', () => {
  const archived = { ...RESOURCE, archived: NOW } as ResourceRow
  expect(() => plan({ resource: archived })).toThrow(
    expect.objectContaining({ code: 'resource_archived' }),
  )
  expect(() => plan({ resource: undefined })).toThrow(
    expect.objectContaining({ code: 'resource_not_found' }),
  )
})

it('to somebody new creates the person, without names that nobody has given', () => {
  const made = plan({})
  expect(made.newUser).toMatchObject({ email: 'ann@example.com', first_name: '', last_name: '' })
  expect(made.newUser?.created).toBe(NOW)
  expect(made).toMatchObject({ endsBefore: null, ends: FOREVER, isUnannounced: true, newRefs: [] })
  expect(made.newAccess).toMatchObject({ id: made.accessId, tags: '[]', amount: 0, currency: null })
  expect(made.newSource).toMatchObject({ access_id: made.accessId, revision: 1, notified: 0 })
  expect(made).not.toHaveProperty('tags')
  expect(made).not.toHaveProperty('mail')
  expect(plan({}, { skipIfSameEnd: true }).newSource).toBeDefined()
  expect(made.changes.map(({ action }) => action)).toEqual(['user created', 'granted'])
  const { newUser: user, newAccess: access, newSource: source } = made
  const after = { ends: FOREVER, grant_ends: FOREVER, tags: [] }
  const told = { newReader: { user, references: [], access, source } }
  expect(made.changes[1]).toMatchObject({ before: undefined, after, told })
})

it.each([
  ['earlier', NOW - 5, NOW - 5],
  ['later', NOW + 5, NOW],
])('keeps the time of an import if it is %s', (_, created, kept) => {
  const made = plan({}, { preserve: { created } })
  expect([made.newUser?.created, made.newAccess?.created]).toEqual([kept, kept])
})

it.each([
  ['first name', { firstName: 'Bea' }, { first_name: 'Bea', last_name: 'Lee' }],
  ['last name', { lastName: 'Ray' }, { first_name: 'Ann', last_name: 'Ray' }],
])('changes a %s, and leaves the other', (_, input, names) => {
  const { rename, changes } = plan({ user: ANN }, input)
  expect(rename).toEqual({
    aid: 'app',
    uid: 'ann',
    ...names,
    email: ANN.email,
    email_key: ANN.email,
  })
  expect(changes[0]).toMatchObject({
    action: 'user renamed',
    told: { former: { email: ANN.email, first_name: 'Ann', last_name: 'Lee' } },
  })
})

it('gives somebody without an address this one', () => {
  const { rename, changes } = plan({ user: { ...ANN, email: null, email_key: null } })
  expect(rename).toMatchObject({ email: 'ann@example.com', email_key: 'ann@example.com' })
  expect(changes[0]?.told).toEqual({ former: { email: '', first_name: 'Ann', last_name: 'Lee' } })
})

it('with the same names changes none', () => {
  expect(plan({ user: ANN }, { firstName: 'Ann', lastName: 'Lee' })).not.toHaveProperty('rename')
})

it.each([
  ['the uid of another address', { uid: 'bob' }, { user: ANN }, 'uid'],
  [
    'a uid that somebody has',
    { uid: 'bob' },
    { uids: new Map([['bob', { isErased: false }]]) },
    'uid',
  ],
  ['a uid that is a reference', { uid: 'bob' }, { refOwners: new Map([['bob', 'ann']]) }, 'uid'],
  ['an id that another record has', { id: 'a2' }, { takenIds: new Set(['a2']) }, 'id'],
  ['another id than the record has', { id: 'a2' }, { user: ANN, access: ACCESS }, 'id'],
] as [string, Grant['preserve'], Partial<GrantState>, string][])(
  'refuses %s',
  (_, preserve, state, parameter) => {
    expect(() => plan(state, { preserve })).toThrow(
      expect.objectContaining({ code: 'invalid_parameter', parameter }),
    )
  },
)

it('keeps the id and the uid that an import gives', () => {
  const made = plan({}, { preserve: { id: 'a2', uid: 'bob' } })
  expect([made.accessId, made.newUser?.uid]).toEqual(['a2', 'bob'])
  const known = { user: ANN, access: ACCESS, takenIds: new Set(['a1']) }
  expect(plan(known, { preserve: { id: 'a1', uid: 'ann' } }).accessId).toBe('a1')
})

it('takes its own uid for a reference, and stores it nowhere', () => {
  const made = plan({ user: ANN }, { userRef: 'ann' })
  expect(made).toMatchObject({ newRefs: [], newAccess: { user_ref: null } })
})

it.each([
  ['belongs to somebody else', { refOwners: new Map([['x', 'bob']]) }, 'user_ref_taken'],
  ['is somebody’s uid', { uids: new Map([['x', { isErased: false }]]) }, 'user_ref_is_uid'],
  ['was erased', { uids: new Map([['x', { isErased: true }]]) }, 'user_ref_erased'],
] as [string, Partial<GrantState>, string][])('refuses a reference that %s', (_, state, code) => {
  expect(() => plan({ user: ANN, ...state }, { userRef: 'x' })).toThrow(
    expect.objectContaining({ code }),
  )
})

it('adds the references that are new, and says which are aliases', () => {
  const state = { user: ANN, refOwners: new Map([['known', 'ann']]) }
  const row = { aid: 'app', uid: 'ann' }
  const { newRefs } = plan(state, { userRef: 'known', preserve: { otherRefs: ['other'] } })
  expect(newRefs).toEqual([{ ...row, ref: 'other', alias: 0 }])
  const named = plan(state, { userRef: 'x', preserve: { aliases: ['x'] } })
  expect(named.newRefs).toEqual([{ ...row, ref: 'x', alias: 1 }])
  expect(named.changes.map(({ action }) => action)).toEqual(['reference added', 'granted'])
})

it('of the same again changes nothing and is not told again', () => {
  const input = { notify: 'queued', message: 'Enjoy' } as const
  const state = {
    ...{ user: ANN, access: { ...ACCESS, ends: FOREVER } },
    sources: [sourceOf(input)],
  }
  const again = plan(state, input)
  expect(again).toEqual({
    ...{ accessId: 'a1', newRefs: [], changes: [], isUnannounced: false },
    ...{ endsBefore: FOREVER, ends: FOREVER, newFormerAddresses: [] },
  })
})

it('of the same again, silently, changes nothing for somebody who was told', () => {
  const sources = [sourceOf({ notify: 'queued' })]
  const state = { user: ANN, access: { ...ACCESS, ends: FOREVER }, sources }
  expect(plan(state)).toMatchObject({ changes: [], isUnannounced: false })
})

it('replaces the one before it, also by an earlier end', () => {
  const state = { user: ANN, access: { ...ACCESS, ends: FOREVER }, sources: [sourceOf()] }
  const made = plan(state, { ends: NOW + 50 })
  expect(made.changedAccess).toEqual({ ...ACCESS, ends: NOW + 50 })
  expect(made).toMatchObject({ endsBefore: FOREVER, ends: NOW + 50 })
  expect(made.changes[0]?.told).toEqual({ newReader: undefined })
})

it.each([
  ['message', { message: 'Other' }],
  ['end', { ends: NOW + 5 }],
] as [string, Partial<Grant>][])('of another %s is told by a mail of its own', (_, change) => {
  const input = { notify: 'queued', message: 'Enjoy' } as const
  const state = { user: ANN, access: { ...ACCESS, ends: FOREVER }, sources: [sourceOf(input)] }
  const { changedSource, mail, isUnannounced } = plan(state, { ...input, ...change })
  expect({ changedSource, isUnannounced }).toMatchObject({
    ...{ isUnannounced: true, changedSource: { id: 's1', access_id: 'a1', revision: 2 } },
  })
  expect(mail).toMatchObject({
    key: 'grant:s1:2',
    recipient: 'ann@example.com',
    delivery: 'queued',
  })
})

it('that was made silently is told once when somebody asks for it', () => {
  const state = { user: ANN, access: { ...ACCESS, ends: FOREVER }, sources: [sourceOf()] }
  const told = plan(state, { notify: 'queued' })
  expect(told).toMatchObject({
    changedSource: { revision: 1, notified: 1 },
    mail: { kind: 'grant' },
  })
  expect(plan(state)).toMatchObject({ changes: [], isUnannounced: true })
})

it('leaves paid time as it is, and the later end counts', () => {
  const paid = { ...sourceOf(), id: 'p1', kind: 'purchase', ends: NOW + 100 } as SourceTable
  const made = plan({ user: ANN, access: ACCESS, sources: [paid] }, { ends: NOW + 50 })
  expect(made.newSource).toMatchObject({ kind: 'grant', ends: NOW + 50, access_id: 'a1' })
  expect(made.newSource?.id).not.toBe('p1')
  expect(made).toMatchObject({ endsBefore: NOW + 100, ends: NOW + 100 })
  expect(made).not.toHaveProperty('changedAccess')
})

it.each([
  ['covers the same time', NOW + 100, false, false],
  ['ends otherwise', NOW + 99, true, true],
])('unless covered is made if what is there %s', (_, ends, isNew, isUnannounced) => {
  const paid = { ...sourceOf(), kind: 'subscription', ends: NOW + 100 } as SourceTable
  const made = plan(
    { user: ANN, access: ACCESS, sources: [paid] },
    { ends, skipIfSameEnd: true, notify: 'queued' },
  )
  expect(made.newSource !== undefined).toBe(isNew)
  expect(made).toMatchObject({ isUnannounced, ends: NOW + 100 })
  expect(made.mail !== undefined).toBe(isUnannounced)
})

it('of time that is covered is made if it is not asked to be left out, or was granted before', () => {
  const paid = { ...sourceOf(), kind: 'subscription', ends: NOW + 100 } as SourceTable
  const state = { user: ANN, access: ACCESS, sources: [paid] }
  expect(plan(state, { ends: NOW + 100 }).newSource).toBeDefined()
  const own = { user: ANN, access: ACCESS, sources: [sourceOf({ ends: NOW + 100 })] }
  const silent = { ends: NOW + 100, skipIfSameEnd: true, notify: 'queued' } as const
  expect(plan(own, silent)).toMatchObject({ changedSource: { notified: 1 }, isUnannounced: true })
})

it('keeps tags that are not named, and replaces those that are, each once', () => {
  const state = { user: ANN, access: { ...ACCESS, ends: FOREVER }, sources: [sourceOf()] }
  expect(plan(state)).not.toHaveProperty('tags')
  const { tags, changedAccess, changes } = plan(state, { tags: ['b', 'b', 'me@x.example'] })
  const now = ['b', 'me@x.example']
  expect(tags).toEqual({ aid: 'app', accessId: 'a1', tags: now, replace: true })
  expect(changedAccess).toMatchObject({ id: 'a1', tags: JSON.stringify(now), user_ref: 'ref' })
  expect(changes[0]).toMatchObject({
    before: { ends: FOREVER, tags: ['gift'] },
    after: { ends: FOREVER, grant_ends: FOREVER, tags: ['b', '(address)'] },
  })
  expect(plan({}, { tags: ['new'] }).tags).toMatchObject({ tags: ['new'], replace: false })
})

it('keeps what was paid and told of the access that it changes', () => {
  const state = { user: ANN, access: ACCESS, sources: [sourceOf({ ends: NOW + 100 })] }
  const { changedAccess } = plan(state, { userRef: 'other' })
  expect(changedAccess).toEqual({ ...ACCESS, user_ref: 'other', ends: FOREVER })
  const same = { ...state, access: { ...ACCESS, ends: FOREVER }, sources: [sourceOf()] }
  expect(plan(same, { userRef: 'other' }).changedAccess?.user_ref).toBe('other')
})

it('by a former address is written to the own one', () => {
  const { mail, newUser } = plan({ user: ANN }, { notify: 'kept', email: 'old@example.com' })
  expect(newUser).toBeUndefined()
  expect(mail?.recipient).toBe('ann@example.com')
})

it('is written to the address as it is spelled, about the resource', () => {
  const input = { notify: 'kept', email: 'ANN@Example.com', message: 'Hi', bulk: true } as const
  const { mail, accessId, newSource, changes } = plan({ user: ANN }, input)
  expect(mail).toEqual({
    ...{ key: `grant:${newSource?.id}:1`, aid: 'app', uid: 'ann', kind: 'grant' },
    ...{ recipient: 'ANN@Example.com', linkNumber: 0, delivery: 'kept', bulk: true },
    payload: {
      ...{ rid: 'news', resource: 'News', url: 'https://news.example', message: 'Hi' },
      ...{ first_name: 'Ann', ends: FOREVER },
    },
  })
  expect(changes.at(-1)).toMatchObject({ action: 'granted', accessId, mailKey: mail?.key })
  const silent = plan({ user: ANN }, { notify: 'queued' })
  expect(silent.mail?.payload).toMatchObject({ message: '' })
})
