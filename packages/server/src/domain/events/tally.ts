import type { CollectedChange } from '../history/collect.ts'
import { EVENT_TYPE_NAMES, type EventType } from './catalogue.ts'

/** The steps of a purchase that cause no event. */
const CHECKOUT_STEPS = { 'checkout begun': 'begun', 'checkout completed': 'completed' } as const

type CheckoutStep = (typeof CHECKOUT_STEPS)[keyof typeof CHECKOUT_STEPS]

/** Counts what the committed transactions of this process have done. All counts begin with 0 and not with the first event:
 * Prometheus sees growth only between two samples. */
export interface EventTally {
  events: Record<EventType, number>
  checkouts: Record<CheckoutStep, number>
}

export const createEventTally = (): EventTally => ({
  events: Object.fromEntries(EVENT_TYPE_NAMES.map((type) => [type, 0])) as EventTally['events'],
  checkouts: { begun: 0, completed: 0 },
})

/** Adds one transaction: the events that it wrote, and its changes. Call it after the commit. */
export function addToTally(
  tally: EventTally,
  events: readonly EventType[],
  changes: readonly CollectedChange[],
): void {
  for (const type of events) tally.events[type]++
  for (const { action } of changes) {
    if (action in CHECKOUT_STEPS) {
      tally.checkouts[CHECKOUT_STEPS[action as keyof typeof CHECKOUT_STEPS]]++
    }
  }
}
