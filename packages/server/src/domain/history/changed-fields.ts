/** The fields to which a change gives another value, before and after it; undefined if there are none. A field that the
 * change leaves out stays as it is. */
export function changedFields<T extends object>(
  old: T,
  change: Partial<T>,
): { before: Partial<T>; after: Partial<T> } | undefined {
  const names = (Object.keys(change) as (keyof T)[]).filter(
    (name) => change[name] !== undefined && change[name] !== old[name],
  )
  if (names.length === 0) return undefined
  const pick = (from: Partial<T>) =>
    Object.fromEntries(names.map((name) => [name, from[name]])) as Partial<T>
  return { before: pick(old), after: pick(change) }
}
