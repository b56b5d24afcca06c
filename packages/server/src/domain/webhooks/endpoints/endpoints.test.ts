import { describe, expect, it } from 'vitest'
import { databases } from '../../../testing/databases.ts'
import { useFreshApplication, useService } from '../../../testing/use-service.ts'
import { listHistory } from '../../history/history.ts'
import {
  changeEndpoint,
  createEndpoint,
  deleteEndpoint,
  disableEndpoint,
  type EndpointRow,
  enableEndpoint,
  getEndpoint,
  listEndpoints,
  MAX_ENDPOINTS,
  rotateSecret,
} from './endpoints.ts'
import { readSigningSecrets } from './live-secrets.ts'

const HOUR_MS = 3_600_000

describe.each(databases)('Webhook endpoints on $name', (database) => {
  const service = useService(database)
  const app = useFreshApplication(service)

  const env = () => service.ctx.environments.production
  const by = () => ({ actor: 'cli', now: env().clock(), realTime: env().realTime() })
  const create = (url = 'https://example.com/hook', types = ['*'], allow: string[] = []) =>
    createEndpoint(
      ...([env().database, app.aid, { url, types, description: '' }] as const),
      { masterKey: service.ctx.masterKey, allow },
      by(),
    )
  const signing = ({ aid, id }: EndpointRow) =>
    readSigningSecrets(
      ...([env().database.read, service.ctx.masterKey, { aid, endpoint: id }] as const),
      env().realTime(),
    )
  const problemOf = async (work: Promise<unknown>) => {
    const failure = await work.then(() => undefined).catch((error: unknown) => error)
    const { code, parameter, problem } = failure as Record<string, string>
    return code === 'invalid_parameter' ? `${parameter} ${problem}` : code
  }

  it('are created with a secret of 32 bytes, changed, disabled, enabled and deleted, on the record', async () => {
    const { endpoint, secret } = await create('https://EXAMPLE.com', ['access.*', 'access.*'])
    expect(endpoint).toMatchObject({ url: 'https://example.com/', version: '1', state: 'on' })
    expect(JSON.parse(endpoint.types)).toEqual(['access.*'])
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(await signing(endpoint)).toEqual([secret])
    const change = (input: object) =>
      changeEndpoint(env().database, endpoint, input, { allow: [] }, by())
    expect(await change({ types: ['payment.failed', '*'] })).toMatchObject({ types: '["*"]' })
    expect(await change({ types: ['*'] })).toMatchObject({ types: '["*"]' })
    expect(await change({ description: 'CMS' })).toMatchObject({ description: 'CMS' })
    expect(await disableEndpoint(env().database, endpoint, by())).toMatchObject({
      state: 'disabled',
    })
    expect(await enableEndpoint(env().database, endpoint, by())).toMatchObject({ state: 'on' })
    expect(await enableEndpoint(env().database, endpoint, by())).toMatchObject({ state: 'on' })
    await deleteEndpoint(env().database, endpoint, by())
    expect(await listEndpoints(env().database.read, app.aid)).toEqual([])
    expect(await problemOf(getEndpoint(env().database.read, endpoint))).toBe('webhook_not_found')
    const history = await listHistory(env().database.read, app.aid)
    expect(history.map(({ action }) => action).filter((one) => one.startsWith('webhook'))).toEqual([
      ...['webhook created', 'webhook changed', 'webhook changed', 'webhook disabled'],
      ...['webhook enabled', 'webhook disabled', 'webhook deleted'],
    ])
    expect(JSON.stringify(history)).not.toContain('whsec_')
  })

  it('are refused with a URL or types that can’t work', async () => {
    const refused = await Promise.all(
      [
        'example.com/hook',
        'ftp://example.com/',
        'http://example.com/',
        'https://user:secret@example.com/',
        'https://example.com/#a',
        'https://127.1/',
        'https://[::ffff:10.0.0.1]/',
        'https://2852039166/',
        `https://example.com/${'x'.repeat(2_000)}`,
        '',
      ].map((url) => problemOf(create(url))),
    )
    const inside =
      'url leads to a private network, which only the operator can allow (GATEHOUSE_WEBHOOK_ALLOW)'
    expect(refused).toEqual([
      ...['url must be a URL like https://example.com/webhooks'],
      ...['url must be a URL like https://example.com/webhooks', 'url must begin with https://'],
      ...['url must not contain a user name or a password', 'url must not contain a #'],
      ...[inside, inside, inside],
      ...['url must have at most 2000 characters', 'url must not be empty'],
    ])
    const types = (...given: string[]) => problemOf(create(undefined, given))
    expect(await types()).toBe('types choose at least one')
    expect(await types('access.*', 'access')).toMatch(/^types access is no type of event/)
    expect(await types('acc*')).toMatch(/^types acc\* is no type/)
    const allowed = await create('http://127.0.0.1:3000/hook', ['*'], ['127.0.0.0/8'])
    expect(allowed.endpoint.url).toBe('http://127.0.0.1:3000/hook')
  })

  it('are 16 at most, even if many are created at once', async () => {
    const made = await Promise.all(
      Array.from({ length: MAX_ENDPOINTS + 4 }, (_, i) =>
        create(`https://example.com/${i}`).then(
          () => 'made',
          ({ code }) => code as string,
        ),
      ),
    )
    expect(made.filter((one) => one === 'made')).toHaveLength(MAX_ENDPOINTS)
    expect(made.filter((one) => one === 'too_many_webhooks')).toHaveLength(4)
    expect(await listEndpoints(env().database.read, app.aid)).toHaveLength(MAX_ENDPOINTS)
  })

  it('sign with two secrets for the overlap of a rotation, and never with three', async () => {
    const { endpoint, secret: first } = await create()
    const rotate = (overlap?: number) =>
      rotateSecret(env().database, service.ctx.masterKey, endpoint, overlap, by())
    service.clock.advance(1)
    const second = await rotate()
    expect(await signing(endpoint)).toEqual([second, first])
    service.clock.advance(60)
    const third = await rotate(HOUR_MS)
    expect(await signing(endpoint)).toEqual([third, second])
    service.clock.advance(3_600)
    expect(await signing(endpoint)).toEqual([third])
    const fourth = await rotate(0)
    expect(await signing(endpoint)).toEqual([fourth])
    expect(new Set([first, second, third, fourth]).size).toBe(4)
  })
})
