import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Gatehouse } from '@gatehouse/sdk'
import { encodeParameters, sign, signedString } from '@gatehouse/sdk/signing'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { KEEP_ALIVE_SECONDS } from '../http/arrival.ts'
import { databases } from '../testing/databases.ts'
import { addDownload } from '../testing/downloads/downloads.ts'
import { ignoreRejection, type ServerProcess, startProcess } from '../testing/processes/process.ts'
import { childrenOf, isRunning } from '../testing/processes/workers.ts'
import {
  useFreshApplication,
  useFreshMigratedInstallation,
  useFreshService,
} from '../testing/use-service.ts'

/** Starts real processes, on a machine that may be busy with other tests. */
vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 })

const PATIENT = { timeout: 60_000 }

/** How long each client pauses after a grant: ten of them then send all the time, and leave room for other tests. */
const PACE_MS = 30

/** More than the kernel buffers before the client reads any of it. */
const FILE = Buffer.alloc(16 * 1024 * 1024, 'the file ')

/** How a service drains does not depend on its database: each of them, and each number of processes, occurs once. */
const KINDS = databases.map((database) => {
  const workers = database.engine === 'sqlite' ? 2 : 1
  return { database, workers, name: `${database.name}, ${workers} serving` }
})

/** A grant whose last bytes were not sent yet, and the response once they are. */
interface SlowGrant {
  socket: Socket
  rest: string
  answer: Promise<string>
}

interface IdleConnection {
  socket: Socket
  /** When its last response arrived, in milliseconds. */
  since: number
}

/** The next bytes that arrive; a connection that ends first gives none. */
const dataOrEnd = async (socket: Socket): Promise<string> => {
  const [data] = await Promise.race([once(socket, 'data'), once(socket, 'close')])
  return typeof data === 'string' ? data : ''
}

