import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { ConnectionError, Gatehouse, NotFoundError, UnavailableError } from '@gatehouse/sdk'
import type { Credentials } from '../installations.ts'
import { getPage } from '../payments/page-client.ts'
import { goToPayment, payOnPage } from '../payments/page-shop.ts'
import type { Sample } from './samples.ts'

/** How often each kind of request begins, per second. They don't wait for each other. As many subscriptions are canceled
 * as begin, so that the number of renewals stays about the same. */
const PER_SECOND = {
  check: 100,
  grant: 4,
  revoke: 4,
  search: 1,
  download: 1,
  buy: 0.5,
  cancel: 0.5,
}
type Kind = keyof typeof PER_SECOND

const READERS = 2_000
/** Grants that write more than the 8 MB that SQLite keeps in memory of an environment; for each worker. */
const FIRST_GRANTS = 6_000
/** The number of connections after which a process takes no more memory for further ones. */
const FIRST_CONNECTIONS = 20_000
const FIRST_CLIENTS = 8
/** Every subscription is renewed before the clock's answer. */
const MAX_CLOCK_MS = 600_000
/** More requests than this at a time mean that the service has stopped answering. */
const MAX_IN_FLIGHT = 2_000

export interface SoakShop {
  production: Credentials
  /** It sells `daily`, a subscription that is renewed every day, through test cards. */
  sandbox: Credentials
}

/** A mix of everything that sites, readers and staff ask for, at a fixed rate. */
export class SoakLoad {
  readonly counts: Record<Kind | 'lost', number> = {
    ...{ check: 0, grant: 0, revoke: 0, search: 0, download: 0, buy: 0, cancel: 0, lost: 0 },
  }
  /** Milliseconds that access checks took. */
  readonly checks: Sample[] = []
  /** The first unexpected failure. */
  failure: unknown
  readonly #url: string
  readonly #shop: SoakShop
  readonly #random: () => number
  readonly #production: Gatehouse
  readonly #sandbox: Gatehouse
  #startedAt = performance.now()
  /** Requests that began before this time may have been lost with a killed worker. */
  #lastKill = Number.NEGATIVE_INFINITY
  #inFlight = 0
  #isOver = false
  #buyers = 0
  #buying = 0
  #isMovingClock = false

  constructor(url: string, shop: SoakShop, random: () => number) {
    this.#url = url
    this.#shop = shop
    this.#random = random
    this.#production = new Gatehouse({ baseUrl: url, ...shop.production })
    this.#sandbox = new Gatehouse({ baseUrl: `${url}/sandbox`, ...shop.sandbox })
  }

