import { vi } from 'vitest'
import type { EnvironmentName } from '../../context.ts'
import { type ApplicationSettings, changeSettings } from '../../domain/apps/applications.ts'
import { createMailer } from '../../domain/mail/mailer.ts'
import { listMails, type MailRow } from '../../domain/mail/outbox.ts'
import { createLogger } from '../../logging/logger.ts'
import type { BackgroundLoop } from '../../worker/loop.ts'
import { startMailWorker } from '../../worker/mail/mail-worker.ts'
import type { TestApplication, TestService } from '../service.ts'

/** The headers of every mail. */
export const FIXED_HEADERS = [
  'auto-submitted',
  'content-type',
  'date',
  'from',
  'message-id',
  'mime-version',
  'subject',
  'to',
]

/** Starts a mail worker with its own SMTP connections, as another process would have. */
export function startTestMailWorker(
  service: TestService,
  smtpUrl: string,
  { perSecond = 10_000, connections = 20 } = {},
): BackgroundLoop {
  const { environments, config } = service.ctx
  const mailer = createMailer(smtpUrl)
  const worker = startMailWorker(
    environments.production,
    () => ({ mailer, mailFrom: config.mailFrom }),
    {
      ...{ perSecond, connections },
      log: createLogger('silent'),
    },
  )
  return {
    async stop() {
      await worker.stop()
      await mailer.close()
    },
  }
}

/** Lists the outbox, newest first. */
export function listOutbox(
  service: TestService,
  environment: EnvironmentName = 'production',
): Promise<MailRow[]> {
  const { database } = service.ctx.environments[environment]
  return listMails(database.read, { limit: 10_000 })
}

/** Returns the outbox once no mail in it is queued or being sent. */
export function waitUntilOutboxSettled(service: TestService): Promise<MailRow[]> {
  return waitForOutbox(service, (rows) =>
    rows.every(({ status }) => !/queued|sending/.test(status)),
  )
}

/** Returns the outbox once it is in the expected state. */
export async function waitForOutbox(
  service: TestService,
  isRight: (rows: MailRow[]) => boolean,
  timeout = 20_000,
): Promise<MailRow[]> {
  return await vi.waitFor(
    async () => {
      const rows = await listOutbox(service)
      if (isRight(rows)) return rows
      const found = rows.map(({ status, last_error }) =>
        [status, last_error ?? []].flat().join(': '),
      )
      throw new Error(`the outbox has ${found}`)
    },
    { timeout, interval: 20 },
  )
}

export async function changeAppSettings(
  app: TestApplication,
  settings: Partial<ApplicationSettings>,
): Promise<void> {
  const { database, clock } = app.environment
  await database.write((trx) => changeSettings(trx, app.aid, settings, clock(), 'test'))
}
