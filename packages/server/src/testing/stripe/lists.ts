import { invalidRequest, resourceMissing } from './errors.ts'
import { type Params, textAt, textsAt } from './form.ts'
import type { Ledger } from './ledger.ts'

/** Lists items newest first, as Stripe does, filtered by the named fields. */
export function page<T extends { id: string; created?: number }>(
  items: Map<string, T>,
  params: Params,
  filters: readonly (keyof T & string)[] = [],
) {
  if (params.ending_before !== undefined) throw new Error('the fake has no ending_before')
  const all = [...items.values()]
    .filter(({ created }) => isWithin(created, textsAt(params, 'created')))
    .filter((one) => filters.every((field) => (params[field] ?? one[field]) === one[field]))
    .reverse()
  const after = textAt(params, 'starting_after')
  if (after !== undefined && !items.has(after)) throw resourceMissing('starting_after', after)
  const rest = after === undefined ? all : all.slice(all.findIndex((one) => one.id === after) + 1)
  const limit = Number(textAt(params, 'limit') ?? 10)
  return { object: 'list', data: rest.slice(0, limit), has_more: rest.length > limit }
}

/** Objects of other systems may have no time. */
function isWithin(at: number | null | undefined, span: Record<string, string>): boolean {
  if (typeof at !== 'number') return true
  const { gte, gt, lte, lt } = span
  return (
    (gte === undefined || at >= Number(gte)) &&
    (gt === undefined || at > Number(gt)) &&
    (lte === undefined || at <= Number(lte)) &&
    (lt === undefined || at < Number(lt))
  )
}

/** Supports the part of Stripe's query language that we use: `metadata['a']:'b' AND metadata['c']:'d'`. */
export function searchIntents(ledger: Ledger, params: Params): object {
  const wanted = (textAt(params, 'query') ?? '').split(' AND ').map((clause) => {
    const [, name, value] = /^metadata\['(\w+)'\]:'([^']*)'$/.exec(clause) ?? []
    if (name === undefined) throw invalidRequest('Invalid query', { param: 'query' })
    return { name, value }
  })
  const data = [...ledger.intents.values()]
    .filter(({ created }) => ledger.now() - created * 1000 >= ledger.searchDelayMs)
    .filter(({ metadata }) => wanted.every(({ name, value }) => metadata?.[name] === value))
    .reverse()
    .slice(0, Number(textAt(params, 'limit') ?? 10))
  return { object: 'search_result', data, has_more: false, next_page: null }
}
