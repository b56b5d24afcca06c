import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { Environment } from '../packages/server/src/context.ts'
import { findViolations } from '../packages/server/src/db/invariants/invariants.ts'
import { countMails } from '../packages/server/src/domain/mail/outbox.ts'
import {
  databases,
  type TestDatabase,
  type TestInstallation,
} from '../packages/server/src/testing/databases.ts'
import { withContext } from '../packages/server/src/testing/installations.ts'
import { ServerGroup } from '../packages/server/src/testing/processes/server-group.ts'
import { seededRandom } from '../packages/server/src/testing/random.ts'
import { startTestService } from '../packages/server/src/testing/service.ts'
import { startSmtp } from '../packages/server/src/testing/smtp/smtp.ts'
import { seedSetting, setting } from './settings.ts'

const mails = setting('WORKER_MAILS', 2_000)
const seed = seedSetting('WORKER_SEED')

const SERVERS = 4
const CONNECTIONS = 4
const LEASE_MS = 90_000
const LATE_MS = 10_000
/** How long each mail takes: every worker is sending some when a kill comes. */
const SENDING_MS = 40

/** Creates the mails, by as many grants, before anything sends them. */
async function fill(
  database: TestDatabase,
  installation: TestInstallation,
  env: Record<string, string>,
) {
  const service = await startTestService(database, { installation, env, useRealTime: true })
  const app = await service.newApplication()
  await app.addResource('news')
  let next = 0
  await Promise.all(
    Array.from({ length: 16 }, async () => {
      for (let n = next++; n < mails; n = next++) {
        await app.client.grantAccess({ rid: 'news', email: `reader${n}@example.com` })
      }
    }),
  )
  await service.stop()
}

/** Counts mails whose lease expired more than `LATE_MS` ago, and which no worker has taken over. */
async function countStuck({ database, realTime }: Environment): Promise<number> {
  const rows = await database.read
    .selectFrom('outbox')
    .select('id')
    .where('status', '=', 'sending')
    .where('lease_until', '<', realTime() - LATE_MS)
    .execute()
  return rows.length
}

describe.each(databases)('four servers on $name of which one is killed each second', (database) => {
  it(`send ${mails} mails, and leave none longer than a lease and ten seconds`, async () => {
    console.info(`WORKER_MAILS=${mails} WORKER_SEED=${seed}`)
    const random = seededRandom(seed)
    const smtp = await startSmtp()
    const installation = await database.createEmpty()
    const env = {
      ...installation.env,
      GATEHOUSE_SMTP_URL: smtp.url,
      GATEHOUSE_MAIL_PER_SECOND: '10000',
      GATEHOUSE_MAIL_CONNECTIONS: String(CONNECTIONS),
    }
    const service = new ServerGroup(env, { count: SERVERS })
    try {
      await fill(database, installation, env)
      smtp.beforeAccepting = () => sleep(SENDING_MS)
      await service.start()
      await withContext(installation, async ({ environments: { production } }) => {
        const { database: db, realTime, clock } = production
        const isDone = async () => {
          const { queued, sending } = await countMails(db.read)
          return queued + sending === 0
        }
        let lastKill = realTime()
        while ((await countMails(db.read)).queued > 0) {
          await sleep(1_000)
          await service.killOne(random)
          lastKill = realTime()
          await service.start()
          expect(await countStuck(production)).toBe(0)
        }
        while (!(await isDone())) {
          expect(realTime()).toBeLessThan(lastKill + LEASE_MS + LATE_MS)
          expect(await countStuck(production)).toBe(0)
          await sleep(500)
        }
        expect(await countMails(db.read)).toMatchObject({ sent: mails, dead: 0 })
        expect(await findViolations(db.read, clock())).toEqual([])
      })
      await service.stop()
      const ids = new Set(smtp.mails.map(({ mail }) => mail.messageId))
      const duplicates = smtp.mails.length - ids.size
      console.info(database.name, { kills: service.kills, duplicates })
      expect(ids.size).toBe(mails)
      expect(service.kills).toBeGreaterThan(0)
      expect(duplicates).toBeLessThanOrEqual(service.kills * CONNECTIONS)
    } finally {
      await service.end()
      await smtp.stop()
      await installation.remove()
    }
  })
})
