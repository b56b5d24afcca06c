import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { newId } from '../../ids.ts'
import { type DisputeTerms, openDispute, settleDispute } from './bank.ts'
import {
  FAILURE_RESPONSES,
  type FakeCall,
  type FakeResponse,
  type Fault,
  sendByteByByte,
  sendHugeBody,
  wrongTypes,
} from './faults.ts'
import { addForeignObjects } from './foreign-objects.ts'
import { createIdempotencyStore } from './idempotency-store.ts'
import { requireNoViolations } from './judge/violations.ts'
import { type FakeCard, type FakeEvent, type FakeSession, Ledger } from './ledger.ts'
import { expire, finishSlow, pay, refundByHand, settleRefund } from './payer.ts'
import { createWebhookSender, type Delivery, type SignedEvent, sign } from './webhook-sender.ts'

export { type FakeCall, type Fault, randomFaults } from './faults.ts'

const SECRET_KEY = 'sk_test_fake0123456789'
const WEBHOOK_SECRET = 'whsec_fake0123456789'

/** Behaves like the parts of Stripe that we use, and fails on demand. */
export interface FakeStripe {
  /** The value of GATEHOUSE_STRIPE_API. */
  url: string
  secretKey: string
  /** Further keys of the same account. */
  moreKeys: string[]
  webhookSecret: string
  /** The record of what has really happened, whatever the responses said. */
  ledger: Ledger
  events: readonly FakeEvent[]
  calls: FakeCall[]
  /** Returns what goes wrong with a call, if anything. */
  fault: (call: FakeCall) => Fault | undefined
  /** How many milliseconds a request takes, and again its response; 0 unless set. */
  latency: () => number
  /** Acts as the payer on the hosted page. */
  pay(sessionId: string, card?: FakeCard): FakeSession
  expire(sessionId: string): void
  finishSlow(intentId: string, isPaid: boolean): void
  /** Returns the dispute's id. */
  openDispute(intentId: string, terms?: DisputeTerms): string
  settleDispute(id: string, status: string): void
  /** Puts objects of other systems on the account, of every odd kind. */
  addForeignObjects(): void
  settleRefund(id: string, status: 'succeeded' | 'failed'): void
  /** Refunds like somebody in Stripe's own dashboard; returns the refund's id. */
  refundByHand(intentId: string, amount?: number): string
  /** Signs an event as Stripe would send it; `at` is in milliseconds. */
  signEvent(event: object, at?: number, secret?: string): SignedEvent
  /** Sends all events that were not accepted yet; returns the response statuses, 0 for no response. */
  deliver(url: string, how?: Delivery): Promise<number[]>
  /** Forgets the idempotency keys, as Stripe does after a day. */
  forgetKeys(): void
  /** Cuts the connections of the requests that hang. */
  cutHanging(): void
  stop(): Promise<void>
}

export interface FakeStripeOptions {
  /** The ledger of an earlier instance, to continue it; only its idempotency keys are lost. */
  ledger?: Ledger
  /** Replaces the default test key, which production does not accept. */
  secretKey?: string
}

export async function startFakeStripe(options: FakeStripeOptions = {}): Promise<FakeStripe> {
  const { ledger = new Ledger(), secretKey = SECRET_KEY } = options
  const memory = createIdempotencyStore(ledger, () => fake.url)
  const hanging: IncomingMessage[] = []
  const server = createServer((request, response) => {
    response.on('error', () => {})
    handle(fake, memory, request, response, hanging).catch((error) => {
      response.destroy()
      // The client may have been killed; any other error is a bug in the fake, and must be noticed.
      if (!request.destroyed) throw error
    })
  })

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const fake: FakeStripe = {
    url: `http://127.0.0.1:${port}`,
    secretKey,
    moreKeys: [],
    webhookSecret: WEBHOOK_SECRET,
    ledger,
    events: ledger.events,
    calls: [],
    fault: () => undefined,
    latency: () => 0,
    pay: (id, card = 'good') => pay(ledger, id, card),
    expire: (id) => expire(ledger, id),
    finishSlow: (id, isPaid) => finishSlow(ledger, id, isPaid),
    openDispute: (id, terms) => openDispute(ledger, id, terms),
    settleDispute: (id, status) => settleDispute(ledger, id, status),
    addForeignObjects: () => addForeignObjects(ledger),
    settleRefund: (id, status) => settleRefund(ledger, id, status),
    refundByHand: (id, amount) => refundByHand(ledger, id, amount),
    signEvent: (event, at, secret = WEBHOOK_SECRET) => sign(event, secret, at),
    deliver: createWebhookSender(ledger.events, WEBHOOK_SECRET),
    forgetKeys: memory.forget,
    cutHanging: () => hanging.splice(0).forEach(reset),
    async stop() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
      requireNoViolations()
    },
  }
  return fake
}

