import { type ChildProcess, execFileSync, type SpawnOptions, spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type IncomingHttpHeaders, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { databases } from '../../packages/server/src/testing/databases.ts'
import {
  startTestService,
  type TestApplication,
  type TestService,
} from '../../packages/server/src/testing/service.ts'
import { freePort, stop, until } from '../../scripts/loopback.mjs'
import { documentedServer, startNginx } from '../../scripts/nginx/nginx.mjs'
import { describeForeign } from './installed.ts'
import { ODD_TARGETS } from './targets.ts'

const deployed = (name: string) =>
  readFileSync(fileURLToPath(new URL(`../../deploy/${name}`, import.meta.url)), 'utf8')

/** Where a proxy listens and leads to, and its own folder. */
interface Place {
  folder: string
  port: number
  gatehouse: number
}

const UPLOAD = Buffer.alloc(30 * 2 ** 20)

const quiet: SpawnOptions = { stdio: ['ignore', 'ignore', 'inherit'] }

interface Proxy {
  programs: readonly string[]
  /** The targets that it changes, as its page says. */
  refused: readonly string[]
  start(place: Place): ChildProcess
}

/** Each starts with the file that the guide gives, but on a loopback port, without TLS and in a folder of its own. */
const PROXIES: Record<string, Proxy> = {
  nginx: {
    programs: ['nginx'],
    refused: [],
    start({ folder, port, gatehouse }: Place) {
      const files = join(folder, 'files')
      return startNginx(
        folder,
        documentedServer({ folder, gatehousePort: gatehouse, nginxPort: port, files }),
      )
    },
  },
  Caddy: {
    programs: ['caddy'],
    refused: ['/r2/user/a|b'],
    start({ folder, port, gatehouse }: Place) {
      const config = deployed('Caddyfile')
        .replace(/^http:[\s\S]*/m, '')
        .replace(/^access\.example\.com.*\{/m, `http://:${port} {\nbind 127.0.0.1`)
        .replace('127.0.0.1:8080 {', `127.0.0.1:${gatehouse} {\nheader_up X-Forwarded-Proto https`)
      const file = join(folder, 'Caddyfile')
      writeFileSync(file, `{\nadmin off\nauto_https off\n}\n${config}`)
      const env = { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder }
      return spawn('caddy', ['run', '--adapter', 'caddyfile', '--config', file], {
        stdio: 'ignore',
        env,
      })
    },
  },
  Apache: {
    programs: ['apache2'],
    refused: [],
    start({ folder, port, gatehouse }: Place) {
      const config = deployed('apache.conf')
        .replace('*:443', `127.0.0.1:${port}`)
        .replace(/^ *SSL.*\n/gm, '')
        .replace('127.0.0.1:8080', `127.0.0.1:${gatehouse}`)
      const modules = [...['mpm_event', 'authz_core', 'proxy', 'proxy_http', 'headers']].map(
        (name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so\n`,
      )
      const user = process.getuid?.() === 0 ? 'User nobody\nGroup nogroup\n' : ''
      const file = join(folder, 'apache.conf')
      writeFileSync(
        file,
        `${modules.join('')}${user}ServerName localhost\nErrorLog ${folder}/error.log\nPidFile ${folder}/pid\nListen 127.0.0.1:${port}\n${config}`,
      )
      const env = { ...process.env, APACHE_LOG_DIR: folder, APACHE_RUN_DIR: folder }
      return spawn('apache2', ['-d', folder, '-f', file, '-D', 'FOREGROUND'], { ...quiet, env })
    },
  },
  HAProxy: {
    programs: ['haproxy'],
    refused: [],
    start({ folder, port, gatehouse }: Place) {
      const config = deployed('haproxy.cfg')
        .replace(/bind :443 .*/, `bind 127.0.0.1:${port}`)
        .replace('127.0.0.1:8080', `127.0.0.1:${gatehouse}`)
      const file = join(folder, 'haproxy.cfg')
      writeFileSync(file, config)
      execFileSync('haproxy', ['-c', '-q', '-f', file])
      return spawn('haproxy', ['-db', '-q', '-f', file], quiet)
    },
  },
}

interface Answer {
  status: number
  headers: IncomingHttpHeaders
  body: string
}

function send(
  port: number,
  target: string,
  {
    method = 'GET',
    headers = {},
    body = '',
  }: { method?: string; headers?: object; body?: string | Buffer } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const all = { Host: 'access.example.com', ...headers }
    const sent = request({ host: '127.0.0.1', port, path: target, method, headers: all })
    sent.on('response', async (response) => {
      const { statusCode: status = 0, headers: received } = response
      resolve({ status, headers: received, body: await text(response) })
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

function signed(app: TestApplication, method: string, target: string): Record<string, string> {
  const signature = createHmac('sha256', app.privateKey).update(`${method} ${target}`)
  return { Authorization: `${app.aid}:${signature.digest('base64url')}` }
}

const codeOf = ({ status, body }: Answer) => `${status} ${/"code":"(\w+)"/.exec(body)?.[1] ?? ''}`

for (const [name, { programs, refused, start }] of Object.entries(PROXIES)) {
  describeForeign(name, programs, () => {
    let service: TestService
    let app: TestApplication
    let proxy: ChildProcess
    let folder: string
    let port: number
    let gatehouse: number
    beforeAll(async () => {
      service = await startTestService(databases[0], {
        env: {
          GATEHOUSE_BASE_URL: 'https://access.example.com',
          GATEHOUSE_TRUSTED_PROXIES: '127.0.0.1',
        },
        useRealTime: true,
      })
      app = await service.newApplication()
      folder = mkdtempSync(join(tmpdir(), 'gatehouse-proxy-'))
      mkdirSync(join(folder, 'files'))
      port = await freePort()
      gatehouse = Number(new URL(service.url).port)
      proxy = start({ folder, port, gatehouse })
      await until(name, async () => (await send(port, '/healthz')).status === 200)
    })
    afterAll(async () => {
      if (proxy) await stop(proxy)
      await service?.stop()
      rmSync(folder, { recursive: true, force: true })
    })

    const prefix = () => (app.environment.name === 'sandbox' ? '/sandbox' : '')

    it.each(ODD_TARGETS)('passes on %s as it was signed', async (target) => {
      const headers = { ...signed(app, 'GET', target), 'X-Forwarded-Proto': 'https' }
      const direct = await send(gatehouse, prefix() + target, { headers })
      const through = await send(port, prefix() + target, { headers })
      const isRefused = refused.includes(target)
      expect(direct.status).not.toBe(401)
      expect(codeOf(through)).toBe(isRefused ? '401 unauthorized' : codeOf(direct))
    })

    it('passes on a grant with a message of 10,000 characters', async () => {
      const message = '%E2%82%AC'.repeat(10_000)
      const target = `/r2/access/grant?rid=none&email=ann@example.com&user_ref=ann&message=${message}`
      const answer = await send(port, prefix() + target, {
        method: 'POST',
        headers: signed(app, 'POST', target),
      })
      expect(codeOf(answer)).toBe('404 resource_not_found')
    })

    it('passes on why an upload was refused before its end', async () => {
      const answer = await send(port, '/management/v1/production/applications/x/downloads/x/file', {
        method: 'PUT',
        headers: { 'Content-Type': 'application/octet-stream', 'Content-Length': UPLOAD.length },
        body: UPLOAD,
      })
      expect(codeOf(answer)).toBe('401 invalid_token')
    })

    it('leaves the headers of Gatehouse alone', async () => {
      const target = '/r2/user/nobody'
      const headers = { ...signed(app, 'GET', target), 'X-Forwarded-Proto': 'https' }
      const [direct, through] = await Promise.all([
        send(gatehouse, prefix() + target, { headers }),
        send(port, prefix() + target, { headers }),
      ])
      for (const name of ['content-type', 'x-content-type-options', 'strict-transport-security']) {
        expect(through.headers[name]).toBe(direct.headers[name])
      }
    })

    it('hides the figures', async () => {
      for (const target of ['/metrics', '//metrics']) {
        expect((await send(port, target)).status).toBeOneOf([403, 404])
      }
    })

    it('answers in JSON while Gatehouse is away', async () => {
      const elsewhere = mkdtempSync(join(tmpdir(), 'gatehouse-proxy-'))
      const [alone, nowhere] = [await freePort(), await freePort()]
      const other = start({ folder: elsewhere, port: alone, gatehouse: nowhere })
      let answer: Answer | undefined
      await until(name, async () => {
        answer = await send(alone, '/healthz')
        return true
      })
      expect(codeOf(answer as Answer)).toBe('503 unavailable')
      expect(answer?.headers).toMatchObject({
        'content-type': expect.stringMatching(/^application\/json/),
        'retry-after': '1',
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'; base-uri 'none'",
        'strict-transport-security': 'max-age=31536000; includeSubDomains',
      })
      await stop(other)
      rmSync(elsewhere, { recursive: true, force: true })
    })
  })
}
