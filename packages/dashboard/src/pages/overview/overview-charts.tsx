import {
  type CountByDay,
  type ListLink,
  type Overview,
  type SumByDay,
  toMajor,
} from '@gatehouse/server/dashboard-api'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useMemo } from 'react'
import { useAppScope } from '../../app-scope.ts'
import { Chart } from '../../components/display/chart.tsx'
import { formatCompact, formatMoney, formatNumber } from '../../format.ts'
import { useApplication } from '../../frame/me.ts'
import { texts } from '../../texts.ts'

/** Local midnight with the same calendar date as a UTC day: the charts format dates in local time. */
function sameDateHere(seconds: number): number {
  const day = new Date(seconds * 1000)
  return new Date(day.getUTCFullYear(), day.getUTCMonth(), day.getUTCDate()).getTime()
}

export function OverviewCharts({ overview }: { overview: Overview }): ReactNode {
  const days = useMemo(() => overview.days.map(sameDateHere), [overview.days])
  const { revenue, refunds } = useMoney(overview)
  const named = (name: string, { currency }: SumByDay) =>
    revenue.length > 1 ? texts.overview.money(name, currency) : name
  return (
    <div className="grid gap-4 lg:grid-cols-2">
      <Counts title={texts.overview.grants} days={days} counts={overview.grants} />
      <Counts title={texts.overview.revokes} days={days} counts={overview.revokes} />
      {revenue.map((sums) => (
        <Sums
          key={sums.currency}
          title={named(texts.overview.revenue, sums)}
          days={days}
          sums={sums}
        />
      ))}
      {refunds.map((sums) => (
        <Sums
          key={sums.currency}
          title={named(texts.overview.refunds, sums)}
          days={days}
          sums={sums}
        />
      ))}
      {overview.failed_mails.by_day.some((value) => value > 0) && (
        <Counts title={texts.overview.failedMails} days={days} counts={overview.failed_mails} />
      )}
    </div>
  )
}

/** Without any payment, there is still an empty chart in the application's currency. */
function useMoney(overview: Overview): Pick<Overview, 'revenue' | 'refunds'> {
  const own = useApplication()?.currency ?? 'EUR'
  return useMemo(() => {
    const { days, revenue, refunds } = overview
    const nothing: SumByDay = {
      currency: revenue[0]?.currency ?? refunds[0]?.currency ?? own,
      total: 0,
      by_day: days.map(() => 0),
      list: { page: 'payments', query: {} },
    }
    return {
      revenue: revenue.length > 0 ? revenue : [nothing],
      refunds: refunds.length > 0 ? refunds : [nothing],
    }
  }, [overview, own])
}

interface Shown {
  title: string
  days: readonly number[]
}

function Counts({ title, days, counts }: Shown & { counts: CountByDay }): ReactNode {
  const inRange = counts.by_day.reduce((all, value) => all + value, 0)
  return (
    <Chart
      title={title}
      total={<ToList title={title} total={formatNumber(inRange)} list={counts.list} />}
      days={days}
      values={counts.by_day}
    />
  )
}

function Sums({ title, days, sums }: Shown & { sums: SumByDay }): ReactNode {
  const { currency, total, by_day, list } = sums
  // Memoized, because the chart is redrawn whenever one of these functions changes.
  const format = useMemo(() => (amount: number) => formatMoney({ amount, currency }), [currency])
  const short = useMemo(
    () => (amount: number) => formatCompact(toMajor(amount, currency)),
    [currency],
  )
  return (
    <Chart
      title={title}
      total={<ToList title={title} total={format(total)} list={list} />}
      days={days}
      values={by_day}
      format={format}
      short={short}
    />
  )
}

function ToList({
  title,
  total,
  list,
}: {
  title: string
  total: string
  list: ListLink
}): ReactNode {
  const { path } = useAppScope()
  return (
    <Link
      to={path(list.page)}
      search={list.query as never}
      aria-label={texts.overview.openList(title, total)}
      className="hover:underline"
    >
      {total}
    </Link>
  )
}
