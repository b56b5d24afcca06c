/**
 * Repeats the last value until the list has one of a few lengths. The text of a statement depends on the length of its
 * lists, and both databases keep a plan for each text.
 */
export function padList(list: readonly string[]): string[] {
  const length = 2 ** Math.ceil(Math.log2(Math.max(list.length, 1)))
  return [...list, ...Array<string>(length - list.length).fill(list.at(-1) ?? '')]
}
