import type { Seconds } from '../../db/tables.ts'
import { pushTo } from '../../push-to.ts'
import { endOrNull } from '../../records/end.ts'
import type { AccessRow } from '../access/details.ts'
import type { CollectedChange } from '../history/collect.ts'
import type { EventType } from './catalogue.ts'
import { ACTION_RULES } from './rules.ts'

/** An event about a change. */
export interface PlannedEvent {
  type: EventType
  change: CollectedChange
  uid: string | undefined
}

/** The events to send about the changes of one transaction, which are all of one application. */
export interface EventPlan {
  /** The events about single changes, in the order of the changes. */
  changeEvents: PlannedEvent[]
  /** The changes of each access record, by its id. One event reports all of them. */
  access: Map<string, CollectedChange[]>
  /** The last change of each reader for whom `user.access_changed` is sent. */
  lastChangeByReader: Map<string, CollectedChange>
}

/** Decides which events to write, as far as that follows from the changes alone. */
export function planEvents(changes: readonly CollectedChange[]): EventPlan {
  const plan: EventPlan = { changeEvents: [], access: new Map(), lastChangeByReader: new Map() }
  const created = new Set<string>()
  for (const change of changes) {
    const { action, accessId, uid } = change
    const rule = ACTION_RULES[action]
    if (action === 'user created' && uid !== undefined) created.add(uid)
    plan.changeEvents.push(...rule.eventsOf(change).map((type) => ({ type, change, uid })))
    if (rule.changesAccess && accessId !== undefined) {
      pushTo(plan.access, accessId, change)
    } else if (rule.emitsUserAccessChanged && uid !== undefined) {
      plan.lastChangeByReader.set(uid, change)
    }
  }
  plan.changeEvents = mergeEventsPerSubject(plan.changeEvents, created)
  return plan
}

/** Keeps one event for all changes of a user, and one for all changes of a resource. A new user needs none: the events
 * about the access carry the user. */
function mergeEventsPerSubject(
  events: readonly PlannedEvent[],
  created: ReadonlySet<string>,
): PlannedEvent[] {
  const kept = new Map<string, PlannedEvent>()
  for (const [i, event] of events.entries()) {
    const { type, uid, change } = event
    if (type === 'user.updated' && created.has(uid ?? '')) continue
    const isOnePer = type === 'user.updated' || type === 'catalogue.changed'
    const key = isOnePer ? `${type} ${uid} ${change.rid}` : String(i)
    const first = kept.get(key)
    kept.set(key, first ? { ...event, change: joined(first.change, change) } : event)
  }
  return [...kept.values()]
}

/** Returns the later change, with the former values of both; for a value that changed twice, the first one. */
const joined = (first: CollectedChange, last: CollectedChange): CollectedChange => ({
  ...last,
  told: { ...last.told, former: { ...formerOf(last), ...formerOf(first) } },
})

/** Actions after which a reader may have access that they did not have before. */
const OPENING = new Set<CollectedChange['action']>([
  'granted',
  'purchased',
  'subscribed',
  'imported',
])

/** Returns the type of the event about an access record, by its state at the end of the transaction. Undefined if sites
 * already know that it has ended, and it has not been opened again. */
export function typeOfAccessEvent(
  row: AccessRow,
  changes: readonly CollectedChange[],
  now: Seconds,
): EventType | undefined {
  if (row.revoked !== null) return 'access.revoked'
  const isOpen = row.ends > now
  if (row.end_told === row.ends && !isOpen) return undefined
  const wasOpen = row.end_told === null && wasOpenBefore(changes[0])
  if (!wasOpen) return isOpen || isOpening(changes[0]) ? 'access.granted' : 'access.ended'
  return isOpen ? 'access.changed' : 'access.ended'
}

const isOpening = (change: CollectedChange | undefined) =>
  change !== undefined && OPENING.has(change.action)

function wasOpenBefore(change: CollectedChange | undefined): boolean {
  if (change === undefined || !OPENING.has(change.action)) return true
  const ends = (change.before as { ends?: Seconds } | undefined)?.ends
  return ends !== undefined && ends > change.at
}

/** Values of the history that are no former values of a record. */
const NO_VALUES = new Set(['payment', 'price', 'download', 'merged_into', 'merged_from'])

/** The former values of a change, as the API names them. */
export function formerOf({
  action,
  before,
  after,
  told,
}: CollectedChange): Record<string, unknown> {
  // The history of a pass has only the difference between what it opened before and after.
  if (action === 'resource opens changed') return { opens_removed: before, opens_added: after }
  const known = Object.entries(before ?? {}).filter(([name]) => !NO_VALUES.has(name))
  const renamed = known.map(([name, value]) =>
    name === 'ends' ? ['expires', endOrNull(value as Seconds)] : [name, value],
  )
  return { ...Object.fromEntries(renamed), ...told?.former }
}
