import { setTimeout as sleep } from 'node:timers/promises'
import { ConnectionError, Gatehouse, NotFoundError, UnavailableError } from '@gatehouse/sdk'
import { expect } from 'vitest'
import type { TestInstallation } from '../databases.ts'
import type { RestartablePostgres } from '../postgres/restartable-postgres.ts'
import type { ServerGroup } from '../processes/server-group.ts'
import type { FakeStripe, Fault } from '../stripe/fake-stripe.ts'
import type { SignedEvent } from '../stripe/webhook-sender.ts'
import { ARTICLE, type Buyer, PASS, type PaymentFixture } from './payment-fixture.ts'

const CLIENTS = 12
/** Maximum latency of a request to the provider, and again of its response. */
const LATENCY_MS = 60
const WRITE_FAULT_RATE = 0.35
const READ_FAULT_RATE = 0.15

export interface LoadContext {
  installation: TestInstallation
  fake: FakeStripe
  service: ServerGroup
  fixture: PaymentFixture
  postgres: RestartablePostgres | undefined
}

/** The period in which everything goes wrong. */
export class FaultPeriod {
  isOver = false
  /** Whether a client got a response that it must not get. */
  hasFailed = false
  readonly #startedAt = performance.now()
  readonly #lasts: number

  constructor(milliseconds: number) {
    this.#lasts = milliseconds
  }

  get progress(): number {
    return (performance.now() - this.#startedAt) / this.#lasts
  }

  /** For a while, every call to the provider fails. */
  get isOutage(): boolean {
    return this.progress > 0.4 && this.progress < 0.5
  }
}

/** Makes the provider fail at random; returns how often each fault occurred. */
export function injectFaults(
  fake: FakeStripe,
  faults: readonly Fault[],
  random: () => number,
  trouble: FaultPeriod,
): Record<string, number> {
  const counted: Record<string, number> = {}
  fake.latency = () => random() * LATENCY_MS
  fake.fault = ({ route }) => {
    const share = route.startsWith('POST') ? WRITE_FAULT_RATE : READ_FAULT_RATE
    if (trouble.isOver) return undefined
    if (!trouble.isOutage && random() >= share) return undefined
    const fault = trouble.isOutage
      ? 'error_before'
      : (faults[Math.floor(random() * faults.length)] as Fault & string)
    counted[fault] = (counted[fault] ?? 0) + 1
    return fault
  }
  return counted
}

/** Sends each refund request at a random time, and repeats it until it is answered. */
export function requestRefunds(
  scene: LoadContext,
  spread: number,
  random: () => number,
): Promise<void>[] {
  const { buyers, quitters } = scene.fixture
  const scheduled = [
    ...buyers.map((buyer) => (client: Gatehouse) => refundBuyer(client, buyer)),
    ...quitters.map(
      ({ userRef }) =>
        (client: Gatehouse) =>
          revoke(client, PASS, userRef),
    ),
  ].map((input) => ({ input, at: performance.now() + random() * spread }))
  scheduled.sort((a, b) => a.at - b.at)
  return Array.from({ length: CLIENTS }, async () => {
    for (let next = scheduled.shift(); next; next = scheduled.shift()) {
      await sleep(Math.max(0, next.at - performance.now()))
      await retryUntilAnswered(scene, next.input)
    }
  })
}

async function retryUntilAnswered(
  { service, postgres, fixture: { aid, privateKey } }: LoadContext,
  input: (client: Gatehouse) => Promise<void>,
): Promise<void> {
  for (;;) {
    const url = await service.url()
    const from = performance.now()
    try {
      return await input(new Gatehouse({ baseUrl: `${url}/sandbox`, aid, privateKey }))
    } catch (error) {
      const isKilled = error instanceof ConnectionError && service.wasKilled(url)
      const isAway =
        error instanceof UnavailableError && (postgres?.mayFail(from) || service.mayHold(from))
      if (!isKilled && !isAway) throw error
      await sleep(10)
    }
  }
}

async function refundBuyer(client: Gatehouse, buyer: Buyer): Promise<void> {
  const { userRef, paymentId: payment, amount } = buyer
  if (buyer.by === 'revoke') return await revoke(client, ARTICLE, userRef)
  const input = { payment, amount: (amount / 100).toFixed(2), reference: `back-${userRef}` }
  expect((await client.refundPayment(input)).status).not.toBe('failed')
}

/** "Not found" counts as success: the previous revoke was carried out, but its response was lost. */
async function revoke(client: Gatehouse, rid: string, user_ref: string): Promise<void> {
  try {
    const { refunds } = await client.revokeAccess({ rid, user_ref, refund: true })
    for (const { status } of refunds) expect(status).not.toBe('failed')
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error
  }
  expect(await client.hasAccess({ rid, user_ref })).toBe(false)
}

/** Keeps sending random events, recent ones more often. */
export async function sendEvents(
  scene: LoadContext,
  random: () => number,
  statuses: Record<string, number>,
  trouble: FaultPeriod,
): Promise<void> {
  const { fake } = scene
  while (!trouble.isOver) {
    const back = Math.ceil(fake.events.length * random() ** 3)
    const status = await sendEvent(scene, fake.signEvent(fake.events.at(-back) as object))
    statuses[status] = (statuses[status] ?? 0) + 1
    await sleep(random() * 50)
  }
}

/** Returns the response status; 0 if there was no response. */
async function sendEvent(
  { service, postgres }: LoadContext,
  { headers, body }: SignedEvent,
): Promise<number> {
  const url = await service.url()
  const from = performance.now()
  try {
    const answer = await fetch(`${url}/sandbox/events/stripe`, { method: 'POST', headers, body })
    expect([200, 503]).toContain(answer.status)
    const isAway = (await answer.text()).includes('database_unavailable')
    if (isAway) expect(postgres?.mayFail(from) || service.mayHold(from)).toBe(true)
    return answer.status
  } catch (error) {
    if (!service.wasKilled(url)) throw error
    return 0
  }
}
