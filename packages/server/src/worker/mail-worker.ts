import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Environment } from '../context.ts'
import { getApplication } from '../domain/apps/applications.ts'
import { OnHold } from '../domain/hold/on-hold.ts'
import { composeMail } from '../domain/mail/compose.ts'
import {
  isRefusedForGood,
  MAX_SENDING_MS,
  type Mailer,
  smtpFailure,
} from '../domain/mail/mailer.ts'
import {
  areMailsDue,
  claimMails,
  type Lease,
  type MailRow,
  type Outcome,
  settleMail,
} from '../domain/mail/outbox.ts'
import { Unsendable } from '../domain/mail/payload.ts'
import { newId } from '../ids.ts'
import { createOutageLogger } from '../outage-logger.ts'
import type { Worker } from './loop.ts'
import { createAllowance, MAX_ATTEMPTS, pauseAfter } from './pace.ts'

/** Longer than sending can take, so that no other worker claims a mail that is being sent. */
const LEASE_MS = MAX_SENDING_MS + 30_000
/** Pause after finding no mail to send. */
const IDLE_MS = 500
/** Pause after a failure that is not the mail's own, such as a database outage. */
const TROUBLE_MS = 2_000
/** How long a stopping worker waits for the mail that it is sending; then the mail is left for a later retry. */
const STOP_GRACE_MS = 10_000
const SETTLE_PAUSE_MS = 1_000
const HELD_PAUSE_MS = 1_000

export interface MailWorkerOptions {
  mailFrom: string
  perSecond: number
  log: Logger
}

interface Shift extends MailWorkerOptions {
  env: Environment
  mailer: Mailer
  /** Aborted when the current mail has to be abandoned. */
  leaving: AbortSignal
}

/**
 * Sends the mails of one environment until it is stopped, one at a time: if the process is killed after the server
 * accepted a mail and before that is recorded, only this one mail is sent twice.
 */
export function startMailWorker(
  env: Environment,
  mailer: Mailer,
  options: MailWorkerOptions,
): Worker {
  const stopping = new AbortController()
  const leaving = new AbortController()
  const log = options.log.child({ environment: env.name })
  const shift: Shift = { ...options, log, env, mailer, leaving: leaving.signal }
  const running = run(shift, stopping.signal)
  return {
    async stop() {
      stopping.abort()
      const timer = setTimeout(() => leaving.abort(), STOP_GRACE_MS)
      await running
      clearTimeout(timer)
    },
  }
}

async function run(shift: Shift, stopping: AbortSignal): Promise<void> {
  const allowance = createAllowance(shift.perSecond)
  const tell = createOutageLogger(shift.log, 'the mail worker')
  while (!stopping.aborted) {
    let pause = allowance.pause()
    if (pause === 0) {
      try {
        const found = await sendNext(shift)
        tell.fine()
        if (found) allowance.use()
        else pause = IDLE_MS
      } catch (error) {
        tell.trouble(error)
        pause = TROUBLE_MS
      }
    }
    if (pause > 0) await sleep(pause, undefined, { signal: stopping }).catch(() => {})
  }
}

/** Returns false if there was nothing to send. */
async function sendNext(shift: Shift): Promise<boolean> {
  const { env } = shift
  const realTime = env.realTime()
  if (!(await areMailsDue(env.database.read, realTime)) || (await env.isOnHold())) return false
  const lease: Lease = { token: newId(), until: realTime + LEASE_MS }
  const [mail] = await env.database.write((trx) => claimMails(trx, lease, 1, realTime))
  if (!mail) return false
  await sendOne(shift, mail, lease)
  return true
}

async function sendOne(shift: Shift, mail: MailRow, lease: Lease): Promise<void> {
  const { env } = shift
  const log = shift.log.child({ mail: mail.id, attempt: mail.attempts })
  // If the process was suspended for a while, its lease may be about to expire.
  if (env.realTime() + MAX_SENDING_MS > lease.until) return
  const outcome = await attempt(shift, mail, log)
  const settled = await settle(shift, mail, lease, outcome)
  if (!settled) log.warn('the lease of a mail was gone: it may be sent twice')
  else if (outcome.status === 'sent') log.info('mail sent')
}

async function attempt(shift: Shift, mail: MailRow, log: Logger): Promise<Outcome> {
  const { env } = shift
  try {
    if (mail.attempts > MAX_ATTEMPTS) throw new Unsendable('its tries are used up')
    await deliver(shift, mail)
    return { status: 'sent', sent: env.realTime() }
  } catch (error) {
    // The installation was put on hold a moment ago; the mail itself has not failed.
    if (error instanceof OnHold) {
      return { status: 'queued', error: error.message, due: env.realTime() + HELD_PAUSE_MS }
    }
    const isDead =
      error instanceof Unsendable || isRefusedForGood(error) || mail.attempts >= MAX_ATTEMPTS
    log.warn({ ...smtpFailure(error), dead: isDead }, 'mail not taken')
    const reason = withoutAddresses(error instanceof Error ? error.message : String(error))
    return isDead
      ? { status: 'dead', error: reason }
      : { status: 'queued', error: reason, due: env.realTime() + pauseAfter(mail.attempts) }
  }
}

async function deliver({ env, mailer, mailFrom, leaving }: Shift, mail: MailRow): Promise<void> {
  const app = await getApplication(env.database.read, mail.aid)
  await env.refreshClock()
  const now = env.clock()
  const manageLink = (id: string) => env.manageLink(id, now)
  await mailer.send(await composeMail(mail, app, mailFrom, now, manageLink), leaving)
}

/** Removes email addresses and links from an error that is stored and shown to staff. A server may quote the
 * mail, and the links in it work for anyone who has them. */
const withoutAddresses = (reason: string) =>
  reason
    .replace(/https?:\S*|\S{40,}/gi, '(link)')
    .replace(/[^\s<>"'(),:;]+@[^\s<>"'(),:;]+/g, '(address)')
    .replace(/\s+/g, ' ')
    .slice(0, 500)

/** Retries while the database is unavailable: a mail that the server accepted must not be sent again. */
async function settle(
  { env, leaving }: Shift,
  mail: MailRow,
  lease: Lease,
  outcome: Outcome,
): Promise<boolean> {
  for (;;) {
    const realTime = env.realTime()
    try {
      return await env.database.write((trx) => settleMail(trx, mail, lease, outcome, realTime))
    } catch (error) {
      if (leaving.aborted || realTime >= lease.until) throw error
      await sleep(SETTLE_PAUSE_MS, undefined, { signal: leaving }).catch(() => {})
    }
  }
}
