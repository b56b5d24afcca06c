import type { Mailer } from '../mail/mailer.ts'
import type { PaymentProvider } from '../payments/provider.ts'
import type { TestCards } from '../payments/test-cards/test-cards.ts'
import type { WebhookClient } from '../webhooks/calls/http-client.ts'
import type { Gate } from './gate.ts'

/**
 * Which provider methods are allowed while the installation is on hold. The type requires an entry for every method;
 * one without an entry is refused.
 */
const WHILE_ON_HOLD: Record<keyof TestCards, 'refused' | 'allowed'> = {
  name: 'allowed',
  currencies: 'allowed',
  accountProblem: 'allowed',
  startCheckout: 'refused',
  // A copy must not close the checkout pages of the installation that it was copied from.
  expireCheckout: 'refused',
  charge: 'refused',
  refund: 'refused',
  find: 'allowed',
  ledger: 'allowed',
  readAllowance: 'allowed',
  check: 'allowed',
  readEvent: 'allowed',
  session: 'allowed',
  pay: 'refused',
  dispute: 'allowed',
}

type Call = (...args: unknown[]) => unknown

/** Wraps a provider so that every method that sends something out passes the gate first. */
export function gateProvider<P extends PaymentProvider>(provider: P, gate: Gate): P {
  const held = Object.entries(provider).map(([name, value]) => {
    const isAllowed = WHILE_ON_HOLD[name as keyof TestCards] === 'allowed'
    if (isAllowed || typeof value !== 'function') return [name, value]
    const call = async (...args: unknown[]) => {
      await gate.requireOpen()
      return await (value as Call).apply(provider, args)
    }
    return [name, call]
  })
  return Object.fromEntries(held) as P
}

/** Does the same for the client that sends webhooks. */
export function gateWebhookClient(client: WebhookClient, gate: Gate): WebhookClient {
  return {
    ...client,
    async post(call) {
      await gate.requireOpen()
      return await client.post(call)
    },
  }
}

/** Does the same for a mail server. */
export function gateMailer(mailer: Mailer, gate: Gate): Mailer {
  return {
    ...mailer,
    async send(mail, stop) {
      await gate.requireOpen()
      await mailer.send(mail, stop)
    },
  }
}
