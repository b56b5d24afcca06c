import type { IncomingMessage } from 'node:http'

/** A request without a body and with unobjectionable framing. */
interface PlainRequest {
  /** Its single `Authorization`. */
  authorization: string
  /** Whether it is part of a trace. */
  isTraced: boolean
  /** Whether it brought an ID or is part of a trace: the response then has the header `x-request-id`. */
  wantsId: boolean
}

/** Returns undefined for a request that is not plain. */
export function readPlainRequest({
  httpVersion,
  rawHeaders,
}: IncomingMessage): PlainRequest | undefined {
  // A proxy may speak 1.0.
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return undefined
  let hosts = 0
  let authorization: string | undefined
  let isTraced = false
  let wantsId = false
  for (let i = 0; i < rawHeaders.length; i += 2) {
    switch ((rawHeaders[i] as string).toLowerCase()) {
      case 'host':
        hosts++
        break
      case 'authorization':
        if (authorization !== undefined) return undefined
        authorization = rawHeaders[i + 1]
        break
      case 'x-request-id':
        wantsId = true
        break
      case 'traceparent':
        isTraced = true
        wantsId = true
        break
      case 'transfer-encoding':
      case 'content-length':
      case 'expect':
        return undefined
    }
  }
  if (hosts !== 1 || authorization === undefined) return undefined
  return { authorization, isTraced, wantsId }
}