  get minute(): number {
    return (performance.now() - this.#startedAt) / 60_000
  }

  noteKill(): void {
    this.#lastKill = performance.now()
  }

  /** Moves the sandbox's clock, which renews what falls due, while no purchase is under way: its checkout would expire before
   * it is paid. */
  async advanceClock(seconds: number): Promise<void> {
    this.#isMovingClock = true
    while (this.#buying > 0 && this.failure === undefined) await sleep(10)
    const baseUrl = `${this.#url}/sandbox`
    const patient = new Gatehouse({ baseUrl, ...this.#shop.sandbox, timeout: MAX_CLOCK_MS })
    // While a killed worker's lease lasts, the same request is told to wait.
    const move = { seconds, idempotency_key: randomUUID() }
    while (!(await patient.advanceClock(move).then(() => true, ignoreUnavailable)))
      await sleep(1_000)
    this.#isMovingClock = false
  }

  /** Fills the page caches of both environments, and opens and closes many connections. Memory grows until then, which would
   * hide what grows without end. */
  async warmUp(workers: number): Promise<void> {
    await repeat(FIRST_CONNECTIONS, async () => {
      await (await fetch(`${this.#url}/readyz`, { headers: { connection: 'close' } })).text()
    })
    for (const [client, rid] of [
      [this.#production, this.#shop.production.rid],
      [this.#sandbox, this.#shop.sandbox.rid],
    ] as const) {
      await repeat(FIRST_GRANTS * workers, async (number) => {
        const user_ref = `early-${number}`
        await client.grantAccess({ rid, user_ref, email: `${user_ref}@example.com` })
      })
    }
  }

  /** Sends requests until `stop`. */
  async run(): Promise<void> {
    const from = performance.now()
    this.#startedAt = from
    const begun: Partial<Record<Kind, number>> = {}
    while (!this.#isOver) {
      const seconds = (performance.now() - from) / 1000
      for (const [kind, rate] of Object.entries(PER_SECOND) as [Kind, number][]) {
        while ((begun[kind] ?? 0) < seconds * rate) {
          begun[kind] = (begun[kind] ?? 0) + 1
          this.#begin(kind)
        }
      }
      await sleep(10)
    }
    while (this.#inFlight > 0 && this.failure === undefined) await sleep(10)
  }

  stop(): void {
    this.#isOver = true
  }

  #begin(kind: Kind): void {
    if (++this.#inFlight > MAX_IN_FLIGHT) this.#fail(new Error('the service has stopped answering'))
    const begunAt = performance.now()
    this.#send(kind)
      .then(() => {
        this.counts[kind]++
        if (kind === 'check') {
          this.checks.push({ minute: this.minute, value: performance.now() - begunAt })
        }
      })
      .catch((error) => {
        if (this.#isLost(error, begunAt)) this.counts.lost++
        else this.#fail(error)
      })
      .finally(() => {
        this.#inFlight--
      })
  }

  #fail(error: unknown): void {
    this.failure ??= error
    this.#isOver = true
  }

  /** Whether the connection broke because its worker was killed. */
  #isLost(error: unknown, begunAt: number): boolean {
    const isBroken = error instanceof ConnectionError || isConnectionReset(error)
    return isBroken && this.#lastKill >= begunAt - 1_000
  }

  #someone(): string {
    return `reader-${Math.floor(this.#random() * READERS)}`
  }

  async #send(kind: Kind): Promise<void> {
    const { rid } = this.#shop.production
    const user_ref = this.#someone()
    const client = this.#production
    switch (kind) {
      case 'check':
        await client.hasAccess({ rid, user_ref })
        return
      case 'grant':
        await client.grantAccess({ rid, user_ref, email: `${user_ref}@example.com` })
        return
      case 'revoke':
        await client.revokeAccess({ rid, user_ref }).catch(ignoreMissing)
        return
      case 'search':
        await client.searchAccess({ rid, pagesize: 50 })
        return
      case 'download':
        await this.#download()
        return
      case 'buy':
        await this.#buy()
        return
      case 'cancel':
        await this.#cancel()
    }
  }

  async #download(): Promise<void> {
    const { rid } = this.#shop.production
    const { url } = await this.#production.getDownloadUrl({ rid, lifetime: 60 })
    const response = await fetch(url)
    if (!response.ok) throw new Error(`a download was answered with ${response.status}`)
    await response.arrayBuffer()
  }

  async #buy(): Promise<void> {
    while (this.#isMovingClock && !this.#isOver) await sleep(10)
    this.#buying++
    try {
      await this.#buyOnPages()
    } finally {
      this.#buying--
    }
  }

  /** Buys a subscription on the pages, as a reader does. */
  async #buyOnPages(): Promise<void> {
    const { aid, rid } = this.#shop.sandbox
    const page = `${this.#url}/sandbox/checkout/${aid}/${rid}`
    const shown = await getPage(page)
    const price = /name="price" value="([^"]+)"/.exec(shown.text)?.[1] ?? ''
    const email = `buyer-${++this.#buyers}@example.com`
    const done = await payOnPage(await goToPayment(page, { price, email }))
    await getPage(done)
  }

  async #cancel(): Promise<void> {
    const { data } = await this.#sandbox.searchSubscriptions({ pagesize: 100 })
    const active = data.find(({ status }) => status === 'active')
    if (!active) return
    const { rid, user_ref } = active
    await this.#sandbox.cancelSubscription({ rid, user_ref }).catch(ignoreMissing)
  }
}

/** Runs something many times, a few at a time. */
async function repeat(times: number, run: (number: number) => Promise<void>): Promise<void> {
  let left = times
  const runNext = async () => {
    while (left > 0) await run(left--)
  }
  await Promise.all(Array.from({ length: FIRST_CLIENTS }, runNext))
}

/** Returns false if the request can be sent again. */
function ignoreUnavailable(error: unknown): false {
  if (error instanceof UnavailableError) return false
  throw error
}

function ignoreMissing(error: unknown): void {
  if (!(error instanceof NotFoundError)) throw error
}

const isConnectionReset = (error: unknown) =>
  /ECONNRESET|ECONNREFUSED|EPIPE|socket hang up|fetch failed|other side closed/.test(
    `${(error as Error).message} ${((error as Error).cause as Error | undefined)?.message ?? ''}`,
  )
