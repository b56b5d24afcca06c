import { Gatehouse } from '@gatehouse/sdk'
import { describe, expect, it, vi } from 'vitest'
import { readConfig } from '../../config/config.ts'
import { createContext } from '../../context.ts'
import { findViolations } from '../../db/invariants/invariants.ts'
import { createApplication, reserveAid } from '../../domain/apps/applications.ts'
import { countMails } from '../../domain/mail/outbox.ts'
import { createResource } from '../../domain/resources/resources.ts'
import { databases, type TestInstallation } from '../../testing/databases.ts'
import { startProcess } from '../../testing/processes/process.ts'
import { startSmtp } from '../../testing/smtp/smtp.ts'

const KILLS = 1
const CONNECTIONS = 4

/** Opens the databases of an installation that server processes use too. */
async function open(installation: TestInstallation) {
  const ctx = await createContext(readConfig(installation.env))
  const env = ctx.environments.production
  const { write, read } = env.database
  const clocks = { now: env.clock(), realTime: env.realTime() }
  const aid = await reserveAid(ctx.control, 'production')
  const { privateKey } = await write((trx) =>
    createApplication(trx, ctx.masterKey, { aid, name: 'Magazine' }, clocks, 'test'),
  )
  await write((trx) => createResource(trx, { aid, rid: 'news', name: 'News' }, clocks.now, 'test'))
  return {
    clientOf: (baseUrl: string) => new Gatehouse({ baseUrl, aid, privateKey }),
    counts: () => countMails(read),
    /** Ends all leases, so that the test need not wait for them. */
    endLeases: () =>
      write((trx) =>
        trx
          .updateTable('outbox')
          .set({ lease_until: env.realTime() })
          .where('status', '=', 'sending')
          .execute(),
      ),
    violations: () => findViolations(read, env.clock()),
    close: () => ctx.close(),
  }
}

describe.each(databases)(
  'a process that is killed when a mail was taken and not noted, on $name',
  (database) => {
    it('has lost no mail of a grant that it answered, and sends at most those in flight twice', async () => {
      const smtp = await startSmtp()
      const installation = await database.createMigrated()
      const beside = await open(installation)
      const env = {
        ...installation.env,
        GATEHOUSE_SMTP_URL: smtp.url,
        GATEHOUSE_MAIL_CONNECTIONS: String(CONNECTIONS),
      }
      const settings = { env }
      const answered: string[] = []

      for (let round = 1; round <= KILLS; round++) {
        const server = await startProcess(settings)
        const client = beside.clientOf(await server.url)
        let taken = 0
        // The process is killed before it can record that the server accepted the mail.
        smtp.beforeAccepting = async () => {
          if (++taken !== 3) return
          server.signal('SIGKILL')
          await server.ended
        }
        for (let n = 0; n < 8; n++) {
          const email = `reader${round}-${n}@example.com`
          const isAnswered = await client.grantAccess({ rid: 'news', email }).then(
            () => true,
            () => false,
          )
          if (!isAnswered) break
          answered.push(email)
        }
        expect(await server.ended).toMatchObject({ signal: 'SIGKILL' })
        expect((await beside.counts()).sending).toBeGreaterThan(0)
        await beside.endLeases()
      }

      smtp.beforeAccepting = async () => {}
      const server = await startProcess(settings)
      await server.url
      await vi.waitFor(
        async () => expect(await beside.counts()).toMatchObject({ queued: 0, sending: 0, dead: 0 }),
        { timeout: 60_000 },
      )
      expect(await server.stop()).toMatchObject({ code: 0 })

      expect(answered.length).toBeGreaterThan(0)
      for (const email of answered) expect(smtp.mailsTo(email).length).toBeGreaterThanOrEqual(1)
      const ids = smtp.mails.map(({ mail }) => mail.messageId)
      const addresses = new Set(smtp.mails.map(({ recipients }) => recipients.join()))
      expect(new Set(ids).size).toBe(addresses.size)
      expect(ids.length - addresses.size).toBeLessThanOrEqual(KILLS * CONNECTIONS)
      expect(await beside.violations()).toEqual([])
      await beside.close()
      await installation.remove()
      await smtp.stop()
    })
  },
)
