import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Context } from '../context.ts'
import type { Lease } from '../domain/mail/claims.ts'
import type { OutgoingMail } from '../domain/mail/mailer.ts'
import { composeStaffMail } from '../domain/notifications/compose.ts'
import {
  claimStaffMail,
  dropStaffMail,
  findNextStaffMail,
  keepUnclaimedStaffMails,
  recordStaffMailOutcome,
  type StaffMailRow,
} from '../domain/staff/mails.ts'
import { newId } from '../ids.ts'
import { type BackgroundLoop, startLoop } from './loop.ts'
import { LEASE_MS, sendClaimedMail } from './mail/send-claimed.ts'

/** At most one email a second, besides those to readers, which have a loop and connections of their own. */
const PAUSE_MS = 1_000
const IDLE_MS = 500

/** How long a stopping worker waits for the email that it is sending; then it is left for a later retry. */
const STOP_GRACE_MS = 10_000

interface StaffMailJob {
  ctx: Context
  log: Logger
  abandonSignal: AbortSignal
}

/** Sends emails to staff until it is stopped. */
export function startStaffMailWorker(ctx: Context, log: Logger): BackgroundLoop {
  const abandon = new AbortController()
  const loop = startLoop(ctx.environments.production, log, {
    name: 'the worker that sends emails to staff',
    async work(stopping) {
      const sent = await sendNextStaffMail({ ctx, log, abandonSignal: abandon.signal })
      if (sent === 'sent') await sleep(PAUSE_MS, undefined, { signal: stopping }).catch(() => {})
      return sent === 'none' ? 0 : 1
    },
    idleMs: IDLE_MS,
    nextDue: () => findNextStaffMail(ctx.control.read),
    retryMs: 2_000,
  })
  return {
    async stop() {
      const timer = setTimeout(() => abandon.abort(), STOP_GRACE_MS)
      await loop.stop()
      clearTimeout(timer)
    },
  }
}

/** Sends one email that is due, if there is any. During a hold all of them wait; without a mail server none is sent, and
 * none later either. */
export async function sendNextStaffMail(job: StaffMailJob): Promise<'sent' | 'dropped' | 'none'> {
  const { control, environments } = job.ctx
  const env = environments.production
  if (await env.isOnHold()) return 'none'
  if (env.mailer === undefined) {
    // Another process may have connected a server a moment ago, and queued emails for it.
    await env.connections.refresh()
    if (env.mailer === undefined) await keepUnclaimedStaffMails(control)
    return 'none'
  }
  const now = env.realTime()
  const lease: Lease = { token: newId(), until: now + LEASE_MS }
  const mail = await claimStaffMail(control, lease, now)
  if (!mail) return 'none'
  const outgoing = await composed(job, mail)
  if (outgoing === undefined) {
    await control.write((trx) => dropStaffMail(trx, mail.id))
    return 'dropped'
  }
  await send(job, mail, lease, outgoing)
  return 'sent'
}

/** An error is returned as it is, and told when the email is sent: that counts as an attempt. */
async function composed(
  { ctx }: StaffMailJob,
  mail: StaffMailRow,
): Promise<OutgoingMail | Error | undefined> {
  try {
    return await composeStaffMail(ctx, mail, ctx.environments.production.realTime())
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

async function send(
  { ctx, log, abandonSignal }: StaffMailJob,
  mail: StaffMailRow,
  lease: Lease,
  outgoing: OutgoingMail | Error,
): Promise<void> {
  const env = ctx.environments.production
  await sendClaimedMail({
    ...{ env, log, abandonSignal, lease },
    mail: { id: mail.id, attempts: mail.attempts, created: mail.created_at },
    async deliver() {
      if (outgoing instanceof Error) throw outgoing
      if (!env.mailer) throw new Error('no mail server is set')
      await env.mailer.send(outgoing, abandonSignal)
    },
    record: (outcome, now) =>
      ctx.control.write((trx) => recordStaffMailOutcome(trx, mail, lease, outcome, now)),
  })
}