describe.each(KINDS)('on $name, a service', ({ database, workers }) => {
  const installation = useFreshMigratedInstallation(database)
  const beside = useFreshService(database, () => ({ installation, useRealTime: true }))
  const app = useFreshApplication(beside, { resources: ['news'] })
  let server: ServerProcess
  let url: string
  let client: Gatehouse
  /** Resolves when the first client has been refused. */
  let closed: Promise<void>
  let tellClosed: () => void
  beforeEach(async () => {
    closed = new Promise((resolve) => {
      tellClosed = resolve
    })
    server = await startProcess({
      env: { ...installation.env, GATEHOUSE_WORKERS: String(workers) },
    })
    url = await server.url
    client = app.clientAt(url)
  })
  afterEach(() => server.kill())

  /** The connection was not accepted, and nothing was sent. */
  const isRefused = (error: unknown): boolean => {
    const { syscall, cause } = error as { syscall?: unknown; cause?: unknown }
    return syscall === 'connect' || (cause !== undefined && isRefused(cause))
  }

  /** Sends grants one after the other on kept-alive connections, until aborted or until new connections are refused. */
  async function keepGranting(name: string, granted: string[], until?: AbortSignal): Promise<void> {
    for (let n = 0; !until?.aborted; n++) {
      const user_ref = `${name}-${n}`
      try {
        await client.grantAccess({ rid: 'news', email: `${user_ref}@example.com`, user_ref })
        granted.push(user_ref)
        await sleep(PACE_MS)
      } catch (error) {
        if (until || !isRefused(error)) throw error
        tellClosed()
        return
      }
    }
  }

  /** Resolves when all clients have finished without an error. */
  function startClients(granted: string[], until?: AbortSignal): Promise<unknown> {
    const clients = Array.from({ length: 10 }, (_, n) => keepGranting(`client${n}`, granted, until))
    return ignoreRejection(Promise.all(clients))
  }

  /** Collects the statuses of /readyz, each on a new connection, until aborted or until the service is gone. */
  async function watchReadiness(until?: AbortSignal): Promise<number[]> {
    const statuses: number[] = []
    while (!until?.aborted) {
      const request = get(`${url}/readyz`, { agent: false })
      try {
        const [answer] = (await once(request, 'response')) as [IncomingMessage]
        statuses.push(answer.statusCode as number)
        await buffer(answer)
      } catch (error) {
        if (until) throw error
        return statuses
      }
      await sleep(20)
    }
    return statuses
  }

  async function requireGranted(refs: readonly string[]): Promise<void> {
    const rows = await app.environment.database.read
      .selectFrom('access')
      .select('user_ref')
      .execute()
    const found = new Set(rows.map((row) => row.user_ref))
    expect(refs.filter((ref) => !found.has(ref))).toEqual([])
  }

  /** Sends a grant without its last bytes. */
  async function beginGrant(user_ref: string): Promise<SlowGrant> {
    const body = encodeParameters({ rid: 'news', email: `${user_ref}@example.com`, user_ref })
    const target = '/r2/access/grant'
    const signature = await sign(app.privateKey, signedString('POST', `${target}?${body}`))
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    socket.setEncoding('utf8').on('error', () => {})
    socket.write(
      `POST ${target} HTTP/1.1\r\nhost: localhost\r\nauthorization: ${app.aid}:${signature}\r\n` +
        `content-type: application/x-www-form-urlencoded\r\ncontent-length: ${body.length}\r\n\r\n` +
        body.slice(0, 10),
    )
    // When another request is answered, the headers of this one have arrived.
    await fetch(`${url}/healthz`)
    return { socket, rest: body.slice(10), answer: dataOrEnd(socket) }
  }

  async function endGrant(grant: SlowGrant): Promise<void> {
    grant.socket.write(grant.rest)
    const answer = await grant.answer
    expect(answer).toMatch(/^HTTP\/1\.1 200 /)
    expect(answer).toMatch(/^connection: close\r$/im)
  }

  const HEALTH = 'GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n'

  /** Opens a connection that has had one response, which says how long it may stay idle. */
  async function beginIdling(): Promise<IdleConnection> {
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    socket.setEncoding('utf8').on('error', () => {})
    socket.write(HEALTH)
    const [answer] = await once(socket, 'data')
    expect(answer).toMatch(new RegExp(`^keep-alive: timeout=${KEEP_ALIVE_SECONDS}\r$`, 'im'))
    return { socket, since: performance.now() }
  }

  /** Sends another request near the end of that time. Not at its end: a busy machine would send it too late. */
  async function endIdling({ socket, since }: IdleConnection): Promise<void> {
    const answer = dataOrEnd(socket)
    await closed
    await sleep(since + KEEP_ALIVE_SECONDS * 1_000 - 500 - performance.now())
    socket.write(HEALTH)
    expect(await answer).toMatch(/^connection: close\r$/im)
  }

  /** Starts a download without reading it. */
  async function beginDownload(): Promise<IncomingMessage> {
    await addDownload(app, 'news', FILE)
    const link = await client.getDownloadUrl({ rid: 'news', lifetime: 600 })
    const [answer] = await once(get(link.url, { agent: false }), 'response')
    return answer
  }

  async function endDownload(answer: IncomingMessage): Promise<void> {
    expect((await buffer(answer)).equals(FILE)).toBe(true)
  }

  const signal = workers === 1 ? 'SIGTERM' : 'SIGINT'
  it(`told to stop by ${signal} under load fails nobody: it says so first, takes no new connection, finishes, ends`, async () => {
    const granted: string[] = []
    const download = await beginDownload()
    const clients = startClients(granted)
    const readiness = ignoreRejection(watchReadiness())
    await expect.poll(() => granted.length, PATIENT).toBeGreaterThan(50)
    // As late as possible: the service waits for the rest of a request for no more than 25 seconds.
    const slow = await beginGrant('slow')
    const idling = ignoreRejection(endIdling(await beginIdling()))
    server.signal(signal)
    await clients
    const statuses = await readiness
    const notReady = statuses.indexOf(503)
    expect(notReady).toBeGreaterThan(0)
    expect(new Set(statuses.slice(0, notReady))).toEqual(new Set([200]))
    // With two workers, one may learn of the stop a moment later.
    if (workers === 1) expect(new Set(statuses.slice(notReady))).toEqual(new Set([503]))
    await idling
    // Together with the time above, longer than the service waits for idle connections.
    await sleep(3_000)
    await endGrant(slow)
    await endDownload(download)
    expect(await server.ended).toMatchObject({ code: 0, stderr: '' })
    await requireGranted([...granted, 'slow'])
  })

  if (workers === 2 && database.engine === 'sqlite')
    it('restarted by SIGHUP under load fails nobody', async () => {
      const before = childrenOf(server.pid)
      const enough = new AbortController()
      const granted: string[] = []
      const download = await beginDownload()
      const clients = startClients(granted, enough.signal)
      const readiness = ignoreRejection(watchReadiness(enough.signal))
      await expect.poll(() => granted.length, PATIENT).toBeGreaterThan(50)
      server.signal('SIGHUP')
      // One request is in progress whenever the first worker exits; none lasts longer than a request may take.
      for (let isLeaving = false, n = 0; !isLeaving; n++) {
        const slow = await beginGrant(`slow-${n}`)
        const leaving = expect.poll(() => server.stdout)
        isLeaving = await leaving.toContain('stopping (replaced)').then(
          () => true,
          () => false,
        )
        await sleep(300)
        slow.socket.write(slow.rest)
        expect((await once(slow.socket, 'data'))[0]).toMatch(/^HTTP\/1\.1 200 /)
        granted.push(`slow-${n}`)
      }
      await endDownload(download)
      await expect.poll(() => server.stdout, PATIENT).toContain('restarted all workers')
      const sofar = granted.length
      await expect.poll(() => granted.length, PATIENT).toBeGreaterThan(sofar + 20)
      enough.abort()
      await clients
      expect(new Set(await readiness)).toEqual(new Set([200]))
      const after = childrenOf(server.pid)
      expect(after).toHaveLength(2)
      expect(after.filter((pid) => before.includes(pid))).toEqual([])
      expect(await server.stop()).toMatchObject({ code: 0, stderr: '' })
      await requireGranted(granted)
    })

  if (database.engine === 'sqlite')
    it('told to stop twice ends at once', async () => {
      const { socket } = await beginGrant('slow')
      server.signal('SIGTERM')
      // The same signal a moment later comes from the terminal and npm: the service continues to drain.
      server.signal('SIGINT')
      await sleep(600)
      const { pid } = server
      const everyone = [pid, ...childrenOf(pid)]
      expect(everyone).toHaveLength(workers === 1 ? 1 : 3)
      const askedAt = performance.now()
      server.signal('SIGTERM')
      expect(await server.ended).toMatchObject({ code: 1 })
      // Draining would have taken 25 seconds.
      expect(performance.now() - askedAt).toBeLessThan(15_000)
      await expect.poll(() => everyone.filter(isRunning), PATIENT).toEqual([])
      socket.destroy()
    })
})
