import { describe, expect, it } from 'vitest'
import { ENVIRONMENTS } from '../context.ts'
import { imageUrl } from '../image-url.ts'
import { entryPointDatabases } from '../testing/databases.ts'
import { addDownload } from '../testing/downloads/downloads.ts'
import { send } from '../testing/http/requests.ts'
import { useApplication, useService } from '../testing/use-service.ts'
import { coverImage } from './pages/image.ts'

const FILES = 'files.example.net'
const IMAGE = `${'0'.repeat(32)}j`

describe.each(entryPointDatabases)('a host for files alone, on $name', (database) => {
  const service = useService(database, {
    env: {
      GATEHOUSE_BASE_URL: 'https://access.example.com/pay',
      GATEHOUSE_SANDBOX_HOST: 'sandbox.example.com',
      GATEHOUSE_FILES_HOST: FILES,
    },
  })
  const apps = {
    production: useApplication(service, { resources: ['issue'] }),
    sandbox: useApplication(service, { resources: ['issue'], environment: 'sandbox' }),
  }
  const at = (url: string, method = 'GET') => {
    const { host, pathname, search } = new URL(url)
    const headers = { host, accept: 'text/html' }
    return send(service.url, pathname + search, { method, headers })
  }
  const addressOf = { production: '/pay', sandbox: '/pay/sandbox' }
  const mainOf = {
    production: 'https://access.example.com/pay',
    sandbox: 'https://sandbox.example.com/pay',
  }

  it.each(ENVIRONMENTS)('is in the links of %s, and serves what they lead to', async (name) => {
    const app = apps[name]
    await addDownload(app, 'issue')
    const { url } = await app.client.getDownloadUrl({ rid: 'issue', lifetime: 3600 })
    expect(url.startsWith(`https://${FILES}${addressOf[name]}/d/`)).toBe(true)
    const answer = await at(url)
    expect([answer.status, answer.text]).toEqual([200, 'the file of issue'])
    // An older link.
    const old = url.replace(`https://${FILES}${addressOf[name]}`, mainOf[name])
    const redirect = await at(old)
    expect([redirect.status, redirect.headers.location]).toEqual([307, url])
    expect(redirect.headers['cache-control']).toBe('no-store')
    expect((await at(old, 'HEAD')).headers.location).toBe(url)
  })

  it.each(ENVIRONMENTS)('is in the addresses of images of %s', async (name) => {
    const { environment, aid } = apps[name]
    const url = imageUrl(environment, aid, IMAGE, 800)
    expect(url).toBe(`https://${FILES}${addressOf[name]}/images/${aid}/${IMAGE}-800.jpg`)
    expect(coverImage(environment, aid, IMAGE).text).toContain(`src="${url}"`)
    expect((await at(url)).status).toBe(404)
    const old = url.replace(`https://${FILES}${addressOf[name]}`, mainOf[name])
    expect((await at(old)).headers.location).toBe(url)
  })

  it('serves nothing else', async () => {
    const others = [
      '/',
      '/dashboard/',
      '/dashboard/api/me',
      '/checkout/x',
      '/files/x',
      '/r2/access',
    ]
    for (const path of [...others, '/healthz', '/docs', '/openapi.json', '/metrics', '/images']) {
      for (const prefix of ['', '/pay', '/pay/sandbox']) {
        const answer = await at(`https://${FILES}${prefix}${path}`)
        expect([prefix + path, answer.status]).toEqual([prefix + path, 404])
      }
    }
  })

  it('may be named by the pages that show its images and lead to its files', async () => {
    const page = await at(`https://access.example.com/pay/checkout/${apps.production.aid}/issue`)
    const policy = page.headers['content-security-policy'] ?? ''
    expect(policy).toContain(`img-src 'self' https://${FILES};`)
    expect(policy).toMatch(new RegExp(`form-action [^;]* https://${FILES}[ ;]`))
  })
})
