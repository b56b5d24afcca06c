import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, it } from 'vitest'
import { databases } from '../testing/databases.ts'
import { useService } from '../testing/use-service.ts'

const MIB = 2 ** 20
const service = useService(databases[0])

const HEAD = (bytes: number) =>
  'PUT /management/v1/production/applications/x/downloads/x/file HTTP/1.1\r\nHost: example.com\r\n' +
  `Content-Type: application/octet-stream\r\nContent-Length: ${bytes}\r\n\r\n`

it('an upload that is refused is read to its end, so that a proxy in between passes the reason on', async () => {
  const { port } = new URL(service.url)
  const socket = connect({ host: '127.0.0.1', port: Number(port) })
  const failures: unknown[] = []
  socket.on('error', (error) => failures.push(error))
  let answer = ''
  socket.on('data', (chunk) => {
    answer += chunk
  })
  const closed = once(socket, 'close')
  socket.write(HEAD(30 * MIB))
  await expect.poll(() => answer).toContain('\r\n\r\n')
  for (let sent = 0; sent < 30; sent++) {
    if (!socket.write(Buffer.alloc(MIB))) await Promise.race([once(socket, 'drain'), closed])
  }
  await closed
  expect(failures).toEqual([])
  expect(answer).toMatch(/^HTTP\/1\.1 (403|404) /)
  expect(answer).toContain('connection: close')
  expect(socket.bytesWritten).toBeGreaterThan(30 * MIB)
})

it('a client that sends nothing more is answered at once, and its connection closed soon', async () => {
  const { port } = new URL(service.url)
  const socket = connect({ host: '127.0.0.1', port: Number(port) })
  const began = performance.now()
  socket.write(HEAD(30 * MIB))
  await once(socket, 'data')
  const answered = performance.now() - began
  socket.resume()
  await once(socket, 'close')
  expect(answered).toBeLessThan(2_000)
  expect(performance.now() - began).toBeLessThan(10_000)
})
