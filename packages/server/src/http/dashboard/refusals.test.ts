import { pino } from 'pino'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { REFUSALS } from '../../domain/staff/refusals.ts'
import { createAuthenticator } from '../../testing/browser/authenticator.ts'
import { databases } from '../../testing/databases.ts'
import { send } from '../../testing/http/requests.ts'
import { type ApiResponse, callApi, PASSWORD } from '../../testing/staff.ts'
import { useApplication, useService, useStaff } from '../../testing/use-service.ts'

interface Line {
  event?: string
  level: number
  digest?: string
  [name: string]: unknown
}

describe.each(databases)('what is refused leaves a trace, on $name', (database) => {
  const lines: Line[] = []
  const logger = pino({ level: 'info' }, { write: (text) => void lines.push(JSON.parse(text)) })
  const service = useService(database, { logger })
  const app = useApplication(service)
  const other = useApplication(service)
  const staff = useStaff(service)
  const refused = () => lines.filter(({ event }) => event?.startsWith('refused.'))

  beforeEach(() => {
    lines.length = 0
    service.clock.advance(16 * 60)
  })

  const post = (path: string, body?: unknown, headers = {}) =>
    callApi(service.url, 'POST', path, { body, headers })
  const signIn = (email: string, password = 'wrong password') =>
    post('/sign-in', { email, password })

  const manage = (authorization: string, aid: string) =>
    send(service.url, `/management/v1/production/applications/${aid}/resources`, {
      headers: { authorization },
    })

  let ownersKey: ReturnType<typeof createAuthenticator> | undefined
  async function passkeyOfOwner() {
    if (ownersKey) return ownersKey
    ownersKey = createAuthenticator(service.url)
    await staff.owner.confirm()
    const offer = await staff.owner.call('POST', '/passkeys/options')
    const response = ownersKey.register(offer.json)
    await staff.owner.call('POST', '/passkeys', { name: 'Key', response })
    return ownersKey
  }

  const show = async (key: ReturnType<typeof createAuthenticator>, change = {}) => {
    const challenge = (await post('/passkeys/sign-in/options')).json
    return await post('/passkeys/sign-in', { response: { ...key.show(challenge), ...change } })
  }

  let token: string
  beforeAll(async () => {
    await staff.owner.confirm()
    const body = { name: 'CMS', role: 'support', aid: app.aid, ends_at: null }
    const made = await staff.owner.call('POST', '/tokens', body)
    token = (made.json as { token: string }).token
  })

  const throttle = async () => {
    for (let i = 0; i < 10; i++) await signIn('throttled@example.com')
    lines.length = 0
    return await signIn('throttled@example.com')
  }

  const ways: Record<string, () => Promise<Pick<ApiResponse, 'status'>>> = {
    unknown_address: () => signIn('nobody@example.com'),
    wrong_password: () => signIn(staff.owner.email),
    unknown_passkey: () => show(createAuthenticator(service.url), { id: 'unknown' }),
    wrong_passkey: async () => {
      const key = await passkeyOfOwner()
      const response = key.show({ challenge: 'x' } as never)
      return await post('/passkeys/sign-in', { response })
    },
    passkey_missing: async () => {
      await passkeyOfOwner()
      return await signIn(staff.owner.email, PASSWORD)
    },
    wrong_link: () => post('/link/look', { token: 'guessed' }),
    throttled: throttle,
    role: () => staff.reader.call('GET', '/audit'),
    foreign_origin: () =>
      post('/sign-out', undefined, {
        'sec-fetch-site': 'cross-site',
        origin: 'https://evil.example.com',
      }),
    wrong_token: () => manage('Bearer ghm_guessed', app.aid),
    token_scope: () => manage(`Bearer ${token}`, other.aid),
  }

  it('is tried in every way', () => {
    expect(Object.keys(ways).sort()).toEqual([...REFUSALS].sort())
  })

  it.each(REFUSALS)('%s: one line, and one more in the metrics', async (reason) => {
    const count = async () => {
      const { text } = await send(service.url, '/metrics')
      const found = new RegExp(
        `^gatehouse_staff_refused_total\\{reason="${reason}"\\} (\\d+)$`,
        'm',
      )
      return Number(found.exec(text)?.[1])
    }
    const before = await count()
    const { status } = await (ways[reason] as () => Promise<Pick<ApiResponse, 'status'>>)()
    expect(status).toBeGreaterThan(400)
    const [line, ...more] = refused()
    expect(more).toEqual([])
    expect(line).toMatchObject({
      ...{ level: 40, event: `refused.${reason}`, status },
      address: expect.stringMatching(/127\.0\.0\.1$/),
    })
    if (!['role', 'token_scope'].includes(reason)) {
      expect(line?.digest).toMatch(/^[0-9a-f]{16}$/)
    }
    if (reason === 'role') expect(line?.actor).toBe(`staff:${staff.reader.id}`)
    if (reason === 'token_scope') expect(line?.actor).toMatch(/^token:/)
    const told = JSON.stringify(lines)
    for (const text of ['example.com', 'guessed', 'wrong password', 'unknown"']) {
      expect(told.replaceAll('refused.unknown', '')).not.toContain(text)
    }
    if (reason !== 'throttled') expect(await count()).toBe(before + 1)
  })

  it('a wrong password for a confirmation is one too', async () => {
    await staff.reader.confirm('wrong password')
    expect(refused().map(({ event }) => event)).toEqual(['refused.wrong_password'])
  })

  it('the digest of the same text is the same, and says nothing to who has no key', async () => {
    await signIn('Nobody@example.com')
    await signIn('nobody@example.com ')
    await signIn('somebody@example.com')
    const [one, two, three] = refused().map(({ digest }) => digest)
    expect(one).toBe(two)
    expect(three).not.toBe(one)
  })

  it('what is allowed leaves none', async () => {
    expect((await signIn(staff.reader.email, PASSWORD)).status).toBe(200)
    expect((await manage(`Bearer ${token}`, app.aid)).status).toBe(200)
    expect(refused()).toEqual([])
  })
})
