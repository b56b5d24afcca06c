import { createHmac } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { databases } from '../../testing/databases.ts'
import { send } from '../../testing/http/requests.ts'
import { startTestService } from '../../testing/service.ts'
import { useService } from '../../testing/use-service.ts'

/** The tests only read the contract, so any database will do. */
const [database] = databases

interface Parameter {
  name: string
  description: string
  required?: boolean
}
interface Form {
  description: string
  required: boolean
  content: Record<
    string,
    { schema: { properties: Record<string, { description: string }>; required?: string[] } }
  >
}
interface Answer {
  description: string
  headers?: Record<string, unknown>
  content: { 'application/json': { examples?: Record<string, { $ref: string }> } }
}
interface Operation {
  operationId: string
  description: string
  parameters?: Parameter[]
  requestBody?: Form
  responses: Record<string, Answer>
}
interface Contract {
  info: { description: string }
  components: {
    securitySchemes: { signature: { description: string } }
    examples: Record<string, { summary: string; value: { error: Record<string, string> } }>
  }
  paths: Record<string, Record<string, Operation>>
}

const FORM = 'application/x-www-form-urlencoded'

describe('the contract', () => {
  const service = useService(database)
  let contract: Contract
  beforeAll(async () => {
    contract = (await (await fetch(`${service.url}/openapi.json`)).json()) as Contract
  })
  const find = (method: string, path: string) => contract.paths[path]?.[method] as Operation
  const codesOf = (method: string, path: string, status: number) =>
    Object.keys(
      find(method, path).responses[status]?.content['application/json'].examples ?? {},
    ).sort()

  it('lists the error codes of each operation by status, each with an example', () => {
    expect(codesOf('get', '/r2/access', 404)).toEqual(['access_not_found'])
    expect(codesOf('get', '/r2/access', 402)).toEqual(['method_not_allowed'])
    expect(codesOf('post', '/r2/access/grant', 402)).toEqual([
      'answer_erased',
      'idempotency_key_reused',
      'method_not_allowed',
      'request_replayed',
      'resource_archived',
      'ts_out_of_range',
      'user_ref_erased',
      'user_ref_is_uid',
      'user_ref_taken',
    ])
    for (const methods of Object.values(contract.paths)) {
      for (const { operationId, responses } of Object.values(methods)) {
        for (const [status, { description, content }] of Object.entries(responses)) {
          if (status === '200') continue
          const codes = Object.keys(content['application/json'].examples ?? {})
          expect(codes, `${operationId} ${status}`).not.toEqual([])
          for (const code of codes) {
            expect(description).toContain(`\`${code}\``)
            const { error } = contract.components.examples[code]?.value ?? {}
            expect(error).toMatchObject({ code, message: expect.any(String) })
          }
        }
      }
    }
  })

  it('says when to come back, and how to recognize an answer that was given before', () => {
    const { responses } = find('post', '/r2/access/grant')
    expect(Object.keys(responses[503]?.headers ?? {})).toEqual(['Retry-After'])
    expect(Object.keys(responses[429]?.headers ?? {})).toEqual(['Retry-After'])
    expect(Object.keys(responses[200]?.headers ?? {})).toEqual(['Idempotent-Replayed'])
    expect(find('get', '/r2/access').responses[200]?.headers).toBeUndefined()
  })

  it('has a form body for each POST, with all parameters, and for no GET', () => {
    for (const [path, { get, post }] of Object.entries(contract.paths)) {
      expect(get?.requestBody, path).toBeUndefined()
      if (!post) continue
      const { properties } = post.requestBody?.content[FORM]?.schema ?? { properties: {} }
      const names = (post.parameters ?? []).map(({ name }) => name)
      if (path === '/r2/access/check') expect(names).toEqual([])
      else expect(Object.keys(properties), path).toEqual(names)
      expect(Object.keys(properties)).not.toEqual([])
      for (const { description } of Object.values(properties)) expect(description).toMatch(/\.$/)
      expect(post.requestBody?.required).toBe(path === '/r2/access/check')
    }
  })

  it('says where a reader looks what an application must know', () => {
    const [link, download] = [find('get', '/r2/downloads/url'), find('get', '/r2/download/')]
    const named = ({ parameters = [] }: Operation, name: string) =>
      parameters.find((one) => one.name === name)?.description
    expect(link.description).toContain('`lifetime` or `expiration`')
    expect(named(link, 'lifetime')).toContain('required')
    expect(named(link, 'expiration')).toContain('required')
    expect(link.description).toContain('`/r2/download/url`')
    expect(download.description).toContain('`/r2/download`')
    expect(named(find('get', '/r2/access/search'), 'pagesize')).toContain('lowered to 1,000')
    for (const path of ['/r2/access', '/r2/access/search', '/r2/downloads/url']) {
      expect(named(find('get', path), 'user_ref'), path).toContain('`uid`')
    }
    expect(named(find('post', '/r2/access/grant'), 'user_ref')).toContain('`uid`')
    expect(find('get', '/r2/access/search').description).toContain('pass')
    expect(find('post', '/r2/access/revoke').description).toContain('pass')
    expect(contract.info.description).toContain('Answers may gain fields')
  })

  it('teaches signing with examples that anybody can compute', () => {
    const { description } = contract.components.securitySchemes.signature
    const key = /private key `(\w{40})`/.exec(description)?.[1] as string
    const rows = [...description.matchAll(/^\| `(.+?)` \| `([\w-]{43})` \|$/gm)]
    expect(rows.map(([, text]) => text?.replace(/\?.*/, ''))).toEqual([
      'GET /r2/access',
      'GET /r2/clock',
      'POST /r2/access/grant',
      'POST /r2/access/grant',
    ])
    for (const [, text = '', signature] of rows) {
      expect(createHmac('sha256', key).update(text).digest('base64url')).toBe(signature)
    }
    for (const word of ['/sandbox', FORM, 'HMAC', 'url-safe Base64', 'byte for byte']) {
      expect(description).toContain(word)
    }
  })
})

describe('the reference of the sandbox', () => {
  const at = async (env: Record<string, string>, target: string, host?: string) => {
    const service = await startTestService(database, { env })
    try {
      const headers = host === undefined ? {} : { host }
      const { status, headers: answered } = await send(service.url, target, { headers })
      return [status, answered.location?.replace(service.url, 'SERVICE')]
    } finally {
      await service.stop()
    }
  }
  const BASE = { GATEHOUSE_BASE_URL: 'https://example.com/gate' }
  const HOST = 'sandbox.example.com'

  it.each(['/docs', '/openapi.json'])('is that of production: %s', async (path) => {
    expect(await at({}, `/sandbox${path}`)).toEqual([302, path])
    expect(await at(BASE, `/gate/sandbox${path}`)).toEqual([302, `/gate${path}`])
    const own = { ...BASE, GATEHOUSE_SANDBOX_HOST: HOST }
    expect(await at(own, `/gate${path}`, HOST)).toEqual([302, `https://example.com/gate${path}`])
    expect(await at(own, `/gate/sandbox${path}`, 'localhost')).toEqual([302, `/gate${path}`])
    const both = { ...own, GATEHOUSE_PRODUCTION_HOST: 'access.example.com' }
    const target = `https://access.example.com/gate${path}`
    expect(await at(both, `/gate${path}`, `${HOST}:8443`)).toEqual([302, target])
  })
})
