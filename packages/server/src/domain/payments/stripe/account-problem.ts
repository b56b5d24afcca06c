import type { AccountProblem } from '../provider.ts'
import { ProviderError } from '../provider-error.ts'
import { type Account, createAccountApi } from './account-api.ts'
import type { StripeConnection } from './connection.ts'

/** Asks Stripe what keeps the account from taking payments. In test mode nothing does: an account takes test payments
 * before it is activated. */
export async function findAccountProblem(
  connection: StripeConnection,
): Promise<AccountProblem | undefined> {
  if (connection.isTestKey) return undefined
  try {
    return problemWith(await createAccountApi(connection).findAccount())
  } catch (error) {
    if (error instanceof ProviderError && error.kind === 'no_permission') return undefined
    throw error
  }
}

/** What a restricted key may not see is not a problem. */
function problemWith(account: Account): AccountProblem | undefined {
  const { charges_enabled, details_submitted, payouts_enabled, capabilities } = account
  if (charges_enabled === false) {
    return details_submitted === false ? 'details_missing' : 'charges_off'
  }
  if ((capabilities?.card_payments ?? 'active') !== 'active') return 'cards_off'
  return payouts_enabled === false ? 'payouts_off' : undefined
}
