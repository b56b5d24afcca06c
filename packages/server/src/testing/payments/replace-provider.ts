import type { Environment } from '../../context.ts'
import type { PaymentProvider } from '../../domain/payments/provider.ts'

/** Makes an environment use this provider, whatever its settings say. */
export function replaceProvider(env: Environment, provider: PaymentProvider | undefined): void {
  Object.defineProperty(env, 'provider', { value: provider, configurable: true, enumerable: true })
}
