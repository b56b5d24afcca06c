import type { Millis } from '../../db/tables.ts'

/** Problems that an operator can fix. */
export type ProviderErrorKind = 'key_refused' | 'no_permission' | 'unreachable'

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
