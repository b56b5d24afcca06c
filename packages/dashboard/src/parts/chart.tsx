import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import uPlot from 'uplot'
import { formatDay, formatNumber } from '../format.ts'
import { useThemeKey } from '../frame/theme.ts'
import { texts } from '../texts.ts'

interface Props {
  /** What is counted. */
  title: string
  /** The number above the bars, and where it leads. */
  total: ReactNode
  /** The beginnings of the days, in milliseconds. */
  days: readonly number[]
  values: readonly number[]
  format?: (value: number) => string
  /** On the axis, where there is less room; like the rest unless given. */
  short?: (value: number) => string
}

const HEIGHT = 150
const shortDay = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' })

const MOST_STEPS = 4

/** Where the axis has lines: at round numbers, the last of them above every bar. */
function linesFor(values: readonly number[]): number[] {
  const high = Math.max(0, ...values)
  if (high === 0) return [0]
  const power = 10 ** Math.max(0, Math.floor(Math.log10(high / MOST_STEPS)))
  const step = power * ([1, 2, 5].find((part) => part * power * MOST_STEPS >= high) ?? 10)
  return Array.from({ length: Math.ceil(high / step) + 1 }, (_, at) => at * step)
}

function optionsFor(
  box: HTMLElement,
  days: readonly number[],
  values: readonly number[],
  format: (value: number) => string,
): uPlot.Options {
  const lines = linesFor(values)
  const { color: ink } = getComputedStyle(box)
  const bar = getComputedStyle(box.querySelector('[data-bar]') ?? box).color
  const line = getComputedStyle(box).borderTopColor
  const axis = { stroke: ink, font: '12px system-ui', ticks: { show: false } }
  return {
    width: box.clientWidth,
    height: HEIGHT,
    legend: { show: false },
    cursor: { show: false },
    padding: [8, 4, 0, 0],
    scales: {
      x: { time: false, range: [-0.6, days.length - 0.4] },
      // From zero: a cut axis would lie. At least one, so that a week of nothing has an axis.
      y: { range: [0, Math.max(1, lines.at(-1) ?? 1)] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: 26,
        space: 56,
        incrs: [1, 2, 5, 7, 10, 14, 30],
        values: (_plot, splits) =>
          splits.map((at) => (days[at] === undefined ? '' : shortDay.format(days[at]))),
      },
      {
        ...axis,
        grid: { stroke: line, width: 1 },
        size: 52,
        splits: () => lines,
        values: (_plot, splits) => splits.map(format),
      },
    ],
    series: [{}, { fill: bar, stroke: bar, width: 0, points: { show: false }, ...bars() }],
  }
}

function bars(): { paths?: uPlot.Series.PathBuilder } {
  const paths = uPlot.paths.bars?.({ size: [0.7, 24], radius: 0.15 })
  return paths === undefined ? {} : { paths }
}

/** A number per day, as bars; the same as a table behind a click. */
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

interface Drawn {
  days: readonly number[]
  values: readonly number[]
  format: (value: number) => string
}

function Bars({ label, days, values, format }: Drawn & { label: string }): ReactNode {
  const box = useRef<HTMLDivElement>(null)
  const theme = useThemeKey()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the colours come from the theme.
  useEffect(() => {
    const element = box.current
    if (element === null) return
    const data: uPlot.AlignedData = [days.map((_, at) => at), [...values]]
    const plot = new uPlot(optionsFor(element, days, values, format), data, element)
    const watcher = new ResizeObserver(() =>
      plot.setSize({ width: element.clientWidth, height: HEIGHT }),
    )
    watcher.observe(element)
    return () => {
      watcher.disconnect()
      plot.destroy()
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

function DayTable({ title, days, values, format }: Drawn & { title: string }): ReactNode {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it must be scrolled by keyboard, too.
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
