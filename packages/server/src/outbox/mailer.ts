import { createTransport } from 'nodemailer'
import { parseConnectionUrl } from 'nodemailer/lib/shared'

export interface OutgoingMail {
  /** `name@domain`, the same at every try, so that a reader's program can drop a duplicate. */
  id: string
  from: { name: string; address: string }
  to: string
  subject: string
  text: string
  html: string
}

/** Hands mails to a server. */
export interface Mailer {
  /** Resolves when the server has taken the mail. Given up after a while, or when `stop` says so. */
  send(mail: OutgoingMail, stop?: AbortSignal): Promise<void>
  close(): Promise<void>
}

const TIMEOUTS = {
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  dnsTimeout: 10_000,
  socketTimeout: 20_000,
}

/** After this a sending is given up, whatever its socket does; see the lease of the worker. */
export const LONGEST_SENDING_MS = 60_000

const LOOPBACK = /^(localhost|127\.[\d.]+|\[?::1\]?)$/

/** One connection. Its mails go one after the other, and closing it ends the one under way. */
function openLine(smtpUrl: string) {
  const server = parseConnectionUrl(smtpUrl)
  return createTransport({
    // A password goes over an encrypted line only, whatever somebody in between answers.
    requireTLS: server.auth !== undefined && !LOOPBACK.test(server.host ?? ''),
    ...server,
    ...TIMEOUTS,
    pool: true,
    maxConnections: 1,
    maxMessages: 100,
    // For a connection that the server closed while it was idle; a mail that it began is never resent.
    maxRequeues: 1,
    disableFileAccess: true,
    disableUrlAccess: true,
    // It would write addresses.
    logger: false,
  })
}

/** Connects, encrypts and signs in as a sending would; throws what is wrong. */
export async function checkMailServer(smtpUrl: string): Promise<void> {
  const line = openLine(smtpUrl)
  try {
    await line.verify()
  } finally {
    line.close({ force: true })
  }
}

type Line = ReturnType<typeof openLine>

export function createMailer(smtpUrl: string): Mailer {
  const free: Line[] = []
  const busy = new Set<Line>()
  return {
    async send(mail, stop) {
      stop?.throwIfAborted()
      const line = free.pop() ?? openLine(smtpUrl)
      busy.add(line)
      let usable = true
      try {
        await orGiveUp(line, () => line.sendMail(messageOf(mail)), stop)
      } catch (error) {
        usable = !(error instanceof GivenUp)
        throw error
      } finally {
        busy.delete(line)
        if (usable) free.push(line)
      }
    },
    async close() {
      for (const line of [...free.splice(0), ...busy]) line.close({ force: true })
    },
  }
}

function messageOf(mail: OutgoingMail) {
  return {
    // As objects, and an envelope of our own: nothing in an address is parsed as a list.
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
    headers: { 'Auto-Submitted': 'auto-generated' },
  }
}

class GivenUp extends Error {}

/** Giving up closes the line: a conversation that nobody waits for must not deliver later. */
async function orGiveUp(
  line: Line,
  send: () => Promise<unknown>,
  stop?: AbortSignal,
): Promise<void> {
  let giveUp = (_reason: string) => {}
  const givenUp = new Promise<never>((_, reject) => {
    giveUp = (reason) => {
      line.close({ force: true })
      reject(new GivenUp(reason))
    }
  })
  const stopped = () => giveUp('the service was stopped while the mail server kept it waiting')
  const timer = setTimeout(() => giveUp('the mail server took too long'), LONGEST_SENDING_MS)
  stop?.addEventListener('abort', stopped)
  try {
    await Promise.race([send(), givenUp])
  } finally {
    clearTimeout(timer)
    stop?.removeEventListener('abort', stopped)
  }
}

/** What an SMTP failure is, without the server's words: those may hold somebody's address. */
export function smtpFailure(error: unknown): { code?: string; status?: number; command?: string } {
  const { code, responseCode, command } = error as Record<string, unknown>
  return {
    ...(typeof code === 'string' ? { code } : {}),
    ...(typeof responseCode === 'number' ? { status: responseCode } : {}),
    ...(typeof command === 'string' ? { command } : {}),
  }
}

/** Whether the server refused this very mail for good, so that trying again can't help. What it says
 * to the sender's address or to a login is about our settings, which can be mended meanwhile. */
export function isRefusedForGood(error: unknown): boolean {
  const { code, status, command } = smtpFailure(error)
  if (code !== 'EENVELOPE' && code !== 'EMESSAGE') return false
  if (status === undefined) return true
  return status >= 500 && command !== 'MAIL FROM'
}
