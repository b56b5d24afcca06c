import { setMaxListeners } from 'node:events'
import MailComposer from 'nodemailer/lib/mail-composer'
import { OPERATORS_MAIL_HOST } from './mail-hosts.ts'
import { SessionPool } from './session-pool.ts'
import { isRefusalOfMail } from './smtp-errors.ts'
import { type MailServerAddress, openSession, SessionLost } from './smtp-session.ts'

export interface OutgoingMail {
  /** `name@domain`, the same for every attempt, so that the reader's mail program can drop duplicates. */
  id: string
  from: { name: string; address: string }
  to: string
  subject: string
  text: string
  html: string
  /** Where a mail program can unsubscribe the recipient with one request (RFC 8058). */
  unsubscribeUrl?: string | undefined
}

export interface Mailer {
  /** Resolves when the server has accepted the mail. Rejects after a timeout, or when `stop` is aborted. */
  send(mail: OutgoingMail, stop?: AbortSignal): Promise<void>
  /** How many mails can be sent at once, as far as the server has shown how many connections it takes. */
  capacity(): number
  /** Lets what is being sent finish, and closes each connection as it becomes free. Resolves when the last one is closed. */
  retire(): Promise<void>
  close(): Promise<void>
}

/** Maximum duration of one sending, whatever its socket does. The worker's lease lasts longer than this. */
export const MAX_SENDING_MS = 60_000

type MailerOptions = Partial<Omit<MailServerAddress, 'smtpUrl'>>

export function createMailer(
  smtpUrl: string,
  { check = OPERATORS_MAIL_HOST, clientName }: MailerOptions = {},
): Mailer {
  const closing = new AbortController()
  // Each connection that is being opened listens to it.
  setMaxListeners(0, closing.signal)
  const pool = new SessionPool(() => openSession({ smtpUrl, check, clientName }, closing.signal))
  let sending = 0
  let isRetired = false
  let onIdle = () => {}
  return {
    async send(mail, stop) {
      stop?.throwIfAborted()
      sending++
      try {
        await sendWithin((signal) => sendOver(pool, mail, signal), stop)
      } finally {
        sending--
        if (isRetired) pool.closeFree()
        if (sending === 0) onIdle()
      }
    },
    capacity: () => pool.capacity(),
    async retire() {
      isRetired = true
      pool.closeFree()
      if (sending === 0) return
      await new Promise<void>((resolve) => {
        onIdle = resolve
      })
    },
    async close() {
      closing.abort(new SendAborted('the mail server was replaced, or the service stopped'))
      pool.closeAll()
    },
  }
}

/** Sends a mail over a connection of its own. A mail already begun is never sent over another. */
async function sendOver(pool: SessionPool, mail: OutgoingMail, signal: AbortSignal): Promise<void> {
  const message = new MailComposer(messageOf(mail)).compile()
  const envelope = message.getEnvelope()
  const content = await message.build()
  for (;;) {
    const session = await pool.acquire(signal)
    const giveUp = () => session.close()
    signal.addEventListener('abort', giveUp)
    try {
      return await session.send(envelope, content)
    } catch (error) {
      if (signal.aborted && !isRefusalOfMail(error)) throw signal.reason
      if (!(error instanceof SessionLost)) throw error
    } finally {
      signal.removeEventListener('abort', giveUp)
      pool.release(session)
    }
  }
}

function messageOf(mail: OutgoingMail) {
  return {
    // Passed as objects, with an explicit envelope, so that no address is parsed as a list.
    from: mail.from,
    to: { name: '', address: mail.to },
    envelope: {
      from: { name: '', address: mail.from.address },
      to: [{ name: '', address: mail.to }],
    },
    messageId: `<${mail.id}>`,
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    disableFileAccess: true,
    disableUrlAccess: true,
    headers: { 'Auto-Submitted': 'auto-generated', ...unsubscribeHeaders(mail) },
  }
}

const unsubscribeHeaders = ({ unsubscribeUrl }: OutgoingMail) =>
  unsubscribeUrl === undefined
    ? {}
    : {
        'List-Unsubscribe': `<${unsubscribeUrl}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      }

class SendAborted extends Error {}

/** Gives up after a while, or when `stop` is aborted. That closes the connection: an abandoned SMTP session must not
 * deliver the mail later. */
async function sendWithin(
  send: (signal: AbortSignal) => Promise<void>,
  stop?: AbortSignal,
): Promise<void> {
  const givenUp = new AbortController()
  const giveUp = (reason: string) => givenUp.abort(new SendAborted(reason))
  const stopped = () => giveUp('the service was stopped while the mail server kept it waiting')
  const timer = setTimeout(() => giveUp('the mail server took too long'), MAX_SENDING_MS)
  stop?.addEventListener('abort', stopped)
  try {
    await send(givenUp.signal)
  } finally {
    clearTimeout(timer)
    stop?.removeEventListener('abort', stopped)
  }
}
