/** Whether a filter of an endpoint, such as `*`, `access.*` or `payment.failed`, covers a type of event. */
const covers = (filter: string, type: string): boolean =>
  filter === '*' ||
  filter === type ||
  (filter.endsWith('.*') && type.startsWith(filter.slice(0, -1)))

/** Whether an endpoint with these filters gets events of this type. */
export const matchesTypes = (filters: readonly string[], type: string): boolean =>
  filters.some((filter) => covers(filter, type))
