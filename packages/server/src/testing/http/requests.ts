import { createHmac } from 'node:crypto'
import {
  type ClientRequest,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
  request,
} from 'node:http'
import { encodeParameters, type ParameterValue, signedString } from '@gatehouse/sdk/signing'
import type { TestApplication } from '../service.ts'

export interface TestResponse {
  status: number
  headers: IncomingHttpHeaders
  text: string
}

interface TestRequest {
  method?: string
  headers?: OutgoingHttpHeaders
  body?: string
}

/** Sends a target byte for byte, which `fetch` would not; does not sign it. */
export function send(
  address: string,
  target: string,
  message: TestRequest = {},
): Promise<TestResponse> {
  const { outgoing, answer } = beginRequest(address, target, message)
  outgoing.end(message.body)
  return answer
}

/** Does the same, but sends the last byte of the body only after `meanwhile`. */
export async function sendSlowly(
  address: string,
  target: string,
  message: TestRequest & { body: string },
  meanwhile: () => Promise<unknown>,
): Promise<TestResponse> {
  const { outgoing, answer } = beginRequest(address, target, message)
  const bytes = Buffer.from(message.body)
  outgoing.write(bytes.subarray(0, -1))
  const rest = meanwhile().finally(() => outgoing.end(bytes.subarray(-1)))
  return (await Promise.all([answer, rest]))[0]
}

function beginRequest(
  address: string,
  target: string,
  { method = 'GET', headers = {}, body = '' }: TestRequest,
) {
  const { hostname, port } = new URL(address)
  const length = body === '' ? {} : { 'content-length': Buffer.byteLength(body) }
  const head = { method, path: target, headers: { ...length, ...headers } }
  const outgoing = request({ hostname, port, agent: false, ...head })
  return { outgoing, answer: responseTo(outgoing) }
}

/** Reads the whole response to a request. */
export function responseTo(outgoing: ClientRequest): Promise<TestResponse> {
  return new Promise((resolve, reject) => {
    outgoing.on('error', reject)
    outgoing.on('response', (incoming) => {
      const chunks: Buffer[] = []
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
      incoming.on('error', reject)
      incoming.on('end', () => {
        const text = Buffer.concat(chunks).toString()
        resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text })
      })
    })
  })
}

type Signer = Pick<TestApplication, 'aid' | 'privateKey'>

export function authorization({ aid, privateKey }: Signer, method: string, target: string): string {
  const mac = createHmac('sha256', privateKey).update(signedString(method, target), 'latin1')
  return `${aid}:${mac.digest('base64url')}`
}

/** Sends a correctly signed request of any method, for what the SDK would not send. */
export function sendSigned(
  app: TestApplication,
  method: string,
  path: string,
  parameters: Readonly<Record<string, ParameterValue>> = {},
  message: TestRequest = {},
): Promise<TestResponse> {
  const query = encodeParameters(parameters)
  const target = query === '' ? path : `${path}?${query}`
  const { origin, pathname } = new URL(app.baseUrl)
  const prefix = pathname === '/' ? '' : pathname
  const headers = { authorization: authorization(app, method, target), ...message.headers }
  return send(origin, prefix + target, { ...message, method, headers })
}

/** The body of a failure without its request id, the only part in which two equal failures may differ. */
export function withoutRequestId(response: TestResponse): string {
  return response.text.replace(/"request_id":"[A-Za-z0-9]{16}"/, '')
}
