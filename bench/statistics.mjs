// Summarizes several measurements of the same thing.

/** Expects sorted numbers. */
export const percentile = (sorted, share) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]

export function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

export function spread(numbers) {
  return { median: median(numbers), least: Math.min(...numbers), most: Math.max(...numbers) }
}

/** Compares round by round, so that a temporary slowdown of the machine affects both. */
export const ratios = (ones, others) => spread(ones.map((one, round) => one / others[round]))

export const counted = (number) => number.toLocaleString('en-GB')

/** Formats a number with as many digits as are significant. */
export function shown(number) {
  if (!Number.isFinite(number)) return '–'
  if (number >= 100) return counted(Math.round(number))
  return number >= 10 ? number.toFixed(1) : number.toFixed(2)
}

export const shownSpread = ({ median: middle, least, most }) =>
  `${shown(middle)} (${shown(least)}–${shown(most)})`

/** Pads each column to one width. */
export function table(lines) {
  const widths = lines[0].map((_, at) => Math.max(...lines.map((line) => line[at].length)))
  const written = lines.map((line) => line.map((cell, at) => cell.padEnd(widths[at])).join('  '))
  return written.map((line) => line.trimEnd()).join('\n')
}
