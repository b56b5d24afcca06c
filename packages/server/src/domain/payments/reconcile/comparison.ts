import { getInstallationId } from '../../../db/installation.ts'
import { listApplications } from '../../apps/applications.ts'
import type { PaymentContext } from '../context.ts'
import type { EventOwner, PaymentProvider, ProviderLedger } from '../provider.ts'

/** The context of one comparison of the provider's records with ours. */
export interface ComparisonContext {
  ctx: PaymentContext
  provider: PaymentProvider
  ledger: ProviderLedger
  installation: string
  /** The applications that exist here. */
  aids: ReadonlySet<string>
}

/** Reads what a comparison needs. Returns undefined if the provider keeps its records in our own database. */
export async function loadComparisonContext(
  ctx: PaymentContext,
): Promise<ComparisonContext | undefined> {
  const { provider, database } = ctx
  if (!provider?.ledger) return undefined
  const applications = await listApplications(database.read)
  return {
    ctx,
    provider,
    ledger: provider.ledger,
    installation: await getInstallationId(database),
    aids: new Set(applications.map(({ aid }) => aid)),
  }
}

/** Whether this installation created an object. Older versions labeled only the application. */
export const isOwnObject = (
  { installation, aids }: ComparisonContext,
  owner: EventOwner,
): boolean =>
  owner.installation === undefined ? aids.has(owner.aid ?? '') : owner.installation === installation
