import type { Db, EnvironmentDatabase } from '../../db/database.ts'
import type { Millis } from '../../db/tables.ts'
import { invalid } from '../../errors.ts'
import { listOfferedCurrencies } from '../resources/prices.ts'
import type { AccountProblem, PaymentProvider } from './provider.ts'
import { ProviderError } from './provider-error.ts'
import {
  noteAccount,
  readAccountNote,
  readRefusedPage,
  wasCurrencyRefused,
  wasLinkShown,
} from './provider-notes.ts'

/** Something that keeps readers from paying, or that costs the publisher money, as staff read it. */
export interface ProviderProblem {
  kind: AccountProblem | 'link_shown' | 'currency_refused' | 'pages_refused'
  text: string
}

const TEXTS: Readonly<Record<AccountProblem | 'link_shown', string>> = {
  details_missing:
    'This Stripe account is not activated, so readers can’t pay. Open Stripe’s dashboard and enter the details of your business that it asks for.',
  charges_off:
    'Stripe does not allow this account to take payments at the moment, so readers can’t pay. Stripe’s dashboard says why.',
  cards_off:
    'Card payments are not active for this Stripe account, so readers can’t pay. Switch them on in Stripe’s dashboard under Settings, Payment methods.',
  payouts_off:
    'Readers can pay, but Stripe does not pay the money out to you at the moment. Stripe’s dashboard says why.',
  link_shown:
    'Stripe refused to turn Link off on a payment page, so that readers may pay through Link, at other fees. Switch Link off in Stripe’s dashboard under Settings, Payment methods.',
}

const currencyText = (currency: string) =>
  `Stripe takes no payments in ${currency} for this account, so nobody can buy at prices in ${currency}. Add prices in another currency and archive those.`

const refusedPageText = (why: string) =>
  `The last reader who wanted to pay could not: Stripe refused to create the payment page. Check whether cards are switched on in Stripe’s dashboard under Settings, Payment methods, and look up the request there under Developers, Logs. (${why})`

interface Asked {
  provider: PaymentProvider | undefined
  realTime(): Millis
}

/** Lists the known problems of the provider in use, and of the prices of these applications with it. `account` is what the
 * provider says of the account just now; by default, what it said last. */
export async function listProviderProblems(
  db: Db,
  { provider, realTime }: Asked,
  aids: readonly string[],
  account?: AccountProblem | null,
): Promise<ProviderProblem[]> {
  if (!provider?.accountProblem) return []
  const now = realTime()
  const problem = account === undefined ? (await readAccountNote(db))?.problem : account
  const kinds = [problem, (await wasLinkShown(db, now)) ? ('link_shown' as const) : null]
  const problems: ProviderProblem[] = kinds
    .filter((kind) => kind != null)
    .map((kind) => ({ kind, text: TEXTS[kind] }))
  const why = await readRefusedPage(db, now)
  if (why !== undefined) problems.push({ kind: 'pages_refused', text: refusedPageText(why) })
  const sold = new Set<string>()
  for (const aid of aids) for (const one of await listOfferedCurrencies(db, aid)) sold.add(one)
  for (const currency of [...sold].sort()) {
    const isOffered = provider.currencies?.has(currency) ?? true
    if (isOffered && !(await wasCurrencyRefused(db, currency, now))) continue
    problems.push({ kind: 'currency_refused', text: currencyText(currency) })
  }
  return problems
}

/** Throws for the currency of a new price in which the provider takes no payments. */
export function requireCurrency(provider: PaymentProvider | undefined, currency: string): void {
  if (provider?.currencies?.has(currency) ?? true) return
  throw invalid('currency', `Stripe takes no payments in ${currency}`)
}

interface Asking extends Asked {
  database: EnvironmentDatabase
}

/** Asks the provider about the account. Returns undefined if there is no answer, and null if there is no problem. */
export async function askAboutAccount({
  provider,
}: Pick<Asked, 'provider'>): Promise<AccountProblem | null | undefined> {
  try {
    return provider?.accountProblem && ((await provider.accountProblem()) ?? null)
  } catch (error) {
    if (error instanceof ProviderError) return undefined
    throw error
  }
}

/** Does the same, and stores the answer. Without one, what is known stays. */
export async function refreshAccountNote(asking: Asking): Promise<void> {
  const problem = await askAboutAccount(asking)
  if (problem === undefined) return
  await asking.database.write((trx) => noteAccount(trx, problem, asking.realTime()))
}

const HOUR_MS: Millis = 3_600_000

/** Does the same once a day, and every hour while there is a problem. */
export async function refreshOldAccountNote(asking: Asking): Promise<void> {
  if (!asking.provider?.accountProblem) return
  const note = await readAccountNote(asking.database.read)
  const pause = note?.problem ? HOUR_MS : 24 * HOUR_MS
  if (note && asking.realTime() - note.asked < pause) return
  await refreshAccountNote(asking)
}
