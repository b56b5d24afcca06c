import { setImmediate } from 'node:timers/promises'

/** How long statements may keep the event loop to themselves. Within a turn of the loop a request advances by one step,
 * and an access check on a new connection takes three. */
const MAX_TURN_MS = 3

let turnBegan: number | undefined

/** Whether statements have kept this turn of the event loop long enough. SQLite's driver is synchronous, so a long
 * transaction would otherwise make every other request wait for its end. */
export function isTurnOver(): boolean {
  const now = performance.now()
  if (turnBegan !== undefined) return now - turnBegan > MAX_TURN_MS
  turnBegan = now
  void setImmediate().then(() => {
    turnBegan = undefined
  })
  return false
}

/** Node accepts one new connection in each turn. With a single turn between statements, those who connect would wait in a
 * queue that grows; turns without statements are short. */
const TURNS = 4

export async function nextTurn(): Promise<void> {
  for (let n = 0; n < TURNS; n++) await setImmediate()
}
