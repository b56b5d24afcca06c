/** From this t on, two classes of measurements differ (Welch's t-test as TVLA uses it). */
export const MAX_T = 4.5

/** Cuts both at the same bound: the slowest tenth is garbage collection and other programs. */
export function trimmed(a: number[], b: number[]): [number[], number[]] {
  const all = [...a, ...b].sort((x, y) => x - y)
  const bound = all[Math.floor(all.length * 0.9)] as number
  return [a.filter((x) => x <= bound), b.filter((x) => x <= bound)]
}

export const mean = (xs: number[]) => xs.reduce((sum, x) => sum + x, 0) / xs.length
const variance = (xs: number[], m = mean(xs)) =>
  xs.reduce((sum, x) => sum + (x - m) ** 2, 0) / (xs.length - 1)

export function welch(a: number[], b: number[]): number {
  return (mean(a) - mean(b)) / Math.sqrt(variance(a) / a.length + variance(b) / b.length)
}
