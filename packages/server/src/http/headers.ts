import type { IncomingMessage } from 'node:http'

/** Every value of a header as sent: for some headers, Node keeps only the first. */
export function valuesOf({ rawHeaders }: IncomingMessage, name: string): string[] {
  return rawHeaders.filter((_, i) => i % 2 === 1 && rawHeaders[i - 1]?.toLowerCase() === name)
}

export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'
}

/** Returns what is wrong with the framing of a request that Node's parser accepts, or undefined. */
export function problemWithFraming(request: IncomingMessage): string | undefined {
  const { httpVersion, headers } = request
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return 'This is not HTTP/1.1.'
  const hosts = valuesOf(request, 'host').length
  // A proxy in front of us might use the other one.
  if (hosts > 1) return 'There is more than one Host header.'
  if (hosts === 0 && httpVersion === '1.1') return 'The Host header is missing.'
  if ((headers['transfer-encoding'] ?? 'chunked').toLowerCase() !== 'chunked') {
    return 'This transfer encoding is not accepted.'
  }
  if ((headers.expect ?? '100-continue').toLowerCase() !== '100-continue') {
    return 'This expectation cannot be met.'
  }
  return undefined
}
