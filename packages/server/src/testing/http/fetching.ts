import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'

export interface Fetched {
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
}

/** Sends a request like a reader's program and returns the response byte for byte; does not follow redirects. */
export async function fetchBytes(
  url: string,
  headers: Record<string, string> = {},
  method = 'GET',
): Promise<Fetched> {
  const answer = await openFetch(url, headers, method)
  const chunks: Buffer[] = []
  for await (const chunk of answer) chunks.push(chunk as Buffer)
  return {
    status: answer.statusCode as number,
    headers: answer.headers,
    body: Buffer.concat(chunks),
  }
}

/** Does the same, but resolves before the body has arrived. */
export function openFetch(
  url: string,
  headers: Record<string, string> = {},
  method = 'GET',
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request(url, { method, headers, agent: false }, resolve).on('error', reject).end()
  })
}

/** The error code of a failed request. */
export const errorCode = ({ body }: Fetched): string =>
  (JSON.parse(body.toString()) as { error: { code: string } }).error.code
