import { type Params, textsAt } from './form.ts'
import type { Ledger } from './ledger.ts'
import { showMethod } from './test-cards.ts'

/** Expands paths: `payment_intent.latest_charge` replaces the ids of the intent and its charge by the objects. */
export function expand(ledger: Ledger, item: object, params: Params): object {
  const copy = structuredClone(item)
  for (const path of Object.values(textsAt(params, 'expand'))) {
    expandIn(ledger, copy, path.split('.'))
  }
  return copy
}

function expandIn(ledger: Ledger, place: unknown, [field, ...rest]: readonly string[]): void {
  if (Array.isArray(place)) for (const item of place) expandIn(ledger, item, [field ?? '', ...rest])
  if (field === undefined || typeof place !== 'object' || place === null) return
  const fields = place as Record<string, unknown>
  const value = fields[field]
  if (typeof value === 'string') fields[field] = structuredClone(findById(ledger, value))
  expandIn(ledger, fields[field], rest)
}

function findById(ledger: Ledger, id: string): object | undefined {
  const { intents, setups, charges, refunds, disputes, customers } = ledger
  const all = [intents, setups, charges, refunds, disputes, customers]
  const found = all.map((items: Map<string, object>) => items.get(id)).find((one) => one)
  return found ?? showMethod(ledger, id)
}
