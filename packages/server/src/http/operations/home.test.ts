import { describe, expect, it } from 'vitest'
import { databases } from '../../testing/databases.ts'
import { send } from '../../testing/http/requests.ts'
import { getPage, submitForm, visibleText } from '../../testing/payments/page-client.ts'
import { useService } from '../../testing/use-service.ts'

const [sqlite] = databases

describe('the address of a service', () => {
  const service = useService(sqlite)

  it('shows a browser what this is, and leads to the dashboard, the API and the health check', async () => {
    const { status, headers, text } = await getPage(`${service.url}/`)
    expect(status).toBe(200)
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    expect(headers['content-security-policy']).toContain("default-src 'none'")
    expect(visibleText(text)).toContain('Gatehouse This server sells access to paid content')
    // The class of the header, with a padding of its own.
    expect(text).toContain('<h1>Gatehouse</h1>')
    const links = [...text.matchAll(/href="([^"]+)"/g)].map(([, href = '']) => href)
    expect(links).toEqual(['/dashboard/', '/docs', '/readyz'])
    expect((await getPage(`${service.url}/docs`)).status).toBe(200)
    expect((await getPage(`${service.url}/readyz`)).status).toBe(200)
  })

  it('tells nothing about the installation', async () => {
    const { headers, text } = await getPage(`${service.url}/`)
    expect(headers.server).toBeUndefined()
    expect(text).not.toMatch(/version|\d+\.\d+\.\d+|sqlite|postgres/i)
  })

  it('is 404 in JSON for programs, forms and every other method', async () => {
    const accept = 'application/json'
    const responses = [
      await send(service.url, '/'),
      await send(service.url, '/', { headers: { accept } }),
      await send(service.url, '/', { method: 'OPTIONS' }),
      await submitForm(`${service.url}/`, { a: '1' }),
      await getPage(`${service.url}/sandbox/`),
    ]
    for (const { status, text } of responses) {
      expect(status).toBe(404)
      expect(JSON.parse(text).error.code).toBe('path_not_found')
    }
  })
})

describe('the address of a service below a path', () => {
  const service = useService(sqlite, { env: { GATEHOUSE_BASE_URL: 'https://example.com/paid' } })

  it('leads on below that path', async () => {
    for (const path of ['/paid', '/paid/']) {
      const { status, text } = await getPage(service.url + path)
      expect(status).toBe(200)
      expect(text).toContain('href="/paid/dashboard/"')
    }
    expect((await getPage(`${service.url}/`)).status).toBe(404)
  })
})
