import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { formatDay, formatNumber } from '../../format.ts'
import { useThemeKey } from '../../frame/theme.ts'
import { texts } from '../../texts.ts'
import type { BarChartData } from './bar-chart.ts'

interface Props {
  /** What is counted. */
  title: string
  /** The number above the bars, usually a link. */
  total: ReactNode
  /** The start of each day, in milliseconds. */
  days: readonly number[]
  values: readonly number[]
  format?: (value: number) => string
  /** A shorter format for the axis; defaults to `format`. */
  short?: (value: number) => string
}

/** A bar chart of one number per day, which can be switched to a table. */
export function Chart({
  title,
  total,
  days,
  values,
  format = formatNumber,
  short = format,
}: Props): ReactNode {
  const [asTable, setAsTable] = useState(false)
  const heading = useId()
  const sum = values.reduce((all, value) => all + value, 0)
  return (
    <figure
      aria-labelledby={heading}
      className="grid content-start gap-2 rounded-xl border border-line bg-card p-4 shadow-card"
    >
      <figcaption className="flex items-start justify-between gap-3">
        <span id={heading}>
          <span className="block text-soft">{title}</span>
          <span className="text-xl font-semibold tabular-nums">{total}</span>
        </span>
        <button
          type="button"
          aria-pressed={asTable}
          onClick={() => setAsTable(!asTable)}
          className="min-h-6 text-xs text-accent underline underline-offset-2"
        >
          {asTable ? texts.chart.hideTable : texts.chart.showTable}
        </button>
      </figcaption>
      {asTable ? (
        <DayTable title={title} days={days} values={values} format={format} />
      ) : (
        <Bars
          label={texts.chart.summary(title, days.length, format(sum))}
          days={days}
          values={values}
          format={short}
        />
      )}
    </figure>
  )
}

function Bars({ label, days, values, format }: BarChartData & { label: string }): ReactNode {
  const box = useRef<HTMLDivElement>(null)
  const theme = useThemeKey()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the colors come from the theme.
  useEffect(() => {
    const element = box.current
    if (element === null) return
    let stop: (() => void) | undefined
    let isGone = false
    // Loaded only now, so that the numbers appear first.
    import('./bar-chart.ts').then(
      ({ drawBarChart: drawBars }) => {
        if (!isGone) stop = drawBars(element, { days, values, format })
      },
      // The script is gone after an upgrade of the service; the table shows the same data.
      () => {},
    )
    return () => {
      isGone = true
      stop?.()
    }
  }, [days, values, format, theme])
  return (
    <div
      ref={box}
      role="img"
      aria-label={label}
      className="h-[150px] min-w-0 overflow-hidden border-line text-soft"
    >
      <span data-bar className="hidden text-accent" />
    </div>
  )
}

function DayTable({ title, days, values, format }: BarChartData & { title: string }): ReactNode {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it must be scrollable by keyboard.
    <section tabIndex={0} aria-label={title} className="h-[150px] overflow-y-auto">
      <table className="w-full">
        <thead className="text-left text-xs text-soft">
          <tr>
            <th scope="col" className="font-medium">
              {texts.chart.day}
            </th>
            <th scope="col" className="text-right font-medium">
              {title}
            </th>
          </tr>
        </thead>
        <tbody>
          {days.map((day, at) => (
            <tr key={day}>
              <td>{formatDay(day)}</td>
              <td className="text-right">{format(values[at] ?? 0)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
