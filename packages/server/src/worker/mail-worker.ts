import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Environment } from '../context.ts'
import { getApplication } from '../domain/apps/applications.ts'
import { createMailLinks } from '../domain/downloads/mail-links.ts'
import { composeMail } from '../domain/mail/compose.ts'
import type { Mailer } from '../domain/mail/mailer.ts'
import { claimMails, type Lease, type MailRow, recordSendOutcome } from '../domain/mail/outbox.ts'
import { newId } from '../ids.ts'
import { createOutageLogger } from '../outage-logger.ts'
import type { BackgroundLoop } from './loop.ts'
import { createRateLimit } from './mail-pacing.ts'
import { LEASE_MS, sendClaimedMail } from './send-claimed.ts'

/** Pause after finding no mail to send. */
const IDLE_MS = 500
/** Pause after a failure that is not the mail's own, such as a database outage. */
const RETRY_MS = 2_000
/** How long a stopping worker waits for the mail that it is sending; then the mail is left for a later retry. */
const STOP_GRACE_MS = 10_000

export interface MailWorkerOptions {
  perSecond: number
  log: Logger
}

/** The server that a mail is sent through, and the sender of applications that have none of their own. */
export interface MailServer {
  mailer: Mailer
  mailFrom: string
}

export interface MailJob extends MailWorkerOptions {
  env: Environment
  server: MailServer
  /** Aborted when the current mail has to be abandoned. */
  abandonSignal: AbortSignal
}

/**
 * Sends the mails of one environment until it is stopped, one at a time: if the process is killed after the server
 * accepted a mail and before that is recorded, only this one mail is sent twice. `findServer` is called for each mail,
 * because staff may change the server at any time.
 */
export function startMailWorker(
  env: Environment,
  findServer: () => MailServer | undefined,
  options: MailWorkerOptions,
): BackgroundLoop {
  const stopping = new AbortController()
  const abandon = new AbortController()
  const log = options.log.child({ environment: env.name })
  const parts = { ...options, log, env, abandonSignal: abandon.signal }
  const running = run(parts, findServer, stopping.signal)
  return {
    async stop() {
      stopping.abort()
      const timer = setTimeout(() => abandon.abort(), STOP_GRACE_MS)
      await running
      clearTimeout(timer)
    },
  }
}

async function run(
  job: Omit<MailJob, 'server'>,
  findServer: () => MailServer | undefined,
  stopping: AbortSignal,
): Promise<void> {
  const rateLimit = createRateLimit(job.perSecond)
  const outages = createOutageLogger(job.log, 'the mail worker')
  while (!stopping.aborted) {
    let pause = rateLimit.pause()
    if (pause === 0) {
      try {
        const server = findServer()
        const found = server !== undefined && (await sendNextMail({ ...job, server }))
        outages.fine()
        if (found) rateLimit.use()
        else pause = IDLE_MS
      } catch (error) {
        outages.trouble(error)
        pause = RETRY_MS
      }
    }
    if (pause > 0) await sleep(pause, undefined, { signal: stopping }).catch(() => {})
  }
}

/** Sends one mail that is due. Returns false if none is due, or if the installation is on hold. */
export async function sendNextMail(job: MailJob): Promise<boolean> {
  const { env } = job
  const realTime = env.realTime()
  if (await env.isOnHold()) return false
  const lease: Lease = { token: newId(), until: realTime + LEASE_MS }
  const [mail] = await claimMails(env.database, lease, 1, realTime)
  if (!mail) return false
  await sendOne(job, mail, lease)
  return true
}

async function sendOne(job: MailJob, mail: MailRow, lease: Lease): Promise<void> {
  const { env, log, abandonSignal } = job
  await sendClaimedMail({
    ...{ env, log, abandonSignal, mail, lease },
    deliver: () => deliver(job, mail),
    record: (outcome, realTime) =>
      env.database.write((trx) => recordSendOutcome(trx, mail, lease, outcome, realTime)),
  })
}

async function deliver(
  { env, server: { mailer, mailFrom }, abandonSignal }: MailJob,
  mail: MailRow,
): Promise<void> {
  const app = await getApplication(env.database.read, mail.aid)
  await env.refreshClock()
  const now = env.clock()
  const links = createMailLinks(env, mail)
  await mailer.send(await composeMail(mail, app, mailFrom, now, links), abandonSignal)
}
