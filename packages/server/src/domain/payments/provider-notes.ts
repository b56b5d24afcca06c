import type { Db, Trx } from '../../db/database.ts'
import { readMeta, setMeta } from '../../db/meta.ts'
import { deleteRows } from '../../db/queries/rows.ts'
import type { Millis } from '../../db/tables.ts'
import type { AccountProblem } from './provider.ts'

/** What the provider has said about the account, for staff: other processes than the one that was told show it. */

const ACCOUNT = 'provider_account'
const LINK_SHOWN = 'provider_link_shown'
const REFUSED_CURRENCY = 'provider_refused_currency '
const REFUSED_PAGE = 'provider_refused_page'

/** How long something counts that is noted again whenever it happens. */
const CURRENT_MS: Millis = 7 * 86_400_000

interface AccountNote {
  problem: AccountProblem | null
  asked: Millis
}

/** Returns undefined if the provider was not asked yet. */
export async function readAccountNote(db: Db): Promise<AccountNote | undefined> {
  const text = await readMeta(db, ACCOUNT)
  return text === undefined ? undefined : (JSON.parse(text) as AccountNote)
}

export async function noteAccount(
  trx: Trx,
  problem: AccountProblem | null,
  realTime: Millis,
): Promise<void> {
  const note: AccountNote = { problem, asked: realTime }
  await setMeta(trx, ACCOUNT, JSON.stringify(note))
}

/** Records that Stripe has refused to turn Link off on a page. */
export const noteLinkShown = (trx: Trx, realTime: Millis) =>
  setMeta(trx, LINK_SHOWN, String(realTime))

export const wasLinkShown = async (db: Db, realTime: Millis): Promise<boolean> =>
  isCurrent(await readMeta(db, LINK_SHOWN), realTime)

/** Records that the account takes no payments in a currency. */
export const noteRefusedCurrency = (trx: Trx, currency: string, realTime: Millis) =>
  setMeta(trx, REFUSED_CURRENCY + currency, String(realTime))

export const wasCurrencyRefused = async (db: Db, currency: string, realTime: Millis) =>
  isCurrent(await readMeta(db, REFUSED_CURRENCY + currency), realTime)

interface PageNote {
  why: string
  at: Millis
}

/** Records why the provider refused the last page where a reader wanted to pay. */
export async function noteRefusedPage(trx: Trx, why: string, at: Millis): Promise<void> {
  const note: PageNote = { why, at }
  await setMeta(trx, REFUSED_PAGE, JSON.stringify(note))
}

/** Returns why the last page was refused; undefined if it was not, or long ago. */
export async function readRefusedPage(db: Db, realTime: Millis): Promise<string | undefined> {
  const text = await readMeta(db, REFUSED_PAGE)
  if (text === undefined) return undefined
  const { why, at } = JSON.parse(text) as PageNote
  return isCurrent(String(at), realTime) ? why : undefined
}

export const forgetRefusedPage = (trx: Trx) => deleteRows(trx, 'meta', { name: REFUSED_PAGE })

const isCurrent = (at: string | undefined, realTime: Millis): boolean =>
  at !== undefined && realTime - Number(at) < CURRENT_MS

/** For another account, which may take other currencies. */
export async function forgetProviderNotes(trx: Trx): Promise<void> {
  await deleteRows(trx, 'meta', { name: ACCOUNT })
  await deleteRows(trx, 'meta', { name: LINK_SHOWN })
  await forgetRefusedPage(trx)
  await trx.deleteFrom('meta').where('name', 'like', `${REFUSED_CURRENCY}%`).execute()
}