/** Answers a request, or fails as `fake.fault` says: before the call takes effect, or after it. */
async function handle(
  fake: FakeStripe,
  memory: ReturnType<typeof createIdempotencyStore>,
  request: IncomingMessage,
  response: ServerResponse,
  hanging: IncomingMessage[],
): Promise<void> {
  const call = await readCall(request)
  fake.calls.push(call)
  const isKnown = [fake.secretKey, ...fake.moreKeys].some(
    (key) => request.headers.authorization === `Bearer ${key}`,
  )
  const fault = isKnown ? fake.fault(call) : 'key_refused'
  await applyLatency(fake)
  if (fault === 'hang_before') return void hanging.push(request)
  if (fault === 'reset_before') return reset(request)
  const undone = typeof fault === 'string' ? FAILURE_RESPONSES[fault] : undefined
  if (undone) return send(response, undone)
  const result = memory.answer(call, fault)
  await applyLatency(fake)
  if (fault === 'hang_after') return void hanging.push(request)
  if (fault === 'reset_after') return reset(request)
  if (fault === 'drip') return sendByteByByte(response, JSON.stringify(result.body))
  if (fault === 'huge') return await sendHugeBody(response)
  send(response, corruptResponse(result, fault))
}

async function applyLatency({ latency }: FakeStripe): Promise<void> {
  const milliseconds = latency()
  if (milliseconds > 0) await sleep(milliseconds)
}

async function readCall(request: IncomingMessage): Promise<FakeCall> {
  const { pathname, search } = new URL(request.url as string, 'http://localhost')
  const [, route = '', id = '', action = ''] =
    /^(\/v1\/(?:checkout\/)?[a-z_]+(?:\/search)?)(?:\/([^/]+))?(\/\w+)?$/.exec(pathname) ?? [
      pathname,
      pathname,
    ]
  const key = request.headers['idempotency-key']
  return {
    route: `${request.method} ${route}${id === '' ? '' : '/:id'}${action}`,
    id: decodeURIComponent(id),
    text: request.method === 'POST' ? await text(request) : search.slice(1),
    idempotencyKey: typeof key === 'string' ? key : undefined,
    headers: request.headers,
  }
}

function reset(request: IncomingMessage): void {
  request.socket.resetAndDestroy()
}

function corruptResponse(response: FakeResponse, fault: Fault | undefined): FakeResponse {
  if (fault === 'not_json') return { ...response, body: '<html>' }
  if (fault === 'wrong_types') return { ...response, body: wrongTypes(response.body) }
  if (typeof fault !== 'object' || 'refuse' in fault) return response
  const body = structuredClone(response.body) as Record<string, unknown>
  const { rewrite, status = response.status, headers = {} } = fault
  return { status, body: rewrite(body), headers }
}

/** Sends a string as it is, and everything else as JSON. */
function send(response: ServerResponse, { status, body, headers }: FakeResponse): void {
  response.writeHead(status, {
    'content-type': 'application/json',
    'request-id': `req_${newId()}`,
    ...headers,
  })
  response.end(typeof body === 'string' ? body : JSON.stringify(body))
}
