import { readdirSync, readFileSync } from 'node:fs'
import { pushTo } from '../../push-to.ts'

/** A measured value and when it was measured, in minutes since the start. */
export interface Sample {
  minute: number
  value: number
}

/** Resident memory of a process, in megabytes. */
export function residentMegabytes(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kilobytes) / 1024
}

export const openDescriptors = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length

/** The slope of the line through the samples with the least squares, per ten minutes. */
export function slopePerTenMinutes(samples: readonly Sample[]): number {
  const mean = (of: (one: Sample) => number) =>
    samples.reduce((sum, one) => sum + of(one), 0) / samples.length
  const [minute, value] = [mean((one) => one.minute), mean((one) => one.value)]
  const sums = samples.reduce(
    ({ xy, xx }, one) => ({
      xy: xy + (one.minute - minute) * (one.value - value),
      xx: xx + (one.minute - minute) ** 2,
    }),
    { xy: 0, xx: 0 },
  )
  return sums.xx === 0 ? 0 : (10 * sums.xy) / sums.xx
}

/** The lowest value of each minute. Connections come and go, so the lowest values tell whether something stays. */
export function lowestPerMinute(samples: readonly Sample[]): Sample[] {
  const lowest = new Map<number, number>()
  for (const { minute, value } of samples) {
    const whole = Math.floor(minute)
    lowest.set(whole, Math.min(value, lowest.get(whole) ?? Number.POSITIVE_INFINITY))
  }
  return [...lowest].map(([minute, value]) => ({ minute, value }))
}

/** The 99th percentile of each minute. */
export function p99PerMinute(samples: readonly Sample[]): Sample[] {
  const byMinute = new Map<number, number[]>()
  for (const { minute, value } of samples) pushTo(byMinute, Math.floor(minute), value)
  return [...byMinute].map(([minute, values]) => ({ minute, value: percentile(values, 0.99) }))
}

function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

export interface Trend {
  first: number
  last: number
  max: number
  slope: number
}

/** Describes samples in one line of a report. `slope` is per ten minutes, without the warm-up. */
export function trendOf(samples: readonly Sample[], warmUpMinutes: number): Trend {
  const warm = samples.filter(({ minute }) => minute >= warmUpMinutes)
  const rounded = (value: number | undefined) => Math.round((value ?? 0) * 100) / 100
  return {
    first: rounded(samples[0]?.value),
    last: rounded(samples.at(-1)?.value),
    max: rounded(samples.reduce((max, { value }) => Math.max(max, value), 0)),
    slope: rounded(slopePerTenMinutes(warm)),
  }
}
