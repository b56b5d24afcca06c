import { readFileSync } from 'node:fs'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { databases } from '../testing/databases.ts'
import { RawConnection, requestBytes } from '../testing/http/raw-http.ts'
import { startProcess } from '../testing/processes/process.ts'
import { startTestService, type TestService } from '../testing/service.ts'

vi.setConfig({ testTimeout: 600_000 })

const MIB = 2 ** 20
const [sqlite] = databases
const HEALTH = requestBytes({ target: '/healthz' })
const FORM = 'Content-Type: application/x-www-form-urlencoded'

/** Requests that send this many bytes and never end. */
const KINDS: Record<string, (bytes: number) => string> = {
  'a head': (bytes) => `GET /healthz HTTP/1.1\r\nHost: x\r\nX-Long: ${'a'.repeat(bytes)}`,
  'many headers': (bytes) =>
    `GET /healthz HTTP/1.1\r\nHost: x\r\n${`X-Long: ${'a'.repeat(90)}\r\n`.repeat(bytes / 100)}`,
  'a target': (bytes) => `GET /r2/access?a=${'a'.repeat(bytes)}`,
  'a body': (bytes) =>
    `POST /r2/access/grant HTTP/1.1\r\nHost: x\r\n${FORM}\r\nContent-Length: 160000\r\n\r\n${'a'.repeat(bytes)}`,
  'a head after a request in the same bytes': (bytes) => `${HEALTH}${KINDS['a head']?.(bytes)}`,
  'a head after a body in chunks': (bytes) =>
    `POST /r2/access/grant HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${KINDS['a head']?.(bytes)}`,
}

const open: RawConnection[] = []
async function send(url: string, bytes: string): Promise<RawConnection> {
  const connection = await RawConnection.open(url)
  open.push(connection)
  await connection.write(bytes)
  return connection
}
const countOpen = () => open.filter((one) => one.isOpen).length

describe('requests that never end', () => {
  let service: TestService
  afterEach(async () => {
    for (const connection of open.splice(0)) connection.close()
    await service.stop()
  })

  it.each(Object.keys(KINDS))('have a limit together: %s', async (kind) => {
    service = await startTestService(sqlite, {
      env: { GATEHOUSE_LIMIT_UNFINISHED_BYTES: String(MIB) },
    })
    const bytes = KINDS[kind]?.(60_000) as string
    for (let n = 0; n < 30; n++) await send(service.url, bytes)
    // 17 of them are a megabyte. Enough are closed to leave room for some more.
    await expect.poll(countOpen).toBeLessThanOrEqual(17)
    expect(countOpen()).toBeGreaterThanOrEqual(12)
    expect(await (await fetch(`${service.url}/healthz`)).json()).toEqual({ status: 'ok' })
  })

  it('are told so, and the connection is closed', async () => {
    service = await startTestService(sqlite, {
      env: { GATEHOUSE_LIMIT_UNFINISHED_BYTES: String(MIB) },
    })
    const connection = await send(service.url, KINDS['a head']?.(150_000) as string)
    for (let n = 0; n < 9; n++) await send(service.url, KINDS['a head']?.(100_000) as string)
    const response = await connection.answer()
    expect(response?.status).toBe(503)
    expect(response?.headers.get('retry-after')).toBe('1')
    expect(JSON.parse(response?.body ?? '').error.code).toBe('overloaded')
    await connection.ended()
    const metrics = await (await fetch(`${service.url}/metrics`)).text()
    expect(metrics).toMatch(/^gatehouse_unfinished_closed_total [1-9]/m)
  })

  it('do not count where they are whole, however many connections stay open', async () => {
    service = await startTestService(sqlite, {
      env: { GATEHOUSE_LIMIT_UNFINISHED_BYTES: String(MIB) },
    })
    const odd = 'X-Odd:    spaces  \r\n'.repeat(20)
    const get = `GET /healthz?${'a'.repeat(100_000)} HTTP/1.1\r\nHost: x\r\n${odd}\r\n`
    const post = `POST /r2/access/grant HTTP/1.1\r\nHost: x\r\n${FORM}\r\nContent-Length: 100000\r\n\r\n${'a'.repeat(100_000)}`
    for (let n = 0; n < 30; n++) {
      const connection = await send(service.url, get)
      expect((await connection.answer())?.status).toBe(200)
      await connection.write(post)
      expect((await connection.answer())?.status).toBe(401)
    }
    for (const connection of open) {
      await connection.write(HEALTH)
      expect((await connection.answer())?.status).toBe(200)
    }
  })
})

it('1,000 connections with 150 kB each take no more memory than the limit, and good clients are served', async () => {
  const service = await startTestService(sqlite, { useRealTime: true })
  const server = await startProcess({ env: service.installation.env })
  const url = await server.url
  const app = await service.newApplication()
  await app.addResource('news')
  const client = app.clientAt(url)
  const memory = () => {
    const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1]
    return Number(kilobytes) / 1024
  }
  // The longest allowed message, of four-byte characters: a query of 120 kB.
  const message = '\u{1f600}'.repeat(10_000)
  let readers = 0
  async function useIt(): Promise<void> {
    for (let n = 0; n < 10; n++) await client.searchAccess()
    await client.grantAccess({ rid: 'news', email: `reader${readers++}@example.com`, message })
  }
  const bytes = KINDS['a head']?.(150_000) as string
  // The same bytes as whole requests: garbage that has not been collected yet is then in both figures.
  for (let n = 0; n < 10; n++) {
    const whole = Array.from({ length: 100 }, () => send(url, `${bytes}\r\n\r\n`))
    for (const connection of await Promise.all(whole)) await connection.answer()
    for (const connection of open.splice(0)) connection.close()
    await useIt()
  }
  const before = memory()
  let most = before
  for (let n = 0; n < 10; n++) {
    await Promise.all(Array.from({ length: 100 }, () => send(url, bytes)))
    await useIt()
    most = Math.max(most, memory())
  }
  console.log(`from ${before.toFixed()} MB to ${most.toFixed()} MB`)
  expect(most - before).toBeLessThan(100)
  for (const connection of open.splice(0)) connection.close()
  await server.stop()
  await service.stop()
})
