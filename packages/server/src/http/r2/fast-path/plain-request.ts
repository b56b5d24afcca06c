import type { IncomingMessage } from 'node:http'

/** Returns the single `Authorization` of a request without a body and with unobjectionable framing, which is no part of a
 * trace. */
export function plainAuthorization({
  httpVersion,
  rawHeaders,
}: IncomingMessage): string | undefined {
  if (httpVersion !== '1.1') return undefined
  let hosts = 0
  let authorization: string | undefined
  for (let i = 0; i < rawHeaders.length; i += 2) {
    switch ((rawHeaders[i] as string).toLowerCase()) {
      case 'host':
        hosts++
        break
      case 'authorization':
        if (authorization !== undefined) return undefined
        authorization = rawHeaders[i + 1]
        break
      case 'transfer-encoding':
      case 'content-length':
      case 'expect':
      // The route answers with the ID of the request, and logs its trace.
      case 'x-request-id':
      case 'traceparent':
        return undefined
    }
  }
  return hosts === 1 ? authorization : undefined
}
