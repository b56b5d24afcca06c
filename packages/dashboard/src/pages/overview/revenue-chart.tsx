import { type Figures, toMajor } from '@gatehouse/server/dashboard-api'
import type { ReactNode } from 'react'
import { Chart } from '../../components/charts/chart.tsx'
import { formatDate } from '../../components/lists/filter-days.ts'
import { formatCompact, formatMoney, formatShortDay } from '../../format.ts'
import { texts } from '../../texts.ts'
import { ListText } from './list-links.tsx'
import { formatSpan } from './range-picker.tsx'

const words = texts.figures

const MONTH = new Intl.DateTimeFormat('en-GB', { month: 'short', year: 'numeric' })

/** The labels of a bar: its day, its days, or its month. */
function labelsOf(unit: Figures['unit'], { first, last }: { first: string; last: string }) {
  const start = Date.parse(`${first}T00:00`)
  if (unit === 'month') return { label: MONTH.format(start), short: MONTH.format(start) }
  const label = unit === 'day' ? formatDate(first) : formatSpan({ first, last })
  return { label, short: formatShortDay(start) }
}

/** The net revenue over time, and what it consists of. */
export function RevenueChart({ figures }: { figures: Figures }): ReactNode {
  const { currency, revenue, unit, buckets, range } = figures
  const format = (amount: number) => formatMoney({ amount, currency })
  return (
    <Chart
      title={words.net}
      summary={words.chart(words.net, format(revenue.net), buckets.length, words.units[unit])}
      unit={words.units[unit]}
      total={<Parts figures={figures} />}
      bars={buckets.map(({ first, last, net }) => ({
        key: first,
        ...labelsOf(unit, { first, last }),
        value: net,
      }))}
      format={format}
      short={(amount) => formatCompact(toMajor(amount, currency))}
      plain={(amount) => String(toMajor(amount, currency))}
      csvName={`revenue-${currency}-${range.first}-${range.last}`}
    />
  )
}

function Parts({ figures: { revenue, currency } }: { figures: Figures }): ReactNode {
  const { taken, refunded, lost } = revenue
  const format = (amount: number) => formatMoney({ amount, currency })
  return (
    <ul className="flex flex-wrap gap-x-4 text-soft">
      <li>
        {words.parts.taken} <ListText list={taken.list}>{format(taken.amount)}</ListText>
      </li>
      <li>
        {words.parts.refunded} <ListText list={refunded.list}>{format(-refunded.amount)}</ListText>
      </li>
      {lost.amount > 0 && (
        <li>
          {words.parts.lost} <ListText list={lost.list}>{format(-lost.amount)}</ListText>
        </li>
      )}
    </ul>
  )
}
