import { Gatehouse } from '../client.ts'
import type { AccessCheck, Offer } from '../types.ts'
import { allowance, type FakeCall, FakeService, type FakeState, refusal } from './fake-service.ts'

export interface FakeOptions {
  /** The current time in seconds since 1970; defaults to the system clock. */
  now?: () => number
}

/** A client that answers from memory: `Gatehouse` in everything but the network. It knows access, checks, grants and
 * revocations; anything else is an `ApiError` with the code `not_faked`. */
export class FakeGatehouse extends Gatehouse {
  readonly #service: FakeService

  constructor(options: FakeOptions = {}) {
    const service = new FakeService(options.now ?? (() => Math.floor(Date.now() / 1000)))
    const keys = { aid: 'FakeClient', privateKey: 'a-private-key-of-the-fake-client' }
    super({ baseUrl: 'http://gatehouse.invalid', ...keys, fetch: service.fetch })
    this.#service = service
  }

  /** Every request so far, in order. */
  get calls(): readonly FakeCall[] {
    return this.#service.calls
  }

  /** Lets a reader see a resource. */
  allow(
    userRef: string,
    rid: string,
    more: Partial<Pick<AccessCheck, 'code' | 'until' | 'next_change' | 'via'>> = {},
  ): void {
    this.#service.set(userRef, allowance(rid, more))
  }

  /** Refuses a resource to a reader. Readers are refused everything that they were not allowed, too. */
  refuse(
    userRef: string,
    rid: string,
    more: Partial<Pick<AccessCheck, 'code' | 'since' | 'next_change' | 'offers'>> = {},
  ): void {
    this.#service.set(userRef, { ...refusal(rid, 'never_granted', []), ...more })
  }

  /** Puts a resource on sale: access checks that refuse it return these offers. */
  offer(rid: string, ...offers: readonly Partial<Offer>[]): void {
    const all = offers.map((offer, n) => ({ ...OFFER, price: `price-${n + 1}`, rid, ...offer }))
    this.#service.offers.set(rid, all)
  }

  /** Makes the service unreachable, hanging or failing, or brings it back with `up`. */
  become(state: FakeState): void {
    this.#service.state = state
  }
}

const OFFER = { amount: 9.99, currency: 'EUR', recurring: false, trial_days: 0 }

/** A client for tests that answers from memory. */
export const fakeGatehouse = (options?: FakeOptions): FakeGatehouse => new FakeGatehouse(options)
