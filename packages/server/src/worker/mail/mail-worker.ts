import { setMaxListeners } from 'node:events'
import type { Logger } from 'pino'
import type { Environment } from '../../context.ts'
import type { ApplicationTable, Millis } from '../../db/tables.ts'
import { getApplication } from '../../domain/apps/applications.ts'
import { createMailLinks } from '../../domain/downloads/mail-links.ts'
import { OnHold } from '../../domain/hold/on-hold.ts'
import {
  type ClaimedMail,
  claimMails,
  findNextMail,
  type Lease,
  releaseMails,
} from '../../domain/mail/claims.ts'
import { composeMail } from '../../domain/mail/compose.ts'
import type { Mailer } from '../../domain/mail/mailer.ts'
import { busyServer, isPermanentRefusal } from '../../domain/mail/smtp-errors.ts'
import { newId } from '../../ids.ts'
import { createOutageLogger } from '../../logging/outage-logger.ts'
import { type BackgroundLoop, pauseFor, pauseUntilNeeded } from '../loop.ts'
import { MailLines } from './lines.ts'
import { createRateLimit, createThrottle, type Throttle } from './pacing.ts'
import { hasTimeToSend, LEASE_MS, sendClaimedMail } from './send-claimed.ts'
import { createSettler } from './settle.ts'

/** Shortest pause after finding no mail to send. */
const IDLE_MS = 500
/** Pause after a failure that is not the mail's own, such as a database outage. */
const RETRY_MS = 2_000
/** How long a stopping worker waits for the mails that it is sending; then they are left for a later retry. */
const STOP_GRACE_MS = 10_000
/** For how long mails to a slow domain are put off when others wait behind them. */
const PUT_OFF_MS: Millis = 10_000

export interface MailWorkerOptions {
  perSecond: number
  /** The maximum number of connections to the mail server. */
  connections: number
  log: Logger
}

/** The server that a mail is sent through, and the sender of applications that have none of their own. */
export interface MailServer {
  mailer: Mailer
  mailFrom: string
}

export interface MailJob extends MailWorkerOptions {
  env: Environment
  /** Called for each mail, because staff may change the server at any time. */
  findServer(): MailServer | undefined
  /** Aborted when the mails that are being sent have to be abandoned. */
  abandonSignal: AbortSignal
}

/** A claimed mail, and the application that it is from. Mails that were claimed together share what is read of it. */
interface QueuedMail extends ClaimedMail {
  readApplication(): Promise<ApplicationTable>
}

/** Sends the mails of one environment until it is stopped. */
export function startMailWorker(
  env: Environment,
  findServer: () => MailServer | undefined,
  options: MailWorkerOptions,
): BackgroundLoop {
  const stopping = new AbortController()
  const abandon = new AbortController()
  // Each mail that is being sent listens to it.
  setMaxListeners(0, abandon.signal)
  const log = options.log.child({ environment: env.name })
  const job = { ...options, log, env, findServer, abandonSignal: abandon.signal }
  const sender = createMailSender(job)
  const running = run(env, sender, log, stopping.signal)
  return {
    async stop() {
      stopping.abort()
      sender.stop()
      const timer = setTimeout(() => abandon.abort(), STOP_GRACE_MS)
      await running
      await sender.finish()
      clearTimeout(timer)
    },
  }
}

async function run(
  env: Environment,
  sender: MailSender,
  log: Logger,
  stopping: AbortSignal,
): Promise<void> {
  const outages = createOutageLogger(log, 'the mail worker')
  const pauses = { idleMs: IDLE_MS, nextDue: () => findNextMail(env.database.read) }
  while (!stopping.aborted) {
    const since = env.changes.version
    try {
      const result = await sender.claim()
      outages.fine()
      if (result === 'none due') await pauseUntilNeeded(env, pauses, since, stopping)
      if (result === 'not allowed') await pauseFor(IDLE_MS, stopping)
      if (result === 'no room') await sender.progress()
    } catch (error) {
      outages.trouble(error)
      await pauseFor(RETRY_MS, stopping)
    }
  }
}

