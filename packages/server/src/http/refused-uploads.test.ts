import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { databases } from '../testing/databases.ts'
import { useApplication, useService, useSignedIn } from '../testing/use-service.ts'

const MIB = 2 ** 20
const FILE = 30 * MIB

const HEAD = (path: string, headers: Record<string, string | number> = {}) => {
  const all = { Host: 'example.com', 'Content-Type': 'application/octet-stream', ...headers }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${path} HTTP/1.1\r\n${lines.join('')}\r\n`
}

const REFUSED_AT_ONCE = HEAD('PUT /management/v1/production/applications/x/downloads/x/file', {
  'Content-Length': FILE,
})

function connectTo({ url }: { url: string }): Socket {
  return connect({ host: '127.0.0.1', port: Number(new URL(url).port) })
}

/** Sends a request whatever is answered meanwhile, as proxies do. */
async function sendWhole(service: { url: string }, head: string, chunks: Iterable<Buffer>) {
  const socket = connectTo(service)
  const failures: unknown[] = []
  socket.on('error', (error) => failures.push(error))
  let answer = ''
  socket.on('data', (chunk) => {
    answer += chunk
  })
  const closed = once(socket, 'close')
  socket.write(head)
  for (const chunk of chunks) {
    if (!socket.write(chunk)) await Promise.race([once(socket, 'drain'), closed])
  }
  await closed
  return { failures, answer, sent: socket.bytesWritten }
}

const zeros = () => Array.from({ length: FILE / MIB }, () => Buffer.alloc(MIB))

describe('an upload that is refused', () => {
  const service = useService(databases[0], {
    env: {
      GATEHOUSE_LIMIT_UPLOAD_BYTES: String(FILE),
      GATEHOUSE_LIMIT_UNFINISHED_BYTES: String(MIB),
    },
  })
  const app = useApplication(service, { resources: ['issue'] })
  const editor = useSignedIn(service, 'support')

  /** Starts an upload that staff may make. */
  const headOf = (name: string, headers: Record<string, string | number>) =>
    HEAD(`POST /dashboard/api/production/${app.aid}/resources/issue/files?name=${name}`, {
      ...editor.headers,
      Host: new URL(service.url).host,
      ...headers,
    })

  it('is read to its end, so that a proxy in between passes the reason on', async () => {
    const { failures, answer, sent } = await sendWhole(service, REFUSED_AT_ONCE, zeros())
    expect(failures).toEqual([])
    expect(answer).toMatch(/^HTTP\/1\.1 (403|404) /)
    expect(answer).toContain('connection: close')
    expect(sent).toBeGreaterThan(FILE)
  })

  it('is read to its end also if it is refused in the middle', async () => {
    const page = Buffer.from('<!doctype html><script>alert(1)</script>'.padEnd(MIB))
    const head = headOf('issue.pdf', { 'Content-Length': FILE })
    const whole = await sendWhole(service, head, [page, ...zeros().slice(1)])
    expect(whole.failures).toEqual([])
    expect(whole.answer).toMatch(/^HTTP\/1\.1 402 [\s\S]*file_mismatch/)
    expect(whole.sent).toBeGreaterThan(FILE)
  })

  it('is read on also if it grows too large, and counts for nothing that is kept in memory', async () => {
    const chunks = [...zeros(), ...zeros()].map((chunk) =>
      Buffer.concat([Buffer.from(`${MIB.toString(16)}\r\n`), chunk, Buffer.from('\r\n')]),
    )
    const head = headOf('issue.bin', { 'Transfer-Encoding': 'chunked' })
    const whole = await sendWhole(service, head, [...chunks, Buffer.from('0\r\n\r\n')])
    expect(whole.failures).toEqual([])
    expect(whole.answer).toMatch(/^HTTP\/1\.1 413 [\s\S]*file_too_large/)
  })

  it('is answered at once if nothing more is sent, and its connection closed soon', async () => {
    const socket = connectTo(service)
    const began = performance.now()
    socket.write(REFUSED_AT_ONCE)
    await once(socket, 'data')
    const answered = performance.now() - began
    socket.resume()
    await once(socket, 'close')
    expect(answered).toBeLessThan(2_000)
    expect(performance.now() - began).toBeLessThan(10_000)
  })
})
