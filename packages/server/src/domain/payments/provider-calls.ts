import type { PaymentProvider } from './provider.ts'

/** The calls that are measured go to the provider and back. Listing its records takes many calls, and reading an event none. */
const MEASURED = ['startCheckout', 'expireCheckout', 'charge', 'refund', 'check'] as const

type Operation = (typeof MEASURED)[number] | 'find'

interface CallSum {
  operation: Operation
  /** Whether the provider answered. An answer may be that a card was declined. */
  outcome: 'answered' | 'failed'
  calls: number
  seconds: number
}

/** Counts the calls of this process to a payment provider. */
export class ProviderCalls {
  readonly #sums = new Map<string, CallSum>()

  list(): readonly CallSum[] {
    return [...this.#sums.values()]
  }

  /** Counts one call, however it ends. */
  async measure<R>(operation: Operation, call: () => Promise<R>): Promise<R> {
    const began = performance.now()
    let outcome: CallSum['outcome'] = 'failed'
    try {
      const result = await call()
      outcome = 'answered'
      return result
    } finally {
      this.#add({ operation, outcome }, (performance.now() - began) / 1_000)
    }
  }

  #add(kind: Pick<CallSum, 'operation' | 'outcome'>, seconds: number): void {
    const key = `${kind.operation} ${kind.outcome}`
    const sum = this.#sums.get(key) ?? { ...kind, calls: 0, seconds: 0 }
    this.#sums.set(key, { ...sum, calls: sum.calls + 1, seconds: sum.seconds + seconds })
  }
}

type Call = (...args: unknown[]) => Promise<unknown>

/** Replaces functions by ones that count their calls. */
function measured<T extends object>(
  part: T,
  names: readonly (keyof T)[],
  calls: ProviderCalls,
  operation?: Operation,
): T {
  const replaced = names.map((name) => {
    const original = part[name] as Call
    const named = operation ?? (name as Operation)
    return [name, (...args: unknown[]) => calls.measure(named, () => original.apply(part, args))]
  })
  return { ...part, ...Object.fromEntries(replaced) }
}

/** Returns the same provider, with its calls counted. */
export function measureProvider<P extends PaymentProvider>(provider: P, calls: ProviderCalls): P {
  const names = Object.keys(provider.find) as (keyof PaymentProvider['find'])[]
  const find = measured(provider.find, names, calls, 'find')
  return { ...measured(provider as PaymentProvider, MEASURED, calls), find } as P
}
