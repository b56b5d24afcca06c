import { beforeAll, describe, expect, it } from 'vitest'
import { databases } from '../../testing/databases.ts'
import { send } from '../../testing/http/requests.ts'
import { unescapeHtml } from '../../testing/http/unescape.ts'
import { newProgram } from '../../testing/management.ts'
import { useService } from '../../testing/use-service.ts'
import { LANGUAGE_NAMES } from './samples.ts'

describe('the page of the management API', () => {
  const service = useService(databases[0])
  let page: string
  let operations: { operationId: string; path: string; method: string; isUpload: boolean }[]
  beforeAll(async () => {
    page = await (await fetch(`${service.url}/docs/management`)).text()
    const { paths } = (await (await fetch(`${service.url}/management/v1/openapi.json`)).json()) as {
      paths: Record<
        string,
        Record<string, { operationId: string; requestBody?: { content: object } }>
      >
    }
    operations = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId, requestBody }]) => ({
        ...{ operationId, path, method },
        isUpload: Object.keys(requestBody?.content ?? {}).includes('application/octet-stream'),
      })),
    )
  })

  it('shows each operation once, with samples in all languages', () => {
    expect(operations.length).toBeGreaterThan(50)
    for (const { operationId, isUpload } of operations) {
      const [, section = '', ...more] = page.split(`<section id="${operationId}"`)
      expect(more, operationId).toEqual([])
      const samples = section.split('</section>')[0]?.match(/<div class="sample /g)
      expect(samples, operationId).toHaveLength(isUpload ? 1 : LANGUAGE_NAMES.length)
    }
  })

  it('leads every link on the page to a place that exists, and names every place once', () => {
    const ids = [...page.matchAll(/\sid="([^"]+)"/g)].map((match) => match[1])
    expect(ids).toEqual([...new Set(ids)])
    const links = [...page.matchAll(/href="#([^"]+)"/g)].map((match) => match[1])
    expect(links.filter((link) => !ids.includes(link))).toEqual([])
  })

  it('gives examples that can be read, wherever their things are found', async () => {
    const programs = [await newProgram(service, 'support'), await newProgram(service, 'developer')]
    const samples = [...page.matchAll(/<div class="sample in-curl">.*?<code>([\s\S]*?)<\/code>/g)]
    expect(samples).toHaveLength(operations.filter(({ isUpload }) => !isUpload).length)
    for (const [, escaped = ''] of samples) {
      const code = unescapeHtml(escaped)
      const [, method = '', target = ''] = /-X (\w+) "\$ADDRESS([^"]+)"/.exec(code) ?? []
      const [, body] = /-d '(.*)'$/.exec(code) ?? []
      for (const { token } of programs) {
        const { status, text } = await send(service.url, target, {
          method,
          headers: {
            authorization: `Bearer ${token}`,
            ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          },
          ...(body === undefined ? {} : { body }),
        })
        expect([200, 403, 404], `${code}: ${text}`).toContain(status)
        expect(text, code).not.toContain('path_not_found')
      }
    }
  })
})
