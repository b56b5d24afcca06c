import { once } from 'node:events'
import { get } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { ConnectionError, Gatehouse } from '@gatehouse/sdk'
import { encodeParameters, sign, signedString } from '@gatehouse/sdk/signing'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { databases, type Home } from './testing/databases.ts'
import { type Credentials, newHomeApplication, withHome } from './testing/homes.ts'
import { type ServerProcess, startProcess } from './testing/process.ts'

/** Real processes, on a machine that may be busy with other tests. */
vi.setConfig({ testTimeout: 120_000 })

const PATIENT = { timeout: 20_000 }

describe.each(databases)('a server that is told to stop, on $name,', ({ engine, makeHome }) => {
  let home: Home
  let app: Credentials
  let server: ServerProcess
  let url: string
  beforeEach(async () => {
    home = await makeHome()
    app = await newHomeApplication(home)
    server = await startProcess({ env: home.env })
    url = await server.url
  })
  afterEach(async () => {
    await server.kill()
    await home.remove()
  })

  const codeOf = (error: unknown): unknown => {
    const { code, cause } = error as { code?: unknown; cause?: unknown }
    return code === 'ECONNREFUSED' || !cause ? code : codeOf(cause)
  }

  /** Grants one after the other on a kept connection, until nobody takes new connections. */
  async function grantUntilRefused(name: string, granted: string[]): Promise<void> {
    const client = new Gatehouse({ baseUrl: url, ...app })
    for (let n = 0; ; n++) {
      const user_ref = `${name}-${n}`
      try {
        await client.grantAccess({ rid: app.rid, email: `${user_ref}@example.com`, user_ref })
        granted.push(user_ref)
      } catch (error) {
        if (error instanceof ConnectionError && codeOf(error) === 'ECONNREFUSED') return
        throw error
      }
    }
  }

  /** Every answer of /readyz over connections of its own, until nobody answers. */
  async function watchReadiness(): Promise<number[]> {
    const statuses: number[] = []
    for (;;) {
      const request = get(`${url}/readyz`, { agent: false })
      try {
        const [answer] = await once(request, 'response')
        statuses.push(answer.statusCode)
        answer.resume()
        await once(answer, 'end')
      } catch {
        return statuses
      }
      await sleep(20)
    }
  }

  async function requireGranted(refs: readonly string[]): Promise<void> {
    await withHome(home, async ({ environments }) => {
      const rows = await environments.production.database.read
        .selectFrom('access')
        .select('user_ref')
        .execute()
      const found = new Set(rows.map((row) => row.user_ref))
      expect(refs.filter((ref) => !found.has(ref))).toEqual([])
    })
  }

  it('fails nobody under load: it says so first, then takes no new connection, then ends', async () => {
    const granted: string[] = []
    const clients = Array.from({ length: 10 }, (_, n) => grantUntilRefused(`client${n}`, granted))
    const readiness = watchReadiness()
    await expect.poll(() => granted.length, PATIENT).toBeGreaterThan(50)
    server.signal('SIGTERM')
    await Promise.all(clients)
    const statuses = await readiness
    const notReady = statuses.indexOf(503)
    expect(notReady).toBeGreaterThan(0)
    expect(new Set(statuses.slice(0, notReady))).toEqual(new Set([200]))
    expect(new Set(statuses.slice(notReady))).toEqual(new Set([503]))
    expect(await server.ended).toMatchObject({ code: 0, stderr: '' })
    await requireGranted(granted)
  })

  /** A grant whose last bytes are held back. */
  async function beginGrant(user_ref: string): Promise<{ socket: Socket; rest: string }> {
    const body = encodeParameters({ rid: app.rid, email: `${user_ref}@example.com`, user_ref })
    const target = '/r2/access/grant'
    const signature = await sign(app.privateKey, signedString('POST', `${target}?${body}`))
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    socket.setEncoding('utf8').on('error', () => {})
    socket.write(
      `POST ${target} HTTP/1.1\r\nhost: localhost\r\nauthorization: ${app.aid}:${signature}\r\n` +
        `content-type: application/x-www-form-urlencoded\r\ncontent-length: ${body.length}\r\n\r\n` +
        body.slice(0, 10),
    )
    // Its headers have arrived when another request is answered.
    await fetch(`${url}/healthz`)
    return { socket, rest: body.slice(10) }
  }

  const signal = engine === 'sqlite' ? 'SIGTERM' : 'SIGINT'
  it(`by ${signal} finishes what is under way`, async () => {
    const { socket, rest } = await beginGrant('slow')
    server.signal(signal)
    await expect.poll(() => fetch(url).catch(codeOf), PATIENT).toBe('ECONNREFUSED')
    // Longer than it waits for idle connections.
    await sleep(2_500)
    socket.write(rest)
    const [answer] = await once(socket, 'data')
    expect(answer).toMatch(/^HTTP\/1\.1 200 /)
    expect(answer).toMatch(/^connection: close\r$/im)
    expect(await server.ended).toMatchObject({ code: 0, stderr: '' })
    await requireGranted(['slow'])
  })

  it('twice ends at once', async () => {
    const { socket } = await beginGrant('slow')
    server.signal('SIGTERM')
    // The same signal a moment later is the terminal's and npm's: it is still draining.
    server.signal('SIGINT')
    await sleep(600)
    const { pid } = server
    expect(() => process.kill(pid, 0)).not.toThrow()
    const askedAt = performance.now()
    server.signal('SIGTERM')
    expect(await server.ended).toMatchObject({ code: 1 })
    expect(performance.now() - askedAt).toBeLessThan(1_000)
    socket.destroy()
  })
})
