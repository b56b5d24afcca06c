import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request that the receiver got. */
export interface ReceivedEvent {
  id: string
  path: string
  headers: http.IncomingHttpHeaders
  body: string
  /** From the body. */
  uid: string | undefined
  sequence: number | undefined
}

/** Responds to one event. Returning nothing leaves the request open. */
type Respond = (event: ReceivedEvent, response: http.ServerResponse) => void

/** A server that gets webhooks, in this process. */
export interface TestReceiver {
  url: string
  received: ReceivedEvent[]
  /** Replaced by tests. */
  respond: Respond
  close(): Promise<void>
}

export const answering =
  (status: number, headers: http.OutgoingHttpHeaders = {}): Respond =>
  (_, response) => {
    response.writeHead(status, headers).end(`status ${status}`)
  }

export async function startReceiver(): Promise<TestReceiver> {
  const server = http.createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks).toString()
    const { data, sequence } = JSON.parse(body) as { data: { uid?: string }; sequence?: number }
    const id = String(request.headers['webhook-id'])
    const path = request.url ?? ''
    const event = { id, path, headers: request.headers, body, uid: data.uid, sequence }
    receiver.received.push(event)
    receiver.respond(event, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const receiver: TestReceiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received: [],
    respond: answering(200),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return receiver
}