type MailSender = ReturnType<typeof createMailSender>

/** Claims mails that are due, and sends them over several connections. */
export function createMailSender(job: MailJob) {
  const { env, connections } = job
  const rateLimit = createRateLimit(job.perSecond)
  const capacity = () => job.findServer()?.mailer.capacity() ?? connections
  const throttle = createThrottle(connections, undefined, capacity)
  const send = createLineSender(job, throttle)
  const lines = new MailLines<QueuedMail>({ connections, rateLimit, throttle, send })
  return {
    /** Claims as many mails as there is room for. None may be sent without a server, or while the installation is on
     * hold. */
    async claim(): Promise<'claimed' | 'none due' | 'not allowed' | 'no room'> {
      const realTime = env.realTime()
      await release(job, lines.takeSlow(), realTime + PUT_OFF_MS)
      const room = lines.room()
      if (room === 0) return 'no room'
      if (job.findServer() === undefined || (await env.isOnHold())) return 'not allowed'
      const lease: Lease = { token: newId(), until: realTime + LEASE_MS }
      const mails = await claimMails(env.database, lease, room, realTime)
      const read = createApplicationReader(env)
      lines.add(mails.map((mail) => ({ mail, lease, readApplication: () => read(mail.aid) })))
      return mails.length > 0 ? 'claimed' : 'none due'
    },
    /** Resolves when a mail has been sent, or after a second. */
    progress: () => lines.progress(1_000),
    /** Starts no more mails. */
    stop: () => lines.stop(),
    /** Resolves when all claimed mails have been sent. After a stop, those that were not started are given back. */
    async finish(): Promise<void> {
      if (lines.isStopped) {
        const left = lines.takeWaiting()
        // If the database is away, their leases end by themselves.
        await release(job, left, env.realTime()).catch(() => {})
      }
      await lines.finished()
    },
  }
}

async function release(
  { env }: MailJob,
  claimed: readonly ClaimedMail[],
  due: Millis,
): Promise<void> {
  if (claimed.length > 0) await env.database.write((trx) => releaseMails(trx, claimed, due))
}

/** Reads each application once. */
function createApplicationReader({ database }: Environment) {
  const found = new Map<string, Promise<ApplicationTable>>()
  return (aid: string): Promise<ApplicationTable> => {
    const app = found.get(aid) ?? getApplication(database.read, aid)
    found.set(aid, app)
    return app
  }
}

/** Returns the function that sends one mail and records how that went. */
function createLineSender(job: MailJob, throttle: Throttle): (queued: QueuedMail) => Promise<void> {
  const { env, log, abandonSignal } = job
  const settle = createSettler(env.database, env.realTime)
  return async (queued) => {
    const { mail, lease } = queued
    try {
      const server = job.findServer()
      if (server === undefined || !hasTimeToSend(lease, env.realTime())) {
        return await release(job, [queued], env.realTime())
      }
      await sendClaimedMail({
        ...{ env, log, abandonSignal, mail, lease },
        deliver: () => deliver(job, server, queued, throttle),
        record: (outcome) => settle({ mail, lease, outcome }),
      })
    } catch (error) {
      // Another attempt follows when its lease has ended.
      log.error({ err: error, mail: mail.id }, 'the outcome of a mail was not recorded')
    }
  }
}

async function deliver(
  { env, abandonSignal }: MailJob,
  { mailer, mailFrom }: MailServer,
  { mail, readApplication }: QueuedMail,
  throttle: Throttle,
): Promise<void> {
  const app = await readApplication()
  await env.refreshClock()
  const links = createMailLinks(env, mail)
  const outgoing = await composeMail(mail, app, mailFrom, env.clock(), links)
  const started = performance.now()
  try {
    await mailer.send(outgoing, abandonSignal)
  } catch (error) {
    const isOwn = error instanceof OnHold || isPermanentRefusal(error)
    if (!isOwn && busyServer(error) !== 'in use') throttle.refused(started)
    throw error
  }
  throttle.accepted()
}
