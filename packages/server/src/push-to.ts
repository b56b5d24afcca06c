/** Adds a value to the list of a key. The list itself grows: a copy for each value would take time in proportion to the
 * square of their number. */
export function pushTo<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key)
  if (list) list.push(value)
  else lists.set(key, [value])
}
