import type { IncomingMessage } from 'node:http'

/** Every value of a header, as it came: Node keeps only the first of some. */
export function valuesOf({ rawHeaders }: IncomingMessage, name: string): string[] {
  return rawHeaders.filter((_, i) => i % 2 === 1 && rawHeaders[i - 1]?.toLowerCase() === name)
}

export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'
}

/** What is wrong with the frame of a request that Node's parser lets pass, or undefined. */
export function problemWithFrame(request: IncomingMessage): string | undefined {
  const { httpVersion, headers } = request
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return 'This is not HTTP/1.1.'
  const hosts = valuesOf(request, 'host').length
  // A proxy before us might read the other one.
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
