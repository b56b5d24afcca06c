import type { ReactNode } from 'react'
import { cx } from '../cx.ts'

export interface Bar {
  /** Identifies the bar, and names it in an export. */
  key: string
  label: string
  /** A shorter label for the axis. */
  short: string
  value: number
}

const MAX_STEPS = 4

/** The grid lines of the axis: round numbers around all bars, and always zero, since a truncated axis would mislead. */
function gridLines(values: readonly number[]): number[] {
  const high = Math.max(0, ...values)
  const low = Math.min(0, ...values)
  if (high === low) return [0, 1]
  const power = 10 ** Math.max(0, Math.floor(Math.log10((high - low) / MAX_STEPS)))
  const step = power * ([1, 2, 5].find((part) => part * power * MAX_STEPS >= high - low) ?? 10)
  const first = Math.floor(low / step)
  const last = Math.ceil(high / step)
  return Array.from({ length: last - first + 1 }, (_, at) => (first + at) * step)
}

const MAX_LABELS = 6

/** Bars of plain boxes: they follow the width, the theme and the zoom by themselves. */
export function Bars({
  label,
  bars,
  format,
  short,
}: {
  label: string
  bars: readonly Bar[]
  format: (value: number) => string
  short: (value: number) => string
}): ReactNode {
  const lines = gridLines(bars.map(({ value }) => value))
  const low = lines[0] as number
  const height = (lines.at(-1) as number) - low
  const percent = (value: number) => `${(value / height) * 100}%`
  const every = Math.ceil(bars.length / MAX_LABELS)
  return (
    <div role="img" aria-label={label} className="grid grid-cols-[auto_1fr] gap-x-2 text-soft">
      <Axis lines={lines} percent={percent} short={short} />
      <div className="relative h-44">
        {lines.map((line) => (
          <span
            key={line}
            className={cx(
              'absolute inset-x-0 border-t',
              line === 0 ? 'border-edge' : 'border-line',
            )}
            style={{ bottom: percent(line - low) }}
          />
        ))}
        <div className="absolute inset-0 flex">
          {bars.map((bar) => (
            <Column key={bar.key} bar={bar} low={low} percent={percent} format={format} />
          ))}
        </div>
      </div>
      <div className="relative col-start-2 mt-1 flex h-5 text-xs">
        {bars.map(({ key, short: text }, at) => (
          <span key={key} className="relative min-w-0 flex-1">
            {at % every === 0 && (
              <span className="absolute left-1/2 -translate-x-1/2 whitespace-nowrap first:left-0">
                {text}
              </span>
            )}
          </span>
        ))}
      </div>
    </div>
  )
}

/** The labels of the grid lines. */
function Axis({
  lines,
  percent,
  short,
}: {
  lines: readonly number[]
  percent: (value: number) => string
  short: (value: number) => string
}): ReactNode {
  const low = lines[0] as number
  return (
    <div className="relative grid text-right text-xs tabular-nums">
      {/* Takes the width of the widest label. */}
      {lines.map((line) => (
        <span key={line} className="invisible col-start-1 row-start-1">
          {short(line)}
        </span>
      ))}
      {lines.map((line) => (
        <span
          key={line}
          className="absolute right-0 translate-y-1/2 leading-none"
          style={{ bottom: percent(line - low) }}
        >
          {short(line)}
        </span>
      ))}
    </div>
  )
}

function Column({
  bar: { label, value },
  low,
  percent,
  format,
}: {
  bar: Bar
  low: number
  percent: (value: number) => string
  format: (value: number) => string
}): ReactNode {
  return (
    <span title={`${label}: ${format(value)}`} className="relative flex-1 px-px hover:bg-hover/60">
      <span
        className={cx(
          'absolute inset-x-[15%] mx-auto max-w-10',
          value < 0 ? 'rounded-b-sm bg-failed' : 'rounded-t-sm bg-accent',
        )}
        style={{
          bottom: percent(Math.min(value, 0) - low),
          height: percent(Math.abs(value)),
        }}
      />
    </span>
  )
}
