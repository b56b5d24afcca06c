import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { Seconds } from '../../db/tables.ts'
import { APPLICATION_SPAN_LENGTHS, RESOURCE_SPAN_LENGTHS } from './sums.ts'

/** A span of time: `from` is inclusive, `to` exclusive. */
export interface Span {
  from: Seconds
  to: Seconds
}

/** The application whose revenue is added up, and the currency: amounts in different currencies are never added. */
export interface RevenueScope {
  aid: string
  currency: string
}

/** In minor units. */
export interface Revenue {
  taken: number
  /** The number of payments. */
  sales: number
  refunded: number
  /** The part of payments that was lost in disputes and had not been refunded. */
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

/** Selects the sums of one size that add up a span. */
const sumsOf = ({ aid, currency }: RevenueScope, { size, from, to }: Piece) => sql`
  select rid, taken, sales, refunded, lost from revenue_totals where aid = ${aid}
    and currency = ${currency} and size = ${size} and at >= ${from} and at < ${to}`

/** Selects the changes in a span that a worker has not added to the sums yet. */
const changesIn = ({ aid, currency }: RevenueScope, { from, to }: Span) => sql`
  select rid, taken, sales, refunded, lost from revenue_changes where aid = ${aid}
    and currency = ${currency} and at >= ${from} and at < ${to}`

/** Adds up a span that begins and ends with a quarter of an hour, as every day of every time zone does. */
export async function sumRevenue(db: Db, scope: RevenueScope, span: Span): Promise<Revenue> {
  const { pieces } = coverSpan(span, APPLICATION_SPAN_LENGTHS)
  const parts = [...pieces.map((piece) => sumsOf(scope, piece)), changesIn(scope, span)]
  const { rows } = await sql<Sums>`
    select ${SUMS} from (${sql.join(parts, sql` union all `)}) as m`.execute(db)
  return withNet(rows[0] as Sums)
}

/** Adds up the net revenue of each of the given spans. */
export async function sumNetBySpan(
  db: Db,
  scope: RevenueScope,
  spans: readonly Span[],
): Promise<number[]> {
  const pieces = spans.flatMap((span, n) =>
    coverSpan(span, APPLICATION_SPAN_LENGTHS).pieces.map((piece) => ({ ...piece, n })),
  )
  if (pieces.length === 0) return []
  const values = pieces.map(({ n, size, from, to }) => sql.raw(`(${n}, ${size}, ${from}, ${to})`))
  const { rows } = await sql<{ n: number; net: number }>`
    with pieces (n, size, since, until) as (values ${sql.join(values)})
    select p.n, (select coalesce(sum(r.taken - r.refunded - r.lost), 0) from revenue_totals r
      where r.aid = ${scope.aid} and r.currency = ${scope.currency} and r.size = p.size
        and r.at >= p.since and r.at < p.until) as net
    from pieces p`.execute(db)
  const nets = spans.map(() => 0)
  const addTo = (n: number, net: number) => {
    nets[n] = (nets[n] as number) + Number(net)
  }
  for (const { n, net } of rows) addTo(n, net)
  for (const { at, net } of await listChangesByQuarter(db, scope)) {
    const n = spans.findIndex(({ from, to }) => at >= from && at < to)
    if (n >= 0) addTo(n, net)
  }
  return nets
}

async function listChangesByQuarter(db: Db, { aid, currency }: RevenueScope) {
  const { rows } = await sql<{ at: Seconds; net: number }>`
    select at - at % 900 as at, sum(taken - refunded - lost) as net from revenue_changes
    where aid = ${aid} and currency = ${currency} group by at - at % 900`.execute(db)
  return rows
}

export interface ResourceRevenue extends Revenue {
  rid: string
  name: string
}

/** Adds up the revenue of each resource that has any, highest first. Its sums are those of at least eight days: what is left
 * of a span at both ends is read from the payments themselves. */
export async function sumRevenueByResource(
  db: Db,
  scope: RevenueScope,
  span: Span,
): Promise<ResourceRevenue[]> {
  const { pieces, rest } = coverSpan(span, RESOURCE_SPAN_LENGTHS)
  const parts = [
    ...pieces.flatMap((piece) => [sumsOf(scope, piece), changesIn(scope, piece)]),
    ...rest.map((part) => moneyIn(scope, part)),
  ]
  const { rows } = await sql<Sums & { rid: string; name: string }>`
    select m.rid, r.name, m.taken, m.sales, m.refunded, m.lost
    from (select rid, ${SUMS} from (${sql.join(parts, sql` union all `)}) as p group by rid) as m
    join resources r on r.aid = ${scope.aid} and r.rid = m.rid`.execute(db)
  return rows
    .map((row) => ({ rid: row.rid, name: row.name, ...withNet(row) }))
    .filter(({ sales, refunded, lost }) => sales > 0 || refunded > 0 || lost > 0)
    .sort((a, b) => b.net - a.net || (a.rid < b.rid ? -1 : 1))
}

/** A span that sums of one size add up exactly. */
export interface Piece extends Span {
  size: Seconds
}

/** Covers a span with sums, the largest first. `rest` is what none of them covers. */
export function coverSpan(
  span: Span,
  sizes: readonly Seconds[],
): { pieces: Piece[]; rest: Span[] } {
  const pieces: Piece[] = []
  let rest = [span]
  for (const size of sizes) {
    rest = rest.flatMap(({ from, to }) => {
      const first = Math.ceil(from / size) * size
      const last = Math.floor(to / size) * size
      if (first >= last) return [{ from, to }]
      pieces.push({ size, from: first, to: last })
      return [
        { from, to: first },
        { from: last, to },
      ].filter((part) => part.from < part.to)
    })
  }
  return { pieces, rest }
}

/** Selects the money that moved in a short span, with the columns of `sumsOf`. */
function moneyIn({ aid, currency }: RevenueScope, { from, to }: Span): RawBuilder<unknown> {
  return sql`select rid, amount as taken, 1 as sales, 0 as refunded, 0 as lost
    from payments where aid = ${aid}
      and currency = ${currency} and ${IS_TAKEN} and settled >= ${from} and settled < ${to}
    union all select rid, 0, 0, 0,
      case when lost_amount > amount - refunded then amount - refunded else lost_amount end
      from payments where aid = ${aid} and currency = ${currency}
        and lost is not null and lost >= ${from} and lost < ${to}
    union all select p.rid, 0, 0, f.amount, 0 from refunds f
      cross join payments p where f.aid = ${aid} and f.currency = ${currency}
        and f.status = 'succeeded' and f.settled >= ${from} and f.settled < ${to}
        and p.aid = f.aid and p.id = f.payment_id`
}

/** Written out, so that both engines use the indexes that have the same condition. */
const IS_TAKEN = sql`status not in ('pending', 'failed')`

/** Lists the currencies in which money was ever taken. Each of the sums is found by one step in the index. */
export async function listCurrencies(db: Db, aid: string): Promise<string[]> {
  const { rows } = await sql<{ currency: string }>`
    with recursive found (currency) as (
      select (select min(currency) from revenue_totals where aid = ${aid})
      union all select (select min(s.currency) from revenue_totals s
        where s.aid = ${aid} and s.currency > f.currency)
      from found f where f.currency is not null)
    select currency from found where currency is not null
    union select currency from revenue_changes where aid = ${aid} order by currency`.execute(db)
  return rows.map(({ currency }) => currency)
}
