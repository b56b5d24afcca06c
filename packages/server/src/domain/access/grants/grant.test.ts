import { describe, expect, it } from 'vitest'
import { FOREVER } from '../../../db/tables.ts'
import { afterQuery } from '../../../testing/after-query.ts'
import { databases } from '../../../testing/databases.ts'
import { useApplication, useService } from '../../../testing/use-service.ts'
import { grantAccess } from './grant.ts'

const [, postgres] = databases

/** SQLite runs one write after the other. On PostgreSQL each statement sees what is committed by then, so another
 * complete grant can happen between any two statements. */
describe('A grant on PostgreSQL', () => {
  const service = useService(postgres)
  const app = useApplication(service, { resources: ['news'] })

  // From the fifth query on, the grant has written rows, and the other grant would block on them.
  it.each([1, 2, 3, 4])(
    'is the same as an identical one that is done after its query %i',
    async (n) => {
      const input = { rid: 'news', email: `u${n}@example.com`, user_ref: `u${n}` }
      const { database, clock, realTime } = app.environment
      let others = 0
      const other = async () => {
        others++
        await app.client.grantAccess(input)
      }
      const granted = await database.write((trx) => {
        // Only on the first attempt: the retry after a lost race runs undisturbed.
        if (others === 0) afterQuery(trx, n, other)
        return grantAccess(
          trx,
          {
            aid: app.aid,
            rid: 'news',
            email: input.email,
            userRef: input.user_ref,
            ends: FOREVER,
            notify: 'kept',
            actor: 'test',
          },
          { now: clock(), realTime: realTime() },
        )
      })
      expect(others).toBe(1)
      const { data } = await app.client.searchAccess({ user_ref: input.user_ref })
      expect(data.map(({ id }) => id)).toEqual([granted.id])
      const mails = await database.read
        .selectFrom('outbox')
        .select('id')
        .where('uid', '=', granted.uid)
        .execute()
      expect(mails).toHaveLength(1)
    },
  )
})
