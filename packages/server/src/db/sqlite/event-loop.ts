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
  setImmediate(() => {
    turnBegan = undefined
  })
  return false
}

export const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
