import { describe, expect, it } from 'vitest'
import { entryPointDatabases } from '../testing/databases.ts'
import { deliverToRoughReceivers } from '../testing/webhooks/rough-receivers.ts'

/** A few seconds of what `npm run stress -- webhooks` does for an hour. */
describe.each(entryPointDatabases)('the webhook worker on $name', (database) => {
  it('loses and reorders nothing when a receiver is killed, hangs, lies or drips', async () => {
    const seed = Math.floor(Math.random() * 2 ** 31)
    const report = await deliverToRoughReceivers(database, { seconds: 4, seed, rate: 25 })
    expect({ seed, ...report }).toMatchObject({ seed, lost: 0, outOfOrder: 0 })
  })
})
