import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { EnvironmentDatabase } from '../../db/database.ts'
import { createWebhookClient } from '../../domain/webhooks/calls/http-client.ts'
import { createLogger } from '../../logging/logger.ts'
import { startWebhookWorker } from '../../worker/webhook-worker.ts'
import type { TestDatabase } from '../databases.ts'
import { startTestService } from '../service.ts'
import { addEndpoint, addEvents } from './sending.ts'

export interface DeadEndpointReport {
  /** The share of one processor that the worker took, beyond what it takes with no endpoint at all. */
  processor: number
  /** The same without any endpoint. */
  idle: number
  /** Deliveries that were stored. */
  rows: number
  /** Growth of the memory in megabytes. */
  growth: number
}

/** Measures what an endpoint costs that refuses connections while very many events wait for it. */
export async function measureDeadEndpoint(
  database: TestDatabase,
  { backlog, seconds }: { backlog: number; seconds: number },
): Promise<DeadEndpointReport> {
  const service = await startTestService(database, { useRealTime: true })
  const app = await service.newApplication()
  const { aid, environment } = app
  const client = createWebhookClient({ allow: ['127.0.0.1/32'] })
  const env = Object.assign(Object.create(environment), { webhookClient: client })
  const worker = startWebhookWorker(service.ctx, env, { log: createLogger('silent') })
  try {
    await sleep(3_000)
    const idle = await shareOf(seconds)
    await addEvents(app, ['reader 0'])
    await multiply(environment.database, aid, backlog)
    // Nothing listens at port 1.
    await addEndpoint(service, app, 'http://127.0.0.1:1/hook')
    await sleep(10_000)
    const before = process.memoryUsage().rss
    const busy = await shareOf(seconds)
    const { n } = await environment.database.read
      .selectFrom('webhook_deliveries')
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .where('aid', '=', aid)
      .executeTakeFirstOrThrow()
    const growth = Math.round((process.memoryUsage().rss - before) / 2 ** 20)
    return { processor: busy - idle, idle, rows: Number(n), growth }
  } finally {
    await worker.stop()
    client.close()
    await service.stop()
  }
}

/** The share of a processor that this process takes. */
async function shareOf(seconds: number): Promise<number> {
  const before = process.cpuUsage()
  await sleep(seconds * 1000)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1e6 / seconds
}

/** Copies the only event of an application, each for a reader of its own. */
async function multiply(database: EnvironmentDatabase, aid: string, count: number): Promise<void> {
  const perStatement = 50_000
  for (let from = 2; from <= count; from += perStatement) {
    const to = Math.min(count, from + perStatement - 1)
    await database.write(
      (trx) =>
        sql`with recursive n (n) as (select ${sql.lit(from)} union all select n + 1 from n where n < ${sql.lit(to)})
          insert into events (aid, id, position, uid, sequence, type, at, created, body)
          select e.aid, e.id || n.n, n.n, 'reader ' || n.n, 1, e.type, e.at, e.created, e.body
          from n cross join events e where e.aid = ${aid} and e.position = 1`.execute(trx),
      { batch: true },
    )
  }
  await database.write((trx) =>
    trx.updateTable('event_counters').set({ position: count }).where('aid', '=', aid).execute(),
  )
}
