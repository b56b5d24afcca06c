import { Agent, type OutgoingHttpHeaders, request } from 'node:http'
import { responseTo, type TestResponse } from '../../http/requests.ts'

export type HttpResponse = TestResponse

export interface HttpRequest {
  method?: string
  headers?: OutgoingHttpHeaders
  body?: string | Buffer
}

/** An HTTP client with keep-alive connections that sends requests byte for byte as given. */
export interface HttpClient {
  send(address: string, message?: HttpRequest): Promise<HttpResponse>
  close(): void
}

export function openHttpClient(): HttpClient {
  const agent = new Agent({ keepAlive: true, maxSockets: 8 })
  return {
    send(address, { method = 'GET', headers = {}, body = '' } = {}) {
      const { origin, hostname, port } = new URL(address)
      const path = address.slice(origin.length) || '/'
      const length = body === '' ? {} : { 'content-length': Buffer.byteLength(body) }
      const head = { hostname, port, path, method, agent, headers: { ...length, ...headers } }
      const outgoing = request(head)
      outgoing.end(body)
      return responseTo(outgoing)
    },
    close: () => agent.destroy(),
  }
}
