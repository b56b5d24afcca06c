import { once } from 'node:events'
import { createServer, request } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { buffer, text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { databases } from '../testing/databases.ts'
import { requestBytes } from '../testing/http/raw-http.ts'
import { startTestService } from '../testing/service.ts'
import { withoutRequestTimeout } from './connection.ts'

const [sqlite] = databases

it('whoever does not read an answer for a minute is not waited for any longer', async () => {
  const service = await startTestService(sqlite)
  const { server } = service.app
  expect(server.timeout).toBe(60_000)
  // A minute is too long for a test.
  server.timeout = 1_000
  const arrived = once(server, 'connection')
  const reader = connect(Number(new URL(service.url).port), '127.0.0.1').pause()
  reader.on('error', () => {})
  const [socket] = (await arrived) as [Socket]
  // Sends requests until the kernel buffer is full and responses queue up here, below the limit per connection.
  let before = 0
  const isStuck = () => {
    const [last, now] = [before, socket.writableLength]
    before = now
    if (now === 0) reader.write(requestBytes({ target: '/docs' }).repeat(5))
    return now > 0 && now === last
  }
  await expect.poll(isStuck, { interval: 30 }).toBe(true)
  expect(socket.destroyed).toBe(false)
  await expect.poll(() => socket.destroyed).toBe(true)
  reader.destroy()
  await service.stop()
})

it('waits for an upload that is here and takes long to handle, and not for one that stops half-way', async () => {
  const server = createServer(async (request, response) => {
    const handle = async () => {
      await buffer(request)
      await sleep(600)
    }
    await withoutRequestTimeout(request, handle).catch(() => {})
    response.end('done')
  })
  // A minute is too long for a test.
  server.timeout = 200
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const upload = (sent: string) =>
    new Promise<string>((resolve) => {
      const headers = { 'content-length': 5 }
      const outgoing = request({ port, host: '127.0.0.1', method: 'PUT', agent: false, headers })
      outgoing.on('response', async (incoming) => resolve(await text(incoming)))
      outgoing.on('error', ({ message }) => resolve(message))
      outgoing.write(sent)
    })
  expect(await upload('whole')).toBe('done')
  expect(await upload('half')).toBe('socket hang up')
  server.close()
})
