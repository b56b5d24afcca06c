import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { getApplication } from '../../apps/applications.ts'
import type { Environment } from '../../context.ts'
import type { Millis } from '../../db/tables.ts'
import { newId } from '../../ids.ts'
import {
  isRefusedForGood,
  LONGEST_SENDING_MS,
  MAIL_CONNECTIONS,
  type Mailer,
} from '../../outbox/mailer.ts'
import {
  claimMails,
  type GrantMail,
  type Lease,
  type MailRow,
  settleMail,
} from '../../outbox/outbox.ts'
import { DEFAULT_TEMPLATE, renderMail } from '../../outbox/template.ts'

/** Longer than any sending, so that a mail under way is never claimed by another worker. */
const LEASE_MS = LONGEST_SENDING_MS + 30_000
const MOST_ATTEMPTS = 15
const FIRST_PAUSE_MS = 30_000
const LONGEST_PAUSE_MS = 6 * 3600_000
const IDLE_MS = 500

/** Twice as long each time, with some jitter, so that many mails don't all come back at once. */
export function pauseAfter(attempts: number, random = Math.random()): Millis {
  const pause = Math.min(FIRST_PAUSE_MS * 2 ** (attempts - 1), LONGEST_PAUSE_MS)
  return Math.round(pause * (0.8 + 0.4 * random))
}

export interface Worker {
  /** Finishes the mails that are under way. */
  stop(): Promise<void>
}

export interface MailWorkerOptions {
  mailFrom: string
  perSecond: number
  log: Logger
}

/** Sends the mails of one environment until it is stopped. */
export function startMailWorker(
  env: Environment,
  mailer: Mailer,
  options: MailWorkerOptions,
): Worker {
  const stopping = new AbortController()
  const running = run(env, mailer, options, stopping.signal)
  return {
    async stop() {
      stopping.abort()
      await running
    },
  }
}

async function run(
  env: Environment,
  mailer: Mailer,
  options: MailWorkerOptions,
  stopping: AbortSignal,
): Promise<void> {
  const allowance = createAllowance(options.perSecond)
  while (!stopping.aborted) {
    let pause = IDLE_MS
    try {
      const count = Math.min(MAIL_CONNECTIONS, allowance.available())
      const sent = count > 0 ? await sendBatch(env, mailer, options, count) : 0
      allowance.use(sent)
      if (sent > 0) pause = allowance.available() > 0 ? 0 : 1000 / options.perSecond
    } catch (error) {
      options.log.error({ err: error, environment: env.name }, 'the mail worker could not go on')
    }
    if (pause > 0) await sleep(pause, undefined, { signal: stopping }).catch(() => {})
  }
}

/** So many mails a second, and no burst beyond one second's worth. */
function createAllowance(perSecond: number) {
  let tokens = perSecond
  let countedAt = performance.now()
  return {
    available() {
      const now = performance.now()
      tokens = Math.min(perSecond, tokens + ((now - countedAt) / 1000) * perSecond)
      countedAt = now
      return Math.floor(tokens)
    },
    use(count: number) {
      tokens -= count
    },
  }
}

/** Claims up to `count` mails, sends them side by side, and returns how many there were. */
async function sendBatch(
  env: Environment,
  mailer: Mailer,
  options: MailWorkerOptions,
  count: number,
): Promise<number> {
  const wall = env.wall()
  const lease: Lease = { token: newId(), until: wall + LEASE_MS }
  const mails = await env.database.write((trx) => claimMails(trx, wall, lease, count))
  await Promise.all(mails.map((mail) => sendOne(env, mailer, options, mail, lease)))
  return mails.length
}

async function sendOne(
  env: Environment,
  mailer: Mailer,
  options: MailWorkerOptions,
  mail: MailRow,
  lease: Lease,
): Promise<void> {
  const log = options.log.child({ environment: env.name, mail: mail.id, attempt: mail.attempts })
  // A process that was stopped for a while may hold a lease that is about to run out.
  if (env.wall() + LONGEST_SENDING_MS > lease.until) return
  try {
    await deliver(env, mailer, options.mailFrom, mail)
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    const dead = isRefusedForGood(error) || mail.attempts >= MOST_ATTEMPTS
    log.warn({ reason: message, dead }, 'mail not taken')
    await settle(env, mail, lease, {
      error: message.slice(0, 500),
      ...(dead
        ? { status: 'dead' }
        : { status: 'queued', due: env.wall() + pauseAfter(mail.attempts) }),
    })
    return
  }
  await settle(env, mail, lease, { status: 'sent', sent: env.wall() })
  log.info('mail sent')
}

async function deliver(
  env: Environment,
  mailer: Mailer,
  mailFrom: string,
  mail: MailRow,
): Promise<void> {
  const app = await getApplication(env.database.read, mail.aid)
  const payload = JSON.parse(mail.payload) as GrantMail
  const rendered = renderMail(app.mail_template ?? DEFAULT_TEMPLATE, app.name, payload)
  await mailer.send({
    id: mail.id,
    from: app.mail_from ?? mailFrom,
    to: mail.recipient,
    ...rendered,
  })
}

/** A mail that the server took must not be sent again because the database was away for a moment. */
async function settle(
  env: Environment,
  mail: MailRow,
  lease: Lease,
  outcome: Parameters<typeof settleMail>[3],
): Promise<void> {
  for (;;) {
    try {
      await env.database.write((trx) => settleMail(trx, mail, lease, outcome))
      return
    } catch (error) {
      if (env.wall() + 1_000 > lease.until) throw error
      await sleep(1_000)
    }
  }
}
