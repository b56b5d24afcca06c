import { CompiledQuery, type RootOperationNode, sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { checkMail } from '../../cli/doctor/mail.ts'
import type { Db } from '../../db/database.ts'
import { databases } from '../../testing/databases.ts'
import { useApplication, useService } from '../../testing/use-service.ts'
import { eraseUser } from '../people/erase.ts'
import { countFailedMails } from './failed.ts'
import { countUnsent, findOldestWaiting, retryDeadMails } from './outbox.ts'
import { searchMails } from './search.ts'

describe.each(databases)('the outbox on $name', (database) => {
  const service = useService(database)
  const app = useApplication(service, { resources: ['news'] })

  /** Returns the query plan of each query that `run` makes. */
  async function plansOf(db: Db, run: (db: Db) => Promise<unknown>): Promise<string[]> {
    const nodes: RootOperationNode[] = []
    const watched = db.withPlugin({
      transformQuery({ node }) {
        nodes.push(node)
        return node
      },
      transformResult: async ({ result }) => result,
    })
    await run(watched)
    const explain = database.engine === 'sqlite' ? 'explain query plan' : 'explain'
    const plans: string[] = []
    for (const node of nodes) {
      const query = db.getExecutor().compileQuery(node, { queryId: 'plan' })
      const plan = CompiledQuery.raw(`${explain} ${query.sql}`, [...query.parameters])
      plans.push(JSON.stringify((await db.executeQuery(plan)).rows))
    }
    return plans
  }

  it('is watched without reading what was sent', async () => {
    const plans = await app.environment.database.snapshot(async (db) => {
      // PostgreSQL would scan so few rows; the test asks only whether the index can be used.
      if (database.engine === 'postgres') await sql`set local enable_seqscan = off`.execute(db)
      return [...(await plansOf(db, countUnsent)), ...(await plansOf(db, findOldestWaiting))]
    })
    expect(plans).toEqual([
      expect.stringContaining('outbox_due'),
      expect.stringContaining('outbox_given_up'),
      expect.stringContaining('outbox_due'),
    ])
  })

  it('counts and lists an application’s failed mails without reading what was sent', async () => {
    const { aid } = app
    const window = { offset: 0, limit: 50 }
    const plans = await app.environment.database.snapshot(async (db) => {
      if (database.engine === 'postgres') await sql`set local enable_seqscan = off`.execute(db)
      return [
        ...(await plansOf(db, (watched) => countFailedMails(watched, aid))),
        ...(await plansOf(db, (watched) => searchMails(watched, { aid, state: 'dead' }, window))),
      ]
    })
    expect(plans.length).toBeGreaterThanOrEqual(2)
    for (const plan of plans) expect(plan).toContain('outbox_given_up')
  })

  it('has nothing to do for a person who was erased', async () => {
    const { database: db, clock, realTime } = app.environment
    const { uid } = await app.client.grantAccess({ rid: 'news', email: 'ann@example.com' })
    await app.client.grantAccess({ rid: 'news', email: 'bob@example.com' })
    await db.write((trx) =>
      trx
        .updateTable('outbox')
        .set({ status: 'dead' })
        .where('recipient', '=', 'bob@example.com')
        .execute(),
    )
    const who = { aid: app.aid, uid, actor: 'test' }
    await db.write((trx) => eraseUser(trx, who, { now: clock(), realTime: 0 }))
    const metrics = await (await fetch(`${service.url}/metrics`)).text()
    const counts = metrics.match(/^gatehouse_mails\{environment="production".*$/gm)
    expect(counts?.sort()).toEqual(
      ['dead"} 1', 'queued"} 0', 'sending"} 0'].map(
        (end) => `gatehouse_mails{environment="production",status="${end}`,
      ),
    )
    const findings = await checkMail(app.environment)
    expect(findings).toContainEqual(
      expect.objectContaining({ status: 'warning', message: '1 emails failed' }),
    )
    expect(await db.write((trx) => retryDeadMails(trx, app.aid, realTime()))).toBe(1)
    expect(await db.write((trx) => retryDeadMails(trx, app.aid, realTime()))).toBe(0)
  })
})
