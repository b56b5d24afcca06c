import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createPlainServer, type Server } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createBoundedHttp, NoResponse } from './http.ts'

const MAX_BYTES = 4 * 1024 * 1024
const MANY_MS = 10_000

let answer: (response: ServerResponse) => void = () => {}
let connections = 0
const server = createServer((_request, response) => answer(response))
server.on('connection', () => connections++)
const portOf = (one: Server) => (one.address() as AddressInfo).port

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const http = createBoundedHttp()
const ask = (timeout = MANY_MS, port = portOf(server)) =>
  http.makeRequest('127.0.0.1', String(port), '/v1', 'GET', {}, '', 'http', timeout)
const send = (status: number, body: string, headers: Record<string, string> = {}) => {
  answer = (response) => response.writeHead(status, headers).end(body)
}
const contentOf = async () => await (await ask()).toJSON()

describe('a response', () => {
  it('has its status, the headers that are needed, and its object', async () => {
    const needed = { 'Request-Id': 'req_1', 'Retry-After': '7', 'X-Other': 'x' }
    send(200, '{"id":"pi_1"}', { ...needed, 'Stripe-Rate-Limited-Reason': 'global-rate' })
    const response = await ask()
    expect(response.getStatusCode()).toBe(200)
    expect(response.getHeaders()).toEqual({
      'request-id': 'req_1',
      'retry-after': '7',
      'stripe-rate-limited-reason': 'global-rate',
    })
    expect(await response.toJSON()).toEqual({ id: 'pi_1' })
    expect(() => response.toStream(() => {})).toThrow(NoResponse)
    send(200, '{}')
    expect((await ask()).getHeaders()).toEqual({})
  })

  it('comes over a connection of its own', async () => {
    send(200, '{}')
    const before = connections
    for (let call = 0; call < 3; call++) await ask()
    expect(connections).toBe(before + 3)
  })

  it.each([
    [299, '{"error":"no"}', { error: 'no' }],
    [300, '{"id":"pi_1"}', { error: { type: 'unreadable' } }],
    [402, '{"error":{"type":"card_error"}}', { error: { type: 'card_error' } }],
    [500, '{"error":"no"}', { error: { type: 'unreadable' } }],
    [500, '{"error":["no"]}', { error: { type: 'unreadable' } }],
    [500, '{"error":null}', { error: { type: 'unreadable' } }],
    [500, 'null', { error: { type: 'unreadable' } }],
    [502, '<html>', { error: { type: 'unreadable' } }],
    [502, '', { error: { type: 'unreadable' } }],
  ])('of the status %d with %s is read as %j', async (status, body, content) => {
    send(status, body)
    expect(await contentOf()).toEqual(content)
  })

  it.each(['', 'null', '[]', '7', '<html>'])(
    'is none if it should be an object and is %j',
    async (body) => {
      send(200, body)
      await expect(ask()).rejects.toEqual(new NoResponse('the answer is not a JSON object'))
    },
  )

  it('is read up to its limit of bytes', async () => {
    const largest = JSON.stringify({ text: 'x'.repeat(MAX_BYTES - '{"text":""}'.length) })
    send(200, largest)
    expect(JSON.stringify(await contentOf())).toBe(largest)
    send(200, `${largest} `)
    await expect(ask()).rejects.toThrow(`the answer is larger than ${MAX_BYTES} bytes`)
  })

  it.each([
    ['is not sent in time', () => {}],
    ['is not sent whole in time', (response: ServerResponse) => response.write('{')],
  ])('is none if it %s', async (_what, react) => {
    answer = react
    await expect(ask(50)).rejects.toEqual(new NoResponse('no whole answer within 50 ms'))
  })

  it.each([
    ['before its end', 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{}'],
    [
      'before its end, without a length',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n',
    ],
    ['before it begins', ''],
  ])('is none if the connection is closed %s', async (_when, bytes) => {
    const raw = createPlainServer((socket) => {
      socket.on('error', () => {})
      socket.once('data', () => socket.end(bytes))
    })
    raw.listen(0, '127.0.0.1')
    await once(raw, 'listening')
    const outcome = ask(MANY_MS, portOf(raw))
    await expect(outcome).rejects.toThrow(NoResponse)
    await expect(outcome).rejects.toThrow(
      /the answer breaks off|the connection failed \(ECONNRESET\)/,
    )
    raw.close()
  })

  it('is none if nobody listens', async () => {
    const other = createPlainServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const port = portOf(other)
    other.close()
    await once(other, 'close')
    const refused = new NoResponse('the connection failed (ECONNREFUSED)')
    await expect(ask(MANY_MS, port)).rejects.toEqual(refused)
  })
})
