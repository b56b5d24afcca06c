import type { Millis } from '../../db/tables.ts'

/** Problems that an operator can fix. */
export type ProviderErrorKind = 'key_refused' | 'no_permission' | 'unreachable'

/** The provider gave no conclusive answer: the order may have been carried out. */
export class ProviderError extends Error {
  override name = 'ProviderError'
  /** How long the provider wants us to wait before the next request. */
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

/** One object at the provider can't be read. Others can be. */
export class UnreadableObject extends ProviderError {
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
