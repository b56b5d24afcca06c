import { GatehouseManagement } from '@gatehouse/sdk/management'
import { beforeAll, describe, expect, it } from 'vitest'
import { databases } from '../../../testing/databases.ts'
import { send } from '../../../testing/http/requests.ts'
import { newProgram, type TestProgram } from '../../../testing/management.ts'
import { ODD_RIDS } from '../../../testing/odd-names.ts'
import { useApplication, useService, useSignedIn } from '../../../testing/use-service.ts'

/** What a client in any language does with a name in a path; `.` and `..` need the space of the documentation. */
const segmentOf = (rid: string) => encodeURIComponent(/^\.\.?$/.test(rid) ? ` ${rid}` : rid)

describe.each(databases)('a rid in a path on $name', (database) => {
  const service = useService(database)
  const app = useApplication(service)
  const staff = useSignedIn(service, 'support')
  let program: TestProgram
  let client: GatehouseManagement
  beforeAll(async () => {
    program = await newProgram(service, 'support')
    const { token } = program
    const options = { baseUrl: service.url, aid: app.aid, environment: 'production' } as const
    client = new GatehouseManagement({ ...options, token })
  })

  const at = (path: string) => `/production/applications/${app.aid}${path}`

  it.each(ODD_RIDS)('%j is reached by percent-encoding', async (rid) => {
    const call = async (method: string, path: string, body?: object) => {
      const { status, json, text } = await program.call(method, at(path), body)
      expect([method, path, status], text).toEqual([method, path, 200])
      return json as { rid: string; name: string; id: string; archived: number | null }
    }
    const path = `/resources/${segmentOf(rid)}`
    await call('POST', '/resources', { rid, name: 'First' })
    expect(await call('GET', path)).toMatchObject({ rid, name: 'First' })
    expect(await call('PATCH', path, { name: 'Second' })).toMatchObject({ rid, name: 'Second' })
    const price = await call('POST', `${path}/prices`, { amount: 990, currency: 'EUR' })
    const archived = await call('POST', `${path}/prices/${price.id}/archive`)
    expect(archived).toMatchObject({ id: price.id, archived: expect.any(Number) })
    expect(await call('POST', `${path}/archive`)).toMatchObject({ rid })
    expect(await call('POST', `${path}/restore`)).toMatchObject({ rid, name: 'Second' })
  })

  it.each(ODD_RIDS)('%j is reached by the SDK', async (rid) => {
    const path = { rid }
    const changed = await client.call('updateResource', { path, body: { name: 'By the SDK' } })
    expect(changed).toMatchObject({ rid, name: 'By the SDK' })
    expect(await client.call('getResource', { path })).toEqual(changed)
    const opens = { rids: [rid === '0' ? '1' : '0'], prefixes: [rid], all: false }
    expect(await client.call('setOpens', { path, body: opens })).toMatchObject({ rid })
    expect((await client.call('listAccess', { query: { rid } })).data).toEqual([])
  })

  it.each(ODD_RIDS)('%j is reached by the dashboard', async (rid) => {
    const path = `/resources/${segmentOf(rid)}`
    const found = await staff.of(app).request('GET', path)
    expect(found).toMatchObject({ status: 200, body: { rid } })
    const file = await staff.of(app).upload('POST', `${path}/files?name=a.txt`, 'x')
    expect(file).toMatchObject({ status: 200, body: { rid } })
  })

  it('is not decoded twice, and no other writing of it leads anywhere', async () => {
    await app.addResource('a')
    const ask = async (segment: string) => {
      const { status, json } = await program.call('GET', at(`/resources/${segment}`))
      const { error, rid } = json as { error?: { code: string }; rid?: string }
      return [segment, status, error?.code ?? rid]
    }
    const known = (segment: string, rid: string) => [segment, 200, rid]
    expect(await ask('%61')).toEqual(known('%61', 'a'))
    expect(await ask('a%2fb')).toEqual(['a%2fb', 404, 'resource_not_found'])
    expect(await ask('magazine%2fwinter')).toEqual(known('magazine%2fwinter', 'magazine/winter'))
    expect(await ask('a%252Fb')).toEqual(known('a%252Fb', 'a%2Fb'))
    for (const segment of ['~%59Q', '%7EYQ', '%7eYQ']) {
      expect(await ask(segment)).toEqual(known(segment, '~YQ'))
    }
    for (const segment of ['%2561', '%20', '%20a', '%20%20.', '~YWJj', 'A', 'a%20', '%C2%85']) {
      expect(await ask(segment)).toEqual([segment, 404, 'resource_not_found'])
    }
  })

  it('smuggles nothing: what can be read in two ways is an unknown path', async () => {
    const { token } = program
    const ask = async (target: string) => {
      const headers = { authorization: `Bearer ${token}` }
      const { status, text } = await send(service.url, target, { headers })
      return [target, status, (JSON.parse(text) as { error?: { code: string } }).error?.code]
    }
    const fixed = `/management/v1/production/applications/${app.aid}`
    const segments = [
      ...['.', '..', '%2e', '%2E', '%2e%2e', '%2E%2e', '.%2E', '%2e.', '..\\x', 'a\\b'],
      ...['%00', 'a%00', '%0a', '%0D%0A', '%1f', '%7f', '%', 'a%', '%2', '%zz', '%u0061'],
      ...['%c0%af', '%c0%ae%c0%ae', '%e0%80%af', '%f0%80%80%af', '%ed%a0%80', '%ff', '%c3'],
    ]
    const wrong = [
      ...segments.map((segment) => `${fixed}/resources/${segment}`),
      ...segments.map((segment) => `${fixed}/resources/${segment}/prices`),
      ...['a/%2e%2e/a', 'a/../a', '/a', 'a//', 'a/'].map((end) => `${fixed}/resources/${end}`),
      `${fixed}/%72esources/a`,
      `${fixed}%2Fresources/a`,
      `${fixed}/resources%2Fa`,
      `${fixed}/resources/a%2Fprices%2f..`.replace('resources/', 'resources%2F..%2F'),
      `/%6danagement/v1/production/applications/${app.aid}/resources/a`,
      `/management/%761/production/applications/${app.aid}/resources/a`,
      `/management/v1/%70roduction/applications/${app.aid}/resources/a`,
      `/management/v1/production/applications/%${app.aid.charCodeAt(0).toString(16)}${app.aid.slice(1)}/resources/a`,
      `/management/v1/production/%61pplications/${app.aid}/resources/a`,
      `/sandbox${fixed}/resources/a%2Fb`,
      `/r2/..%2F${fixed}/resources/a`,
      `/r2/%2e%2e${fixed}/resources/a`,
    ]
    for (const target of wrong) expect(await ask(target)).toEqual([target, 404, 'path_not_found'])
  })

  it('leaves the fixed part of the dashboard’s paths as it is written', async () => {
    const ask = async (path: string) => {
      const { status, text } = await send(service.url, path, { headers: staff.headers })
      return [path, status, text.includes('path_not_found')]
    }
    for (const path of [
      '/dashboard/api/%6de',
      `/dashboard/api/%70roduction/${app.aid}/resources`,
      `/dashboard/api/production/${app.aid}/%72esources`,
      `/dashboard/api/production/${app.aid}/resources/%2e%2e/resources`,
    ]) {
      expect(await ask(path)).toEqual([path, 404, true])
    }
  })
})
