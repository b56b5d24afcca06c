import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createAuthenticator } from '../../../testing/browser/authenticator.ts'
import { entryPointDatabases } from '../../../testing/databases.ts'
import { duringPasswordFlood } from '../../../testing/password-flood.ts'
import { startTestService, type TestService } from '../../../testing/service.ts'
import {
  type ApiResponse,
  allowPasswords,
  callApi,
  deviceCookieIn,
  newMember,
  newOwner,
  PASSWORD,
  registerPasskey,
  type TestMember,
} from '../../../testing/staff.ts'

const OWNER = 'owner@example.com'

/** Makes the calls in batches, and counts the responses by status. */
async function statusesOf(count: number, ask: (n: number) => Promise<ApiResponse>) {
  const statuses: Record<number, number> = {}
  for (let done = 0; done < count; done += 20) {
    const some = Array.from({ length: Math.min(20, count - done) }, (_, i) => ask(done + i))
    for (const { status } of await Promise.all(some)) statuses[status] = (statuses[status] ?? 0) + 1
  }
  return statuses
}

describe.each(entryPointDatabases)(
  'strangers who try to lock out the staff, on $name',
  (database) => {
    let service: TestService
    let owner: TestMember
    let device: string
    const key = () => createAuthenticator(service.url)

    const signIn = (email: string, password: string, headers = {}) =>
      callApi(service.url, 'POST', '/sign-in', { body: { email, password }, headers })
    const guess = (headers = {}) => signIn(OWNER, 'wrong password', headers)
    const enter = (headers = {}) => signIn(OWNER, PASSWORD, headers)

    async function start(env: Record<string, string>): Promise<void> {
      service = await startTestService(database, { env })
      owner = await newOwner(service)
      await allowPasswords(service)
      device = deviceCookieIn(await enter())
    }

    describe('through a proxy that is not named', () => {
      beforeAll(() => start({ GATEHOUSE_BASE_URL: 'https://access.example.com' }))
      afterAll(() => service.stop())
      beforeEach(() => service.clock.advance(15 * 60))

      const challenge = () => callApi(service.url, 'POST', '/passkeys/sign-in/options')
      const show = (response: unknown) =>
        callApi(service.url, 'POST', '/passkeys/sign-in', { body: { response } })

      it('fail: after 1,000 requests the owner signs in by password and by passkey, and guessing was bounded', async () => {
        const passkey = key()
        await owner.confirm()
        await registerPasskey(owner, passkey)

        // Ten passwords were checked; all others were refused unchecked.
        expect(await statusesOf(400, () => guess())).toEqual({ 401: 10, 429: 390 })
        expect(await statusesOf(300, challenge)).toEqual({ 200: 300 })
        expect(await statusesOf(300, () => show({ id: 'unknown' }))).toEqual({ 401: 300 })

        expect((await enter()).status).toBe(429)
        const known = await enter({ cookie: device })
        expect(known.status, known.text).toBe(200)
        const shown = passkey.show((await challenge()).json as { challenge: string })
        expect((await show(shown)).status).toBe(200)
        expect((await show(shown)).status).toBe(401)
      })

      it('do not keep a member who is signed in from confirming the password', async () => {
        await statusesOf(20, () => guess())
        expect((await owner.confirm()).status).toBe(204)
        // An attacker at the open browser gets only ten guesses too.
        expect(await statusesOf(12, () => owner.confirm('wrong password'))).toEqual({
          400: 10,
          429: 2,
        })
      })

      it('may have the cookie of a known browser: it has ten guesses of its own', async () => {
        const other = deviceCookieIn(await enter())
        expect(await statusesOf(12, () => guess({ cookie: other }))).toEqual({ 401: 10, 429: 2 })
        expect((await enter({ cookie: other })).status).toBe(429)
        expect((await enter({ cookie: device })).status).toBe(200)
        expect((await enter()).status).toBe(200)
      })

      it('gain nothing by a cookie of another member, or a forged one', async () => {
        await newMember(owner, service.url, 'reader', 'ann@example.com')
        const others = deviceCookieIn(await signIn('ann@example.com', PASSWORD))
        expect(others).not.toBe('')
        await statusesOf(20, () => guess())
        const forged = `${device.slice(0, -1)}${device.endsWith('A') ? 'B' : 'A'}`
        for (const cookie of [others, forged, 'gatehouse-device=', 'gatehouse-device=x.y']) {
          expect((await enter({ cookie })).status, cookie).toBe(429)
        }
      })

      it('may keep all who check passwords busy: a known browser goes first', async () => {
        const answers: number[] = []
        await duringPasswordFlood(async () => {
          for (let n = 0; n < 5; n++) answers.push((await enter({ cookie: device })).status)
        })
        expect(answers).toEqual([200, 200, 200, 200, 200])
      })
    })

    describe('through a proxy that is named', () => {
      beforeAll(() => start({ GATEHOUSE_TRUSTED_PROXIES: '127.0.0.1' }))
      afterAll(() => service.stop())

      const from = (address: string, more = {}) => ({
        'x-forwarded-for': address,
        'x-forwarded-proto': 'https',
        ...more,
      })
      const deviceOf = ({ headers }: ApiResponse) =>
        headers['set-cookie']
          ?.find((one) => one.startsWith('__Host-gatehouse-device='))
          ?.split(';')[0]

      it('lock an account at their own address, and after fifty guesses for browsers that it does not know', async () => {
        const known = deviceOf(await enter(from('192.0.2.9')))
        expect(await statusesOf(12, () => guess(from('192.0.2.1')))).toEqual({ 401: 10, 429: 2 })
        expect((await enter(from('192.0.2.1'))).status).toBe(429)
        expect((await enter(from('192.0.2.2'))).status).toBe(200)
        const guesses = await statusesOf(100, (n) => guess(from(`192.0.2.${10 + (n % 10)}`)))
        expect(guesses).toEqual({ 401: 40, 429: 60 })
        expect((await enter(from('192.0.2.2'))).status).toBe(429)
        expect((await enter(from('192.0.2.1', { cookie: known }))).status).toBe(200)
      })
    })
  },
)
