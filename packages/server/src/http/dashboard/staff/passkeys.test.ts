import { beforeAll, describe, expect, it, vi } from 'vitest'
import { createAuthenticator } from '../../../testing/browser/authenticator.ts'
import { databases } from '../../../testing/databases.ts'
import { sendSlowly } from '../../../testing/http/requests.ts'
import {
  allowPasswords,
  callApi,
  cookieIn,
  memberAt,
  newMember,
  registerPasskey,
  type TestMember,
  tokenIn,
} from '../../../testing/staff.ts'
import { useOwner, useService } from '../../../testing/use-service.ts'
import type { Passkey } from './schemas.ts'

type Challenge = { challenge: string }
type Authenticator = ReturnType<typeof createAuthenticator>

describe.each(databases)('passkeys on $name', (database) => {
  const service = useService(database)
  const owner = useOwner(service)
  beforeAll(() => allowPasswords(service))

  const offerTo = async (member: TestMember) =>
    (await member.call('POST', '/passkeys/options')).json as Challenge

  async function register(member: TestMember, key: Authenticator, name?: string) {
    await member.confirm()
    return await registerPasskey(member, key, name)
  }

  const challenge = async () =>
    (await callApi(service.url, 'POST', '/passkeys/sign-in/options')).json as Challenge

  const show = (response: unknown) =>
    callApi(service.url, 'POST', '/passkeys/sign-in', { body: { response } })

  const listed = async (member: TestMember) =>
    ((await member.call('GET', '/passkeys')).json as { data: Passkey[] }).data

  it('let in who has one, without a password, each answer once', async () => {
    const key = createAuthenticator(service.url)
    expect((await register(owner, key)).status).toBe(200)
    const proof = key.show(await challenge())
    const response = await show(proof)
    expect(response.json).toMatchObject({ staff: { email: 'owner@example.com' } })
    const member = memberAt(service.url, owner, cookieIn(response))
    expect((await member.call('GET', '/me')).status).toBe(200)
    expect((await show(proof)).json).toMatchObject({ error: { code: 'sign_in_failed' } })
  })

  it('are added by whoever knows the password, and end with it', async () => {
    const eve = await newMember(owner, service.url, 'reader', 'eve@example.com')
    service.clock.advance(5 * 60)
    expect((await eve.call('POST', '/passkeys/options')).json).toMatchObject({
      error: { code: 'confirmation_required' },
    })
    await eve.confirm()
    const key = createAuthenticator(service.url)
    expect((await register(eve, key)).status).toBe(200)
    await reset(eve)
    expect((await show(key.show(await challenge()))).status).toBe(401)
  })

  it('refuse another challenge, another site, another key and nonsense, all in the same words', async () => {
    const key = createAuthenticator(service.url)
    await register(owner, key)
    const elsewhere = createAuthenticator('https://evil.example')
    const own = await challenge()
    const responses: unknown[] = [
      key.show({ challenge: 'bm90IG91cnM' }),
      elsewhere.show(await challenge()),
      { ...elsewhere.show(own), id: key.show(own).id, rawId: key.show(own).rawId },
      { id: key.show(own).id },
      {},
    ]
    // A challenge for registering is not valid for signing in.
    const offer = await offerTo(owner)
    responses.push(key.show(offer))
    const late = await challenge()
    for (const proof of responses) {
      const response = await show(proof)
      expect(response.json, JSON.stringify(proof)).toMatchObject({
        error: { code: 'sign_in_failed' },
      })
    }
    service.clock.advance(5 * 60)
    expect((await show(key.show(late))).status).toBe(401)
  })

  it('are registered by whoever was asked, in time, for this site, once', async () => {
    const ann = await newMember(owner, service.url, 'reader', 'ann@example.com')
    const key = createAuthenticator(service.url)
    const refused = { error: { code: 'passkey_refused' } }
    const options = await offerTo(owner)
    const mine = { name: 'Mine', response: key.register(options) }
    expect((await ann.call('POST', '/passkeys', mine)).json).toMatchObject(refused)
    const foreign = createAuthenticator('https://evil.example')
    expect((await register(ann, foreign)).json).toMatchObject(refused)
    expect((await register(ann, key)).status).toBe(200)
    expect((await register(owner, key)).json).toMatchObject(refused)
  })

  it('are renamed and removed by their owner alone, and then let nobody in', async () => {
    const bob = await newMember(owner, service.url, 'reader', 'bob@example.com')
    const key = createAuthenticator(service.url)
    await register(bob, key, 'Phone')
    const [passkey] = await listed(bob)
    const path = `/passkeys/${passkey?.id}`
    expect((await owner.call('PATCH', path, { name: 'Stolen' })).status).toBe(404)
    expect((await owner.call('DELETE', path)).status).toBe(404)
    expect((await bob.call('PATCH', path, { name: 'Old phone' })).status).toBe(204)
    expect(await listed(bob)).toMatchObject([{ name: 'Old phone', used_at: null }])
    expect((await bob.call('DELETE', path)).status).toBe(204)
    expect((await show(key.show(await challenge()))).status).toBe(401)
  })

  it.each(['disabled', 'reset'])('are not added for somebody who was %s meanwhile', async (how) => {
    const email = `${how}@example.com`
    const member = await newMember(owner, service.url, 'reader', email)
    service.clock.advance(4 * 60)
    const proof = createAuthenticator(service.url).register(await offerTo(member))
    const message = {
      method: 'POST',
      headers: {
        ...{ cookie: member.cookie, 'sec-fetch-site': 'same-origin' },
        ...{ 'content-type': 'application/json' },
      },
      body: JSON.stringify({ name: 'Late', response: proof }),
    }
    // Authenticating the request now updates `seen_at`, which the test waits for.
    service.clock.advance(60)
    const response = await sendSlowly(service.url, '/dashboard/api/passkeys', message, async () => {
      await vi.waitFor(async () => expect(await seenAt(member)).toBe(service.clock.now), {
        timeout: 60_000,
      })
      await owner.confirm()
      if (how === 'disabled') await owner.call('POST', `/team/${member.id}/disable`)
      else await reset(member)
    })
    expect(JSON.parse(response.text)).toMatchObject({ error: { code: 'not_signed_in' } })
    const keys = service.ctx.control.read.selectFrom('staff_passkeys').selectAll()
    expect(await keys.where('staff_id', '=', member.id).execute()).toEqual([])
  })

  const seenAt = async ({ id }: TestMember) => {
    const sessions = service.ctx.control.read.selectFrom('staff_sessions').select('seen_at')
    return (await sessions.where('staff_id', '=', id).executeTakeFirst())?.seen_at
  }

  async function reset({ id, name }: TestMember): Promise<void> {
    await owner.confirm()
    const { link } = (await owner.call('POST', `/team/${id}/reset`)).json as { link: string }
    const body = { token: tokenIn(link), name, password: 'quite another password' }
    expect((await callApi(service.url, 'POST', '/link/use', { body })).status).toBe(200)
  }

  it('let nobody in who was disabled', async () => {
    const cat = await newMember(owner, service.url, 'reader', 'cat@example.com')
    const key = createAuthenticator(service.url)
    await register(cat, key)
    await owner.call('POST', `/team/${cat.id}/disable`)
    expect((await show(key.show(await challenge()))).status).toBe(401)
  })
})
