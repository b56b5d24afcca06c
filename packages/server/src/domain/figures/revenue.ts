import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { Seconds } from '../../db/tables.ts'

/** The sums of a resource are kept for eight days, counted from 1970: few rows for a thousand resources and many years, and
 * few payments to read at both ends of a range. */
const PERIOD: Seconds = 8 * 86_400

/** From a moment, to another one that is not included. */
export interface Span {
  from: Seconds
  to: Seconds
}

/** Whose money is added up, and in which currency: currencies are never added. */
export interface RevenueScope {
  aid: string
  currency: string
}

/** In minor units. */
export interface Revenue {
  taken: number
  /** How many payments that were. */
  sales: number
  refunded: number
  /** What was not refunded of payments whose dispute was lost. */
  lost: number
  net: number
}

type Sums = Omit<Revenue, 'net'>

const withNet = ({ taken, sales, refunded, lost }: Sums): Revenue => ({
  taken: Number(taken),
  sales: Number(sales),
  refunded: Number(refunded),
  lost: Number(lost),
  net: Number(taken) - Number(refunded) - Number(lost),
})

const SUMS = sql`coalesce(sum(taken), 0) as taken, coalesce(sum(sales), 0) as sales,
  coalesce(sum(refunded), 0) as refunded, coalesce(sum(lost), 0) as lost`

/** Adds up a span that begins and ends with a quarter of an hour, as every day of every time zone does. */
export async function sumRevenue(
  db: Db,
  { aid, currency }: RevenueScope,
  { from, to }: Span,
): Promise<Revenue> {
  const { rows } = await sql<Sums>`select ${SUMS} from revenue_sums where aid = ${aid}
    and currency = ${currency} and rid = '' and at >= ${from} and at < ${to}`.execute(db)
  return withNet(rows[0] as Sums)
}

/** Adds up the net revenue of each of the given spans. */
export async function sumNetBySpan(
  db: Db,
  { aid, currency }: RevenueScope,
  spans: readonly Span[],
): Promise<number[]> {
  if (spans.length === 0) return []
  const values = spans.map(({ from, to }) => sql`(cast(${from} as bigint), cast(${to} as bigint))`)
  const { rows } = await sql<{ net: number }>`
    with spans (since, until) as (values ${sql.join(values)})
    select (select coalesce(sum(r.taken - r.refunded - r.lost), 0) from revenue_sums r
      where r.aid = ${aid} and r.currency = ${currency} and r.rid = ''
        and r.at >= s.since and r.at < s.until) as net
    from spans s order by s.since`.execute(db)
  return rows.map(({ net }) => Number(net))
}

export interface ResourceRevenue extends Revenue {
  rid: string
  name: string
}

/** Adds up the revenue of each resource that has any, highest first. The sums are kept for eight days: what a span has of
 * the first and the last of them is read from the payments themselves. */
export async function sumRevenueByResource(
  db: Db,
  scope: RevenueScope,
  span: Span,
): Promise<ResourceRevenue[]> {
  const { aid, currency } = scope
  const { periods, rest } = splitSpan(span)
  const parts = [
    sql`select s.rid, s.taken, s.sales, s.refunded, s.lost from resources r
      cross join revenue_sums s where r.aid = ${aid} and s.aid = r.aid and s.currency = ${currency}
        and s.rid = r.rid and s.at >= ${periods.from} and s.at < ${periods.to}`,
    ...rest.map((part) => moneyIn(scope, part)),
  ]
  const { rows } = await sql<Sums & { rid: string; name: string }>`
    select m.rid, r.name, ${SUMS} from (${sql.join(parts, sql` union all `)}) as m
    join resources r on r.aid = ${aid} and r.rid = m.rid group by m.rid, r.name`.execute(db)
  return rows
    .map((row) => ({ rid: row.rid, name: row.name, ...withNet(row) }))
    .filter(({ sales, refunded, lost }) => sales > 0 || refunded > 0 || lost > 0)
    .sort((a, b) => b.net - a.net || (a.rid < b.rid ? -1 : 1))
}

/** Splits a span into whole periods of eight days and what is left at both ends. */
export function splitSpan({ from, to }: Span): { periods: Span; rest: Span[] } {
  const first = Math.ceil(from / PERIOD) * PERIOD
  const last = Math.floor(to / PERIOD) * PERIOD
  if (first > last) return { periods: { from, to: from }, rest: [{ from, to }] }
  const rest = [
    { from, to: first },
    { from: last, to },
  ]
  return { periods: { from: first, to: last }, rest: rest.filter((part) => part.from < part.to) }
}

/** Selects the money that moved in a short span, as the rows of `revenue_sums` have it. */
function moneyIn({ aid, currency }: RevenueScope, { from, to }: Span): RawBuilder<unknown> {
  return sql`select rid, amount, 1, 0, 0 from payments where aid = ${aid}
      and currency = ${currency} and ${IS_TAKEN} and settled >= ${from} and settled < ${to}
    union all select rid, 0, 0, 0, amount - refunded from payments where aid = ${aid}
      and currency = ${currency} and status in ('disputed', 'lost') and status = 'lost'
      and coalesce(lost, settled) >= ${from} and coalesce(lost, settled) < ${to}
    union all select p.rid, 0, 0, f.amount, 0 from refunds f
      cross join payments p where f.aid = ${aid} and f.currency = ${currency}
        and f.status = 'succeeded' and f.settled >= ${from} and f.settled < ${to}
        and p.aid = f.aid and p.id = f.payment_id`
}

/** Written out, so that both engines use the indexes that have the same condition. */
const IS_TAKEN = sql`status not in ('pending', 'failed')`

/** Lists the currencies in which money was ever taken. Each is found by one step in the index. */
export async function listCurrencies(db: Db, aid: string): Promise<string[]> {
  const { rows } = await sql<{ currency: string }>`
    with recursive found (currency) as (
      select (select min(currency) from revenue_sums where aid = ${aid})
      union all select (select min(s.currency) from revenue_sums s
        where s.aid = ${aid} and s.currency > f.currency)
      from found f where f.currency is not null)
    select currency from found where currency is not null`.execute(db)
  return rows.map(({ currency }) => currency)
}
