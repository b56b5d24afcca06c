// What is said of several measurements of the same thing.

/** Of numbers that are sorted. */
export const percentile = (sorted, share) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]

export function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

/** The middle one, the least and the most. */
export function spread(numbers) {
  return { median: median(numbers), least: Math.min(...numbers), most: Math.max(...numbers) }
}

/** Round by round, so that what slows a machine down for a while slows both. */
export const ratios = (ones, others) => spread(ones.map((one, round) => one / others[round]))

export const counted = (number) => number.toLocaleString('en-GB')

/** With as many digits as tell something. */
export function shown(number) {
  if (!Number.isFinite(number)) return '–'
  if (number >= 100) return counted(Math.round(number))
  return number >= 10 ? number.toFixed(1) : number.toFixed(2)
}

export const shownSpread = ({ median: middle, least, most }) =>
  `${shown(middle)} (${shown(least)}–${shown(most)})`

/** Columns of one width each. */
export function table(lines) {
  const widths = lines[0].map((_, at) => Math.max(...lines.map((line) => line[at].length)))
  const written = lines.map((line) => line.map((cell, at) => cell.padEnd(widths[at])).join('  '))
  return written.map((line) => line.trimEnd()).join('\n')
}
