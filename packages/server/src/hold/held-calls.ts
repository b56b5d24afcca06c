import type { Mailer } from '../outbox/mailer.ts'
import type { PaymentProvider } from '../payments/provider.ts'
import type { TestCards } from '../payments/test-cards.ts'
import type { Gate } from './gate.ts'

/**
 * What a provider may be asked while nothing may be sent out. Whoever adds a method to the interface has to
 * say so here, and one that is not listed is refused.
 */
const WHILE_ON_HOLD: Record<keyof TestCards, 'refused' | 'allowed'> = {
  name: 'allowed',
  startCheckout: 'refused',
  // A copy must not close the pages of the installation that it was copied from.
  expireCheckout: 'refused',
  charge: 'refused',
  refund: 'refused',
  find: 'allowed',
  ledger: 'allowed',
  check: 'allowed',
  readEvent: 'allowed',
  session: 'allowed',
  pay: 'refused',
  dispute: 'allowed',
}

type Call = (...args: unknown[]) => unknown

/** The provider as all others get it: its calls that send something out pass the gate. */
export function holdProvider<P extends PaymentProvider>(provider: P, gate: Gate): P {
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

/** The same for a mail server. */
export function holdMailer(mailer: Mailer, gate: Gate): Mailer {
  return {
    ...mailer,
    async send(mail, stop) {
      await gate.requireOpen()
      await mailer.send(mail, stop)
    },
  }
}
