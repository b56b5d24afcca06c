import type { FastifyRequest } from 'fastify'
import type { Peers } from '../../cluster/peers.ts'
import type { Config } from '../../config/config.ts'
import type { Environment } from '../../context.ts'
import { throttleSubject } from '../client-address.ts'
import { createLimiter, SECOND } from '../limits.ts'
import { OpenCheckouts, type StartedCheckout } from './open-checkouts.ts'

/** The limits of the pages on which anybody can buy. They count both environments separately. */
export interface CheckoutLimits {
  /** A hook that counts a form for the address of its sender, before its body is read. */
  countForm(request: FastifyRequest): Promise<void>
  /** Starts a checkout, unless there are too many, and returns the address of its page at the provider. */
  begin(request: FastifyRequest, start: () => Promise<StartedCheckout>): Promise<string>
  /** Counts a payment with a test card. */
  countTestPayment(): void
  /** Counts a call to the payment provider that a reader causes. What readers cause has its share of the calls that the
   * provider accepts: renewals and refunds must not wait for it. */
  countProviderCall(): void
  /** The same for a call that can be left out: returns false if there are too many. */
  mayCallProvider(): boolean
}

/** The key of limiters that count over all addresses. */
const ALL = 'all'

export function createCheckoutLimits(
  env: Environment,
  config: Config,
  peers: Peers,
): CheckoutLimits {
  const { perAddress, perMinute, openPerAddress, providerCalls } = config.limits.checkouts
  const named = (name: string) => `${name} of ${env.name}`
  const forms = createLimiter(named('checkout form'), perAddress, peers)
  const checkouts = createLimiter(named('checkout'), perMinute, peers)
  const testPayments = createLimiter(named('test payment'), perMinute, peers)
  const calls = createLimiter(named('provider call'), providerCalls, peers, SECOND)
  const open = new OpenCheckouts(env, openPerAddress, peers)
  // Test cards are rows in our own database.
  const isRemote = () => env.provider?.name !== 'test'
  const countProviderCall = () => {
    if (isRemote()) calls.count(ALL)
  }
  return {
    async countForm(request) {
      const address = throttleSubject(config, request)
      if (address !== undefined) forms.count(address)
    },
    async begin(request, start) {
      const counted = async () => {
        countProviderCall()
        checkouts.count(ALL)
        return await start()
      }
      const address = throttleSubject(config, request)
      const started = address === undefined ? counted() : open.begin(address, counted)
      return (await started).url
    },
    countTestPayment: () => testPayments.count(ALL),
    countProviderCall,
    mayCallProvider() {
      if (isRemote() && calls.isReached(ALL)) return false
      countProviderCall()
      return true
    },
  }
}
