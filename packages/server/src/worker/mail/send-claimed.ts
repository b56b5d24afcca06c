import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Millis } from '../../db/tables.ts'
import { OnHold } from '../../domain/hold/on-hold.ts'
import type { Lease, SendOutcome } from '../../domain/mail/claims.ts'
import { MAX_SENDING_MS } from '../../domain/mail/mailer.ts'
import { Unsendable } from '../../domain/mail/read-payload.ts'
import { busyServer, isPermanentRefusal, smtpFailure } from '../../domain/mail/smtp-errors.ts'
import { withoutAddresses } from '../../logging/addresses.ts'
import { backoffAfter, MAX_ATTEMPTS } from './pacing.ts'

/** Longer than sending can take, so that no other worker claims a mail that is being sent. */
export const LEASE_MS = MAX_SENDING_MS + 30_000
const SETTLE_PAUSE_MS = 1_000
const HELD_PAUSE_MS = 1_000
/** How long a mail waits that got no connection. */
const BUSY_PAUSE_MS = 5_000
/** For how long a server may put off all connections without an attempt being counted. */
const MAX_UNCOUNTED_MS = 2 * 3600_000

/** A mail that was claimed, and what to do with it. */
export interface ClaimedMail {
  env: { realTime(): Millis }
  log: Logger
  /** Aborted when the mail has to be abandoned. */
  abandonSignal: AbortSignal
  mail: { id: string; attempts: number; created: Millis }
  lease: Lease
  /** Sends it. Throws if the server didn't take it. */
  deliver(): Promise<void>
  /** Returns false if the lease was lost. */
  record(outcome: SendOutcome, realTime: Millis): Promise<boolean>
}

/** Whether a sending that begins now ends before the lease, however slow the mail server is. */
export const hasTimeToSend = (lease: Lease, realTime: Millis): boolean =>
  realTime + MAX_SENDING_MS <= lease.until

/** Tries to send a mail, and records how that went. */
export async function sendClaimedMail(claimed: ClaimedMail): Promise<void> {
  const { env, mail, lease } = claimed
  const log = claimed.log.child({ mail: mail.id, attempt: mail.attempts })
  // If the process was suspended for a while, too little of the mail's lease may be left: another worker will take it.
  if (!hasTimeToSend(lease, env.realTime())) return
  const outcome = await attempt(claimed, log)
  const settled = await settle(claimed, outcome)
  if (!settled) log.warn('the lease of a mail was gone: it may be sent twice')
  else if (outcome.status === 'sent') log.info('mail sent')
}

async function attempt({ env, mail, deliver }: ClaimedMail, log: Logger): Promise<SendOutcome> {
  try {
    if (mail.attempts > MAX_ATTEMPTS) throw new Unsendable('its tries are used up')
    await deliver()
    return { status: 'sent', sent: env.realTime() }
  } catch (error) {
    // The installation was put on hold a moment ago; the mail itself has not failed.
    if (error instanceof OnHold) {
      return { status: 'queued', error: error.message, due: env.realTime() + HELD_PAUSE_MS }
    }
    if (!countsAsAttempt(error, env.realTime() - mail.created)) {
      log.info(smtpFailure(error), 'the mail server takes no further connection: the mail waits')
      const due = env.realTime() + BUSY_PAUSE_MS
      return { status: 'queued', error: reasonOf(error), due, isUncounted: true }
    }
    const isFinal =
      error instanceof Unsendable || isPermanentRefusal(error) || mail.attempts >= MAX_ATTEMPTS
    log.warn({ ...smtpFailure(error), dead: isFinal }, 'mail not taken')
    const reason = reasonOf(error)
    return isFinal
      ? { status: 'dead', error: reason }
      : { status: 'queued', error: reason, due: env.realTime() + backoffAfter(mail.attempts) }
  }
}

/** A mail loses no attempt if the server only had too many connections, unless that never ends. */
function countsAsAttempt(error: unknown, age: Millis): boolean {
  const busy = busyServer(error)
  return busy === undefined || (busy === 'put off' && age > MAX_UNCOUNTED_MS)
}

const reasonOf = (error: unknown) =>
  describe(error instanceof Error ? error.message : String(error))

/** No mail server needs more words, and one may send any number. */
const MAX_REASON = 10_000

/** Removes email addresses and links from an error that is stored and shown to staff. A server may quote the
 * mail, and the links in it work for anyone who has them. */
const describe = (reason: string) =>
  withoutAddresses(reason.slice(0, MAX_REASON).replace(/https?:\S*|\S{40,}/gi, '(link)'))
    .replace(/\s+/g, ' ')
    .slice(0, 500)

/** Retries while the database is unavailable: a mail that the server accepted must not be sent again. */
async function settle(
  { env, abandonSignal, lease, record }: ClaimedMail,
  outcome: SendOutcome,
): Promise<boolean> {
  for (;;) {
    const realTime = env.realTime()
    try {
      return await record(outcome, realTime)
    } catch (error) {
      if (abandonSignal.aborted || realTime >= lease.until) throw error
      await sleep(SETTLE_PAUSE_MS, undefined, { signal: abandonSignal }).catch(() => {})
    }
  }
}
