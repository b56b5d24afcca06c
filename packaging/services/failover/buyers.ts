import { setTimeout as sleep } from 'node:timers/promises'
import { type Gatehouse, NotFoundError, UnavailableError } from '@gatehouse/sdk'
import {
  getPage,
  redirectTarget,
  submitForm,
  visibleText,
} from '../../../packages/server/src/testing/payments/page-client.ts'
import type { ServerGroup } from '../../../packages/server/src/testing/processes/server-group.ts'
import { seededRandom } from '../../../packages/server/src/testing/random.ts'
import type { FakeStripe } from '../../../packages/server/src/testing/stripe/fake-stripe.ts'
import type { Outage } from './outage.ts'

const CLIENTS = 3
const PAUSE_MS = 500
const RETRY_MS = 100
/** How long a paid purchase may take to open access, apart from outages. */
const MAX_FULFIL_MS = 90_000

export const ARTICLE = 'article'

/** A reader who buys an article, and may want the money back. */
export interface Buyer {
  ref: string
  /** The payment at the provider; undefined before it was paid. */
  intent: string | undefined
  /** Whether the revoke with a refund was answered. */
  isRefunded: boolean
}

interface Shop {
  fake: FakeStripe
  service: ServerGroup
  outage: Outage
  clientOf(url: string): Gatehouse
}

/** Readers who buy on the pages, pay at the provider, and return or not. */
export class Buyers {
  readonly all: Buyer[] = []
  readonly #shop: Shop

  constructor(shop: Shop) {
    this.#shop = shop
  }

  /** Starts the clients; `stop` of the result waits until each has finished its purchase. */
  start(random: () => number): { stop(): Promise<void> } {
    const round = { isOver: false }
    const seeds = Array.from({ length: CLIENTS }, () => random() * 2 ** 32)
    const ended = Promise.all(seeds.map((seed) => this.#shopAround(round, seededRandom(seed))))
    // `stop` reports the failure.
    ended.catch(() => {
      round.isOver = true
    })
    return {
      async stop() {
        round.isOver = true
        await ended
      },
    }
  }

  async #shopAround(round: { isOver: boolean }, random: () => number): Promise<void> {
    while (!round.isOver) {
      await this.#buy(random() < 0.75, random() < 0.4)
      await sleep(2 * PAUSE_MS * random())
    }
  }

  async #buy(returns: boolean, wantsRefund: boolean): Promise<void> {
    const { fake, service, clientOf } = this.#shop
    const buyer: Buyer = { ref: `buyer-${this.all.length}`, intent: undefined, isRefunded: false }
    this.all.push(buyer)
    const page = await this.#retry(() => goToPayment(clientOf(service.next() as string), buyer.ref))
    const session = payOn(fake, page)
    buyer.intent = session.payment_intent as string
    if (returns) await this.#retry(() => returnTo(session.success_url))
    if (wantsRefund) await this.#refund(buyer)
  }

  async #refund(buyer: Buyer): Promise<void> {
    const { service, clientOf } = this.#shop
    const who = { rid: ARTICLE, user_ref: buyer.ref }
    const ask = <T>(request: (client: Gatehouse) => Promise<T>) =>
      this.#retry(async () => {
        const client = clientOf(service.next() as string)
        return await request(client).catch((error: unknown) => {
          if (error instanceof UnavailableError) return undefined
          throw error
        })
      })
    let from = performance.now()
    while (!(await ask((client) => client.hasAccess(who)))) {
      if (this.#shop.outage.mayPause(from)) from = performance.now()
      if (performance.now() - from > MAX_FULFIL_MS) throw new Error(`${buyer.ref} got no access`)
      await sleep(RETRY_MS)
    }
    await ask((client) => revoke(client, who))
    buyer.isRefunded = true
  }

  /** Repeats a request for as long as it may be refused. */
  async #retry<T>(request: () => Promise<T | undefined>): Promise<T> {
    for (;;) {
      const from = performance.now()
      const answer = await request()
      if (answer !== undefined) return answer
      if (!this.#shop.outage.mayPause(from)) throw new Error('a purchase was refused')
      await sleep(RETRY_MS)
    }
  }
}

/** Returns the address of the provider's page, or undefined if the service is not available or sells nothing. */
export async function goToPayment(
  client: Gatehouse,
  user_ref: string,
): Promise<string | undefined> {
  const email = `${user_ref}@example.com`
  const terms = { rid: ARTICLE, name: 'Article', amount: '2.90', currency: 'EUR' }
  const link = await client.purchaseLink({ ...terms, user_ref, email })
  const sent = await submitForm(link, { email, first_name: 'Rita' })
  return sent.status === 503 ? undefined : redirectTarget(sent, link)
}

/** Pays on the provider's page. */
export const payOn = (fake: FakeStripe, page: string) => fake.pay(page.split('/').at(-1) as string)

/** Returns from the provider's page; undefined if the service is not available. */
export async function returnTo(done: string): Promise<true | undefined> {
  const { status, text } = await getPage(done)
  if (status === 503) return undefined
  if (status !== 200 && status !== 303) throw new Error(`${done}: ${status} ${visibleText(text)}`)
  return true
}

/** "Not found" counts as success: the previous revoke was carried out, but its response was lost. */
async function revoke(client: Gatehouse, who: { rid: string; user_ref: string }): Promise<true> {
  try {
    await client.revokeAccess({ ...who, refund: true })
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error
  }
  return true
}
