import { setImmediate } from 'node:timers/promises'

/** How long work may keep the event loop to itself. Within a turn of the loop a request advances by one step, and an
 * access check on a new connection takes three. */
const MAX_TURN_MS = 3

let turnBegan: number | undefined

/** Whether work has kept this turn of the event loop long enough. SQLite's driver is synchronous, and many requests may
 * arrive together: a long transaction or a burst of writes would otherwise make every access check wait for its end. */
export function isTurnOver(): boolean {
  const now = performance.now()
  if (turnBegan !== undefined) return now - turnBegan > MAX_TURN_MS
  turnBegan = now
  void setImmediate().then(() => {
    turnBegan = undefined
  })
  return false
}

/** Node accepts one new connection in each turn. With a single turn between pieces of work, those who connect would wait
 * in a queue that grows; turns without work are short. */
const TURNS = 4

export async function nextTurn(): Promise<void> {
  for (let n = 0; n < TURNS; n++) await setImmediate()
}

/** Resolves at once, or in a later turn that has time left. Those who wait get it in the order of their calls. */
export async function takeTurn(): Promise<void> {
  while (isTurnOver()) await nextTurn()
}
