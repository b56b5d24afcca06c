import uPlot from 'uplot'
import { formatShortDay } from '../../format.ts'

/** One value per day, and how values are formatted on the axis. */
export interface BarChartData {
  days: readonly number[]
  values: readonly number[]
  format: (value: number) => string
}

const HEIGHT = 150

const MAX_STEPS = 4

/** The grid lines of the axis: at round numbers, the last one at or above the highest bar. */
function linesFor(values: readonly number[]): number[] {
  const high = Math.max(0, ...values)
  if (high === 0) return [0]
  const power = 10 ** Math.max(0, Math.floor(Math.log10(high / MAX_STEPS)))
  const step = power * ([1, 2, 5].find((part) => part * power * MAX_STEPS >= high) ?? 10)
  return Array.from({ length: Math.ceil(high / step) + 1 }, (_, at) => at * step)
}

function optionsFor(box: HTMLElement, { days, values, format }: BarChartData): uPlot.Options {
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
      // Starts at zero, since a truncated axis would mislead. At least one, so that a week of zeros has an axis.
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
          splits.map((at) => (days[at] === undefined ? '' : formatShortDay(days[at]))),
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

/** Draws into a box with its colors and follows its width. Returns a function that removes the chart. */
export function drawBarChart(box: HTMLElement, drawn: BarChartData): () => void {
  const data: uPlot.AlignedData = [drawn.days.map((_, at) => at), [...drawn.values]]
  const plot = new uPlot(optionsFor(box, drawn), data, box)
  const watcher = new ResizeObserver(() => plot.setSize({ width: box.clientWidth, height: HEIGHT }))
  watcher.observe(box)
  return () => {
    watcher.disconnect()
    plot.destroy()
  }
}
