import type { Millis } from '../../db/tables.ts'

/** Problems that an operator can fix. */
export type ProviderErrorKind = 'key_refused' | 'no_permission' | 'unreachable'

/** The provider definitely does not take payments in this currency, and has carried out nothing. */
export class CurrencyRefused extends Error {
  override name = 'CurrencyRefused'
  readonly currency: string

  constructor(currency: string) {
    super(`the payment provider takes no payments in ${currency}`)
    this.currency = currency
  }
}

/** The provider gave no conclusive answer: the order may have been carried out. */
export class ProviderError extends Error {
  override name = 'ProviderError'
  /** How long to wait at least before the next request, for instance because the provider wants it. */
  readonly retryAfter: Millis | undefined
  readonly kind: ProviderErrorKind | undefined

  constructor(
    message: string,
    options?: ErrorOptions & { retryAfter?: Millis; kind?: ProviderErrorKind },
  ) {
    super(message, options)
    this.retryAfter = options?.retryAfter
    this.kind = options?.kind
  }
}

/** The provider has answered, and refuses what was asked. It goes on refusing until somebody has done something. */
export class ProviderRefusal extends ProviderError {
  override name = 'ProviderRefusal'
}

/** The provider has refused an order and carried out nothing of it. A later attempt needs another idempotency key:
 * providers repeat a stored refusal even after its cause is gone. */
export class OrderRefused extends ProviderRefusal {
  override name = 'OrderRefused'
}

/** One object at the provider can't be read. Others can be. The provider has answered, and will answer alike. */
export class UnreadableObject extends ProviderRefusal {
  override name = 'UnreadableObject'
  /** The provider's id of the object. */
  readonly ref: string
  /** The field that can't be read. */
  readonly field: string

  constructor(ref: string, field: string) {
    super(`the ${field} of ${ref} can't be read`)
    this.ref = ref
    this.field = field
  }
}
