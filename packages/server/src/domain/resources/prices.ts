import type { Db, Trx } from '../../db/database.ts'
import { padList } from '../../db/queries/pad-list.ts'
import { findAndLockRow, findRow, type RowKey, updateRows } from '../../db/queries/rows.ts'
import type { PriceTable, Seconds } from '../../db/tables.ts'
import { fail, invalid, requireFound } from '../../errors.ts'
import { integer } from '../../fields.ts'
import { newSortedId } from '../../ids.ts'
import { pushTo } from '../../push-to.ts'
import { getApplication } from '../apps/applications.ts'
import { formatMajor } from '../apps/currency.ts'
import { recordHistory } from '../history/history.ts'
import { MAX_AMOUNT, MAX_TRIAL_DAYS } from './limits.ts'
import { getResource } from './resources.ts'

export type PriceRow = PriceTable

/** The terms of a purchase, whether from a resource's price or from a link. */
export type Terms = Pick<PriceTable, 'amount' | 'currency' | 'recurring' | 'period' | 'trial_days'>

export const trialDays = integer(0, MAX_TRIAL_DAYS, 'Days before the first charge.')

/** Throws if the terms can't be sold. */
export function requireTerms(terms: Terms): void {
  const { amount, currency, recurring, period, trial_days } = terms
  if (!Number.isSafeInteger(amount) || amount < 1 || amount > MAX_AMOUNT) {
    throw invalid(
      'amount',
      `must be more than 0 and at most ${formatMajor(MAX_AMOUNT, currency)} ${currency}`,
    )
  }
  if (recurring && period === null) throw invalid('period', 'required for a subscription')
  if (trial_days < 0 || trial_days > MAX_TRIAL_DAYS) {
    throw invalid('trial_days', `must be from 0 to ${MAX_TRIAL_DAYS}`)
  }
  if (trial_days > 0 && !recurring) {
    throw invalid('trial_days', 'only a subscription can have a free trial')
  }
}

/** Prices of one second are offered in the order of their ids. */
export async function createPrice(
  trx: Trx,
  input: Terms & { aid: string; rid: string },
  now: Seconds,
  actor: string,
  id = newSortedId(),
): Promise<PriceRow> {
  const { aid, rid, ...terms } = input
  requireTerms(terms)
  await getResource(trx, aid, rid)
  const row: PriceRow = { id, aid, rid, ...terms, created: now, archived: null }
  await trx.insertInto('prices').values(row).execute()
  await recordHistory(trx, [
    { aid, rid, at: now, actor, action: 'price created', after: { price: row.id, ...terms } },
  ])
  return row
}

/** Creates a price that somebody asked for. Refuses one that is for sale already: the checkout would offer it twice. */
export async function addPrice(
  trx: Trx,
  input: Terms & { aid: string; rid: string },
  now: Seconds,
  actor: string,
): Promise<PriceRow> {
  const { aid, rid } = input
  // Locked, so that of two identical prices at the same moment one is refused.
  await findAndLockRow(trx, 'resources', { aid, rid })
  const prices = await listPrices(trx, aid, rid)
  if (prices.some((price) => price.archived === null && hasSameTerms(price, input)))
    throw fail('price_exists')
  return await createPrice(trx, input, now, actor)
}

const hasSameTerms = (a: Terms, b: Terms) =>
  a.amount === b.amount &&
  a.currency === b.currency &&
  a.recurring === b.recurring &&
  a.period === b.period &&
  a.trial_days === b.trial_days

/** An archived price can't be bought. Existing subscriptions keep their own terms. */
export const archivePrice = (trx: Trx, key: RowKey, now: Seconds, actor: string) =>
  setArchived(trx, key, true, now, actor)

/** Sells at an archived price again. */
export const restorePrice = (trx: Trx, key: RowKey, now: Seconds, actor: string) =>
  setArchived(trx, key, false, now, actor)

async function setArchived(
  trx: Trx,
  { aid, id }: RowKey,
  isArchived: boolean,
  now: Seconds,
  actor: string,
): Promise<PriceRow> {
  const price = requireFound(await findRow(trx, 'prices', { aid, id }), 'price_not_found')
  if ((price.archived !== null) === isArchived) return price
  const archived = isArchived ? now : null
  await updateRows(trx, 'prices', { aid, id }, { archived })
  const entry = isArchived
    ? ({ action: 'price archived', before: { price: id } } as const)
    : ({ action: 'price restored', after: { price: id } } as const)
  await recordHistory(trx, [{ aid, rid: price.rid, at: now, actor, ...entry }])
  return { ...price, archived }
}

/** Lists the prices at which a resource can be bought now, oldest first. */
export async function listOffers(db: Db, aid: string, rid: string): Promise<PriceRow[]> {
  return [...((await listOffersOf(db, aid, [rid])).get(rid) ?? [])]
}

/** Does the same for many resources, by rid. */
export async function listOffersOf(
  db: Db,
  aid: string,
  rids: readonly string[],
): Promise<ReadonlyMap<string, readonly PriceRow[]>> {
  const rows = await db
    .selectFrom('prices as p')
    .innerJoin('resources as r', (join) =>
      join.onRef('r.aid', '=', 'p.aid').onRef('r.rid', '=', 'p.rid'),
    )
    .selectAll('p')
    .where('p.aid', '=', aid)
    .where('p.rid', 'in', padList(rids))
    .where('p.archived', 'is', null)
    .where('r.archived', 'is', null)
    .orderBy('p.created')
    .orderBy('p.id')
    .execute()
  const offers = new Map<string, PriceRow[]>()
  for (const row of rows) pushTo(offers, row.rid, row)
  return offers
}

/** Finds the lowest price in one currency: the application's, or that of the first offer if no offer uses it. */
export async function findLowestOffer(
  db: Db,
  aid: string,
  rid: string,
): Promise<PriceRow | undefined> {
  const offers = await listOffers(db, aid, rid)
  if (offers.length === 0) return undefined
  const own = (await getApplication(db, aid)).currency
  const currency = offers.some((one) => one.currency === own) ? own : offers[0]?.currency
  return offers
    .filter((one) => one.currency === currency)
    .reduce((least, one) => (one.amount < least.amount ? one : least))
}

/** Whether anything can be bought. */
export const hasPrice = async (db: Db, aid: string): Promise<boolean> =>
  (await selectForSale(db, aid).select('p.id').limit(1).execute()).length > 0

/** Lists the currencies in which something of an application can be bought. */
export async function listOfferedCurrencies(db: Db, aid: string): Promise<string[]> {
  const rows = await selectForSale(db, aid).select('p.currency').distinct().execute()
  return rows.map(({ currency }) => currency)
}

const selectForSale = (db: Db, aid: string) =>
  db
    .selectFrom('prices as p')
    .innerJoin('resources as r', (join) =>
      join.onRef('r.aid', '=', 'p.aid').onRef('r.rid', '=', 'p.rid'),
    )
    .where('p.aid', '=', aid)
    .where('p.archived', 'is', null)
    .where('r.archived', 'is', null)

/** Includes archived prices. */
export async function listPrices(db: Db, aid: string, rid?: string): Promise<PriceRow[]> {
  const all = selectPrices(db, aid)
  return await (rid === undefined ? all : all.where('rid', '=', rid)).execute()
}

function selectPrices(db: Db, aid: string) {
  return db.selectFrom('prices').selectAll().where('aid', '=', aid).orderBy('created').orderBy('id')
}
