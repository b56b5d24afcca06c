import { describe, expect, it } from 'vitest'
import {
  ApiError,
  GatehouseManagement,
  type ManagementOptions,
  OptionsError,
} from './management.ts'
import { OPERATIONS } from './management-operations.ts'
import type { Fetch } from './runtime.ts'

interface Sent {
  url: string
  method: string
  headers: Record<string, string>
  body: string | undefined
}

/** A client whose requests are recorded and answered in order; the last answer is repeated. */
function clientOf(...answers: { status?: number; body: unknown }[]) {
  const sent: Sent[] = []
  const fetch = (async (url: string, init: Omit<Sent, 'url'>) => {
    const { method, headers, body } = init
    sent.push({ url, method, headers, body })
    const next = answers.length > 1 ? answers.shift() : answers[0]
    const { status = 200, body: json } = next ?? { body: {} }
    return new Response(JSON.stringify(json), { status })
  }) as unknown as Fetch
  const options = { baseUrl: 'https://access.example.com/', token: 'ghm_x', aid: 'AID' }
  return {
    sent,
    client: new GatehouseManagement({ ...options, environment: 'sandbox', fetch }),
  }
}

const failure = (status: number, code: string) => ({
  status,
  body: { error: { message: 'No.', code, parameter: 'name', request_id: 'r1' } },
})

describe('the client of the management API', () => {
  it('sends the token, the ids of the path, the query and the body', async () => {
    const { client, sent } = clientOf({ body: { rid: 'a/b', name: 'A' } })
    const resource = await client.call('updateResource', {
      path: { rid: 'a/b' },
      body: { name: 'A' },
    })
    expect(resource.name).toBe('A')
    await client.call('listUsers', { query: { q: 'ann & co', page: 2 } })
    await client.call('listApplications')
    const base = 'https://access.example.com/management/v1/sandbox'
    expect(sent).toEqual([
      {
        url: `${base}/applications/AID/resources/a%2Fb`,
        method: 'PATCH',
        headers: {
          ...{ authorization: 'Bearer ghm_x', 'content-type': 'application/json' },
          'idempotency-key': expect.any(String),
        },
        body: '{"name":"A"}',
      },
      {
        url: `${base}/applications/AID/users?q=ann+%26+co&page=2`,
        ...{ method: 'GET', headers: { authorization: 'Bearer ghm_x' }, body: undefined },
      },
      {
        url: `${base}/applications`,
        ...{ method: 'GET', headers: { authorization: 'Bearer ghm_x' }, body: undefined },
      },
    ])
  })

  it('throws what the service says is wrong', async () => {
    const { client } = clientOf(failure(402, 'resource_exists'))
    const refused = client.call('createResource', { body: { rid: 'x', name: '' } })
    await expect(refused).rejects.toBeInstanceOf(ApiError)
    await expect(refused).rejects.toMatchObject({ code: 'resource_exists', parameter: 'name' })
  })

  it('repeats a read once, and a write under its key', async () => {
    const reading = clientOf(failure(503, 'overloaded'), { body: { data: [] } })
    await reading.client.call('listApplications')
    expect(reading.sent).toHaveLength(2)
    const writing = clientOf(failure(503, 'overloaded'), { body: {} })
    await writing.client.call('createResource', { body: { rid: 'x', name: 'X' } })
    const [first, second] = writing.sent.map(({ headers }) => headers['idempotency-key'])
    expect(first).toMatch(/^[0-9a-f-]{36}$/)
    expect(second).toBe(first)
    const named = clientOf({ body: {} })
    const body = { rid: 'x', name: 'X' }
    await named.client.call('createResource', { body, idempotencyKey: 'article-7' })
    expect(named.sent[0]?.headers['idempotency-key']).toBe('article-7')
  })

  it('names every option that is wrong, and quotes no token', () => {
    const create = (options: object) => () => new GatehouseManagement(options as ManagementOptions)
    expect(create({})).toThrow(
      new OptionsError(['baseUrl is missing', 'token is missing', 'aid is missing']),
    )
    const options = { baseUrl: 'https://a.example', token: 'ghm_ secret', aid: 'AID' }
    expect(create(options)).toThrow('token has white space in it')
    expect(create({ ...options, token: 'ghm_x', environment: 'test' })).toThrow(
      'environment must be production or sandbox',
    )
  })

  it('knows the operations that take and return JSON', () => {
    expect(Object.keys(OPERATIONS).length).toBeGreaterThan(45)
    expect(Object.keys(OPERATIONS)).not.toContain('exportAccess')
    expect(Object.keys(OPERATIONS)).not.toContain('uploadDownload')
  })
})
