/** The last sequence of each reader. Keep it in your database, with what you store about the reader. */
const handled = new Map()

/** Handles an event once, and none after a later one of the same reader. */
export function handle(event) {
  const { uid } = event.data
  if (event.sequence !== undefined) {
    if (event.sequence <= (handled.get(uid) ?? 0)) return
    handled.set(uid, event.sequence)
  }
  if (event.type === 'user.access_changed') {
    const rids = event.data.entitlements.map(({ rid }) => rid)
    console.log(`${uid} may read: ${rids.join(' ')}`)
  } else {
    console.log(`${event.type} ${event.id}`)
  }
}
