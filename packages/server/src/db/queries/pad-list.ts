/** Longer lists are rare, and may be near the number of parameters that a statement can have. */
const MAX_PADDED = 1_024

/**
 * Repeats the last value until the list has one of a few lengths. The text of a statement depends on the length of its
 * lists, and both databases keep a plan for each text. An empty list becomes one with an empty text.
 */
export function padList(list: readonly string[]): string[]
export function padList<T>(list: readonly T[]): (T | '')[]
export function padList<T>(list: readonly T[]): (T | '')[] {
  if (list.length > MAX_PADDED) return [...list]
  const length = 2 ** Math.ceil(Math.log2(Math.max(list.length, 1)))
  return [...list, ...Array<T | ''>(length - list.length).fill(list.at(-1) ?? '')]
}
