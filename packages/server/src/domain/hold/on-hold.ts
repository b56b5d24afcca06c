import { type Failure, fail } from '../../errors.ts'
import { ProviderError } from '../payments/provider-error.ts'

const RETRY_SECONDS = 60

/** Thrown in place of a call that would send something out. Retry code treats it like any `ProviderError`: the
 * order stays stored and is carried out after the hold. */
export class OnHold extends ProviderError {
  override name = 'OnHold'

  constructor() {
    super('this installation is on hold: nothing is sent out until it is resumed', {
      retryAfter: RETRY_SECONDS * 1000,
    })
  }
}

/** The failure for API callers; `message` replaces the default text. */
export const onHoldFailure = (message?: string): Failure => fail('on_hold', message, RETRY_SECONDS)
