import { Agent, type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http'

export interface HttpResponse {
  status: number
  headers: IncomingHttpHeaders
  text: string
}

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
      return new Promise<HttpResponse>((resolve, reject) => {
        const outgoing = request(head, (incoming) => {
          const chunks: Buffer[] = []
          incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
          incoming.on('error', reject)
          incoming.on('end', () => {
            const text = Buffer.concat(chunks).toString()
            resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text })
          })
        })
        outgoing.on('error', reject)
        outgoing.end(body)
      })
    },
    close: () => agent.destroy(),
  }
}
