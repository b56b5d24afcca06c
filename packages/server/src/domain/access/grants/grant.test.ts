import type { KyselyPlugin, QueryId } from 'kysely'
import { describe, expect, it } from 'vitest'
import type { Trx } from '../../../db/database.ts'
import { FOREVER } from '../../../db/tables.ts'
import { databases } from '../../../testing/databases.ts'
import { useApplication, useService } from '../../../testing/use-service.ts'
import { grantAccess } from './grant.ts'

const [, postgres] = databases

/** Runs `act` right after the n-th query, before its result is returned. */
function afterQuery(n: number, act: () => Promise<unknown>): KyselyPlugin {
  const order = new Map<QueryId, number>()
  return {
    transformQuery({ node, queryId }) {
      order.set(queryId, order.size + 1)
      return node
    },
    async transformResult({ result, queryId }) {
      if (order.get(queryId) === n) await act()
      return result
    },
  }
}

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
      const plugin = afterQuery(n, async () => {
        // Only on the first attempt: the retry after a lost race runs undisturbed.
        if (others === 0) await other()
      })
      const granted = await database.write((trx) =>
        grantAccess(
          trx.withPlugin(plugin) as Trx,
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
        ),
      )
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
