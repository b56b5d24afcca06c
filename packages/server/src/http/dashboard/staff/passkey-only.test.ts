import { beforeEach, describe, expect, it, vi } from 'vitest'
import { storeAskedLink } from '../../../domain/staff/asked-links.ts'
import { createResetLink } from '../../../domain/staff/links.ts'
import { newSecret } from '../../../ids.ts'
import { createAuthenticator } from '../../../testing/browser/authenticator.ts'
import { databases } from '../../../testing/databases.ts'
import {
  answerWith,
  callApi,
  newMember,
  newOwner,
  PASSWORD,
  registerPasskey,
  type TestMember,
  tokenIn,
} from '../../../testing/staff.ts'
import { useFreshService } from '../../../testing/use-service.ts'
import type { Team } from './schemas.ts'

const NEEDED = { error: { code: 'passkey_required' } }
const FAILED = { error: { code: 'sign_in_failed' } }

describe.each(databases)('a passkey instead of a password, on $name', (database) => {
  const service = useFreshService(database)
  let owner: TestMember
  let ann: TestMember
  let key: ReturnType<typeof createAuthenticator>

  beforeEach(async () => {
    owner = await newOwner(service)
    ann = await newMember(owner, service.url, 'support', 'ann@example.com')
    key = createAuthenticator(service.url)
  })

  const signIn = (member: TestMember, password = PASSWORD) =>
    callApi(service.url, 'POST', '/sign-in', { body: { email: member.email, password } })
  const signInWithKey = async (one = key) => {
    const response = await answerWith(service.url, one)
    return await callApi(service.url, 'POST', '/passkeys/sign-in', { body: { response } })
  }
  const passkeyOnly = async (member: TestMember) =>
    ((await member.call('GET', '/me')).json as { passkey_only: string }).passkey_only
  const choose = (on: boolean) => ann.call('PUT', '/passkeys/only', { on })

  it('is needed by an owner who has one, and said only after the right password', async () => {
    expect(await passkeyOnly(owner)).toBe('no')
    expect((await signIn(owner)).status).toBe(200)
    await registerPasskey(owner, key)
    expect(await passkeyOnly(owner)).toBe('required')
    expect((await signIn(owner, 'not the password')).json).toMatchObject(FAILED)
    const refused = await signIn(owner)
    expect([refused.status, refused.json]).toMatchObject([403, NEEDED])
    expect(refused.headers['set-cookie']).toBeUndefined()
    expect((await signInWithKey()).status).toBe(200)
    // A refusal is recorded up to a second after its answer.
    await vi.waitFor(
      async () => {
        const { json } = await owner.call('GET', '/audit?action=session.begin')
        const { data } = json as { data: { outcome: string }[] }
        const refusals = data.map(({ outcome }) => outcome).filter((one) => one !== 'done')
        expect(refusals.sort()).toEqual(['passkey_required', 'sign_in_failed'])
      },
      { timeout: 10_000 },
    )
  })

  it('is needed by nobody else, unless they choose it, an owner does, or everybody has to', async () => {
    await registerPasskey(ann, key)
    expect((await signIn(ann)).status).toBe(200)
    expect((await choose(true)).status).toBe(204)
    expect((await signIn(ann)).json).toMatchObject(NEEDED)
    expect((await choose(false)).status).toBe(204)
    expect((await signIn(ann)).status).toBe(200)
    const path = `/team/${ann.id}/passkey-only`
    expect((await owner.call('PUT', path, { on: true })).status).toBe(204)
    expect((await signIn(ann)).json).toMatchObject(NEEDED)
    const chosen = (await owner.call('GET', '/team')).json as Team
    expect(chosen.members.map((one) => one.passkey_only)).toContain('chosen')
    expect((await owner.call('PUT', path, { on: false })).status).toBe(204)
    const policy = '/team/passkey-policy'
    expect((await owner.call('PUT', policy, { policy: 'everybody' })).status).toBe(204)
    expect((await signIn(ann)).json).toMatchObject(NEEDED)
    const { json } = await owner.call('GET', '/team')
    const { members, passkey_policy } = json as Team
    expect(passkey_policy).toBe('everybody')
    expect(Object.fromEntries(members.map((one) => [one.email, one.passkey_only]))).toEqual({
      [owner.email]: 'no',
      [ann.email]: 'required',
    })
    // Who has none goes on with the password.
    expect((await signIn(owner)).status).toBe(200)
    expect((await owner.call('PUT', policy, { policy: 'nobody' })).status).toBe(204)
    expect((await signIn(ann)).status).toBe(200)
  })

  it('can’t be required of a member without one, and ends with the last one', async () => {
    const path = `/team/${ann.id}/passkey-only`
    const refused = await owner.call('PUT', path, { on: true })
    expect([refused.status, refused.json]).toMatchObject([402, { error: { code: 'no_passkey' } }])
    const second = createAuthenticator(service.url)
    const ids: string[] = []
    for (const one of [key, second]) {
      ids.push(((await registerPasskey(ann, one)).json as { id: string }).id)
    }
    await choose(true)
    await ann.call('DELETE', `/passkeys/${ids[0]}`)
    expect((await signIn(ann)).json).toMatchObject(NEEDED)
    await ann.call('DELETE', `/passkeys/${ids[1]}`)
    expect((await signIn(ann)).status).toBe(200)
    await registerPasskey(ann, second)
    expect(await passkeyOnly(ann)).toBe('no')
  })

  it('confirms what a password can’t, and a changed password doesn’t', async () => {
    await registerPasskey(owner, key)
    service.clock.advance(5 * 60)
    expect((await owner.confirm()).json).toMatchObject(NEEDED)
    const next = 'quite another password'
    expect((await owner.call('POST', '/password', { current: PASSWORD, next })).status).toBe(204)
    expect((await owner.call('GET', '/confirmation')).status).toBe(403)
    const response = await answerWith(service.url, key)
    expect((await owner.call('POST', '/confirmation/passkey', { response })).status).toBe(204)
    expect((await owner.call('GET', '/confirmation')).status).toBe(204)
    expect((await ann.call('POST', '/password', { current: PASSWORD, next })).status).toBe(204)
    expect((await ann.call('GET', '/confirmation')).status).toBe(204)
  })

  /** Makes a link as somebody does who asks for it on the sign-in page. */
  async function askForLink(member: TestMember): Promise<string> {
    const token = newSecret()
    const now = service.ctx.environments.production.realTime()
    await service.ctx.control.write((trx) =>
      storeAskedLink(trx, member, { token, askedAt: now }, now),
    )
    return token
  }

  const NEW = 'a password that is new'
  const redeem = (token: string, response?: unknown) =>
    callApi(service.url, 'POST', '/link/use', {
      body: { token, name: 'Any', password: NEW, ...(response ? { response } : {}) },
    })
  const look = async (token: string) =>
    (await callApi(service.url, 'POST', '/link/look', { body: { token } })).json

  it('is asked for by a link that somebody asked for, and stays', async () => {
    await registerPasskey(ann, key)
    const token = await askForLink(ann)
    expect(await look(token)).toMatchObject({ needs_passkey: true, removes_passkeys: false })
    expect((await redeem(token)).json).toMatchObject(NEEDED)
    const others = createAuthenticator(service.url)
    await registerPasskey(owner, others)
    const refused = { error: { code: 'passkey_refused' } }
    const foreign = await answerWith(service.url, others)
    expect((await redeem(token, foreign)).json).toMatchObject(refused)
    expect((await redeem(token, {})).json).toMatchObject(refused)
    expect((await signIn(ann, NEW)).json).toMatchObject(FAILED)
    const own = await answerWith(service.url, key)
    expect((await redeem(token, own)).status).toBe(200)
    expect((await redeem(token, own)).status).toBe(410)
    expect((await signIn(ann, NEW)).status).toBe(200)
    expect((await signInWithKey()).status).toBe(200)
  })

  it('is asked for also if it was added after the link was opened', async () => {
    const token = await askForLink(ann)
    expect(await look(token)).toMatchObject({ needs_passkey: false })
    await registerPasskey(ann, key)
    expect((await redeem(token)).json).toMatchObject(NEEDED)
  })

  it('is not asked for by a link of an owner, which removes it', async () => {
    await registerPasskey(ann, key)
    await choose(true)
    const { link } = (await owner.call('POST', `/team/${ann.id}/reset`)).json as { link: string }
    const removes = { needs_passkey: false, removes_passkeys: true }
    expect(await look(tokenIn(link))).toMatchObject(removes)
    expect((await redeem(tokenIn(link))).status).toBe(200)
    expect((await signInWithKey()).status).toBe(401)
    expect((await signIn(ann, NEW)).status).toBe(200)
  })

  it('is removed by a link of the command line for the only owner', async () => {
    await registerPasskey(owner, key)
    const { control, environments } = service.ctx
    const { token } = await control.write((trx) =>
      createResetLink(trx, owner.id, undefined, environments.production.realTime()),
    )
    expect((await redeem(token)).status).toBe(200)
    expect((await signIn(owner, NEW)).status).toBe(200)
  })
})
