import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'

export interface Fetched {
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
}

/** What a reader's program sends, and all that comes back, byte for byte; redirects are not followed. */
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

/** The same, with the body still to come. */
export function openFetch(
  url: string,
  headers: Record<string, string> = {},
  method = 'GET',
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request(url, { method, headers, agent: false }, resolve).on('error', reject).end()
  })
}

/** The code of a failure that a program is told. */
export const codeIn = ({ body }: Fetched): string =>
  (JSON.parse(body.toString()) as { error: { code: string } }).error.code
