import { createHash, createHmac } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { databases } from '../../testing/databases.ts'
import { sendSigned } from '../../testing/http/requests.ts'
import { routesOf } from '../../testing/http/route-table.ts'
import { startTestService } from '../../testing/service.ts'
import { useService } from '../../testing/use-service.ts'
import { html, prose } from '../pages/html.ts'
import { referencePage } from './page.ts'
import { LANGUAGE_NAMES } from './samples.ts'

/** The tests only read a page, so any database will do. */
const [database] = databases

interface Contract {
  tags: { name: string }[]
  servers: { url: string }[]
  components: { schemas: Record<string, { properties: Record<string, unknown> }> }
  paths: Record<string, Record<string, Operation>>
}

interface Operation {
  operationId: string
  tags: string[]
  description: string
  parameters?: { name: string }[]
  responses: Record<string, unknown>
  'x-also-at'?: string
}

const operationsOf = ({ paths }: Contract) =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, one]) => ({ ...one, path, method })),
  )

const countOf = (text: string, part: string) => text.split(part).length - 1

describe('the reference', () => {
  const service = useService(database as never)
  let answer: Response
  let page: string
  let contract: Contract
  beforeAll(async () => {
    answer = await fetch(`${service.url}/docs`)
    page = await answer.text()
    contract = (await (await fetch(`${service.url}/openapi.json`)).json()) as Contract
  })

  it('is a page that no type sniffing, frame, form or foreign address can turn against us', () => {
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer')
    const policy = answer.headers.get('content-security-policy')
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toContain('unsafe')
  })

  it('lets every answer gain fields: no record of the contract is closed', () => {
    const { schemas } = contract.components
    expect(Object.keys(schemas)).toEqual(expect.arrayContaining(['AccessDetails', 'Error']))
    expect(JSON.stringify(schemas)).not.toContain('"additionalProperties":false')
    const answers = operationsOf(contract).map(({ responses }) => responses)
    expect(JSON.stringify(answers)).not.toContain('"additionalProperties":false')
  })

  it('allows its one style by its digest', () => {
    const styles = [...page.matchAll(/<style>([\s\S]*?)<\/style>/g)].map(
      (match) => match[1] as string,
    )
    expect(styles).toHaveLength(1)
    const digest = createHash('sha256')
      .update(styles[0] as string)
      .digest('base64')
    expect(answer.headers.get('content-security-policy')).toContain(`style-src 'sha256-${digest}'`)
    expect(page).not.toMatch(/\sstyle=/)
  })

  it('runs the script that copies, and loads nothing, so that it works offline', () => {
    const [script, ...more] = [...page.matchAll(/<script>([\s\S]*?)<\/script>/g)]
    expect(more).toEqual([])
    const digest = createHash('sha256')
      .update(script?.[1] ?? '')
      .digest('base64')
    expect(answer.headers.get('content-security-policy')).toContain(`script-src 'sha256-${digest}'`)
    expect(page).not.toMatch(/<script\s|<link|<img|<iframe/i)
    expect(page.split('</style>')[0]).not.toMatch(/@import|url\(/i)
    expect(page).not.toMatch(/\son\w+=/i)
    expect(page).not.toMatch(/(?:src|href|action)="(?:https?:)?\/\//i)
    expect(page).toContain('it works offline')
  })

  it('has a sample of each operation in each language', () => {
    const count = operationsOf(contract).length
    for (const language of LANGUAGE_NAMES)
      expect(countOf(page, `sample in-${language}"`)).toBe(count)
    expect(page).toContain('gatehouse.getAccess({ rid: &#39;demo-article&#39;')
  })

  it('shows each operation of the contract once, with all of its parameters and answers', () => {
    const operations = operationsOf(contract)
    expect(operations.map(({ operationId }) => operationId)).toContain('getAccess')
    for (const { operationId, path, method, parameters = [] } of operations) {
      expect(countOf(page, `<section id="${operationId}"`)).toBe(1)
      expect(countOf(page, `<a href="#${operationId}"`)).toBe(1)
      const section = page.split(`<section id="${operationId}"`)[1]?.split('</section>')[0] ?? ''
      expect(section).toContain(`${method.toUpperCase()}</span> <code>${path}</code>`)
      for (const { name } of parameters) expect(section).toContain(`<code>${name}</code></th>`)
      expect(section).toContain('every endpoint</a>')
    }
  })

  it('gives each operation one tag, which the contract describes', () => {
    const described = contract.tags.map(({ name }) => [name])
    for (const { operationId, tags } of operationsOf(contract)) {
      expect(described, operationId).toContainEqual(tags)
    }
  })

  it('gives examples of requests that can be read, wherever their things are found', async () => {
    const app = await service.newApplication('sandbox')
    const examples = [...page.matchAll(/Example request"><code>(GET|POST) (.*?)<\/code>/g)]
    expect(examples).toHaveLength(operationsOf(contract).length)
    for (const [, method = '', escaped = ''] of examples) {
      const target = escaped.replaceAll('&amp;', '&')
      const { status, text } = await sendSigned(app, method, target)
      expect([200, 404], `${method} ${target}: ${text}`).toContain(status)
    }
  })

  it('leads every link on the page to a place that exists, and names every place once', () => {
    const ids = [...page.matchAll(/\sid="([^"]+)"/g)].map((match) => match[1])
    expect(ids).toEqual([...new Set(ids)])
    const links = [...page.matchAll(/href="#([^"]+)"/g)].map((match) => match[1])
    expect(links.filter((link) => !ids.includes(link))).toEqual([])
    expect(links).toContain('record-Refund')
  })

  it('gives an example of a signature that can be worked out again', () => {
    const facts = [...page.matchAll(/<dd><code>(.*?)<\/code><\/dd>/g)].map((match) =>
      (match[1] as string).replaceAll('&amp;', '&').replaceAll('&#39;', "'"),
    )
    const [, privateKey, text, signature] = facts as [string, string, string, string]
    expect(privateKey).toMatch(/^[A-Za-z0-9]{40}$/)
    expect(text).toMatch(/^GET \/r2\//)
    expect(createHmac('sha256', privateKey).update(text).digest('base64url')).toBe(signature)
  })

  it('describes every route of both environments, and no other', () => {
    const guides = ['', '/{folder}', '/{folder}/{page}', '/images/{folder}/{name}'].map(
      (path) => `/docs/guides${path}`,
    )
    const operational = [
      '/docs',
      '/docs/management',
      ...guides,
      '/docs/search',
      '/openapi.json',
      '/healthz',
      '/readyz',
      '/metrics',
    ]
    const pages = [
      '/checkout/{aid}/{rid}',
      '/checkout/done/{id}',
      '/test-cards/{session}',
      '/manage/{token}',
    ]
    const forPeople = [
      ...pages.flatMap((path) => [`GET ${path}`, `POST ${path}`]),
      'POST /events/{provider}',
      'GET /d/{token}',
      'HEAD /d/{token}',
      'GET /files/{token}',
      'GET /files/{token}/{id}',
      'POST /files/{token}/{id}',
      'GET /images/{aid}/{name}',
    ]
    const described = operationsOf(contract).flatMap(
      ({ method, path, 'x-also-at': also, description }) => {
        // An alternative path counts as documented if the description mentions it.
        if (also !== undefined) expect(description).toContain(`\`${also}\` is the same.`)
        return [path, also ?? []].flat().map((one) => `${method.toUpperCase()} ${one}`)
      },
    )
    const sandboxOnly = ['GET /r2/clock', 'POST /r2/clock/advance']
    const expected = [
      ...described.filter((route) => !sandboxOnly.includes(route)),
      ...described.map((route) => route.replace(' ', ' /sandbox')),
      ...operational.map((path) => `GET ${path}`),
      ...['/docs', '/openapi.json'].map((path) => `GET /sandbox${path}`),
      ...forPeople,
      ...forPeople.map((route) => route.replace(' ', ' /sandbox')),
    ]
    // The home page, the dashboard's API and the management API, which has a contract of its own, are not part of it.
    const found = routesOf(service)
      .filter((route) => !/ \/(dashboard|management|$)/.test(route))
      .map((route) => route.replace(/:(\w+)/g, '{$1}'))
    expect(found.sort()).toEqual(expected.sort())
  })
})

describe('a base address with a path', () => {
  it('moves the page, the contract and the addresses that they name', async () => {
    const service = await startTestService(database as never, {
      env: { GATEHOUSE_BASE_URL: 'https://example.com/gate' },
    })
    try {
      const contract = (await (await fetch(`${service.url}/gate/openapi.json`)).json()) as Contract
      expect(contract.servers.map(({ url }) => url)).toEqual(['/gate', '/gate/sandbox'])
      expect(Object.keys(contract.paths)).toContain('/r2/access')
      const page = await (await fetch(`${service.url}/gate/docs`)).text()
      expect(page).toContain('/gate/sandbox/r2/&hellip;')
      expect((await fetch(`${service.url}/docs`)).status).toBe(404)
    } finally {
      await service.stop()
    }
  })
})

describe('text on the page', () => {
  const hostile = `<img src=x onerror="alert('1')">&`

  it('is escaped in templates and in prose', () => {
    const escaped = '&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt;&amp;'
    expect(html`<p title="${hostile}">${hostile}</p>`.text).toBe(
      `<p title="${escaped}">${escaped}</p>`,
    )
    expect(prose(`${hostile} \`${hostile}\``).text).toBe(`${escaped} <code>${escaped}</code>`)
  })

  it('is escaped wherever the contract brings it in', () => {
    const schema = { $ref: '#/components/schemas/Thing' }
    const page = referencePage({
      info: { title: hostile, version: hostile },
      servers: [{ url: hostile, description: hostile }],
      components: {
        schemas: {
          Thing: { properties: { [hostile]: { type: hostile, description: hostile } } },
        },
      },
      paths: {
        [hostile]: {
          get: {
            operationId: 'thing',
            summary: hostile,
            description: hostile,
            parameters: [
              { name: hostile, in: 'query', required: true, description: hostile, schema: {} },
            ],
            responses: {
              200: { description: hostile, content: { 'application/json': { schema } } },
            },
          },
        },
      },
    })
    expect(page).not.toContain('<img')
  })
})
