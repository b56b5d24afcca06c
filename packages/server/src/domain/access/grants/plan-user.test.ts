import { expect, it } from 'vitest'
import { FOREVER } from '../../../db/tables.ts'
import type { UserRow } from '../../users/users.ts'
import { planUser } from './plan-user.ts'
import type { GrantState } from './state.ts'

const ANN: UserRow = {
  ...{ aid: 'app', uid: 'ann', email: 'ann@example.com', email_key: 'ann@example.com' },
  ...{ first_name: 'Ann', last_name: 'Lee', created: 1, erased: null, contact_email: null },
  link_number: 0,
}

/** Plans an import of former addresses. */
function plan(
  user: UserRow | undefined,
  formerAddresses: string[],
  addressOwners: [string, string][] = [],
) {
  const state: GrantState = {
    ...{ resource: undefined, user, access: undefined, sources: [], takenIds: new Set() },
    ...{ refOwners: new Map(), uids: new Map(), addressOwners: new Map(addressOwners) },
  }
  const preserve = { formerAddresses, uid: 'ann' }
  const grant = { aid: 'app', rid: 'news', email: 'ANN@example.com', ends: FOREVER }
  return planUser(state, { ...grant, actor: 'test', preserve }, { now: 1, realTime: 1 })
}

it.each([
  { who: 'a user', user: ANN },
  { who: 'a user without an address', user: { ...ANN, email: null, email_key: null } },
  { who: 'a new user', user: undefined },
])('adds the former addresses of $who that are new, each once, without the own one', ({ user }) => {
  const given = ['Old@example.com', 'old@example.com', 'Ann@example.com', 'known@example.com']
  const { newFormerAddresses } = plan(user, given, [['known@example.com', 'ann']])
  expect(newFormerAddresses).toEqual([
    { aid: 'app', uid: 'ann', email_key: 'old@example.com', email: 'old@example.com' },
  ])
})

it.each([ANN, undefined])('refuses a former address that names somebody else', (user) => {
  expect(() => plan(user, ['OLD@example.com'], [['old@example.com', 'bob']])).toThrow(
    expect.objectContaining({ code: 'email_taken' }),
  )
})
