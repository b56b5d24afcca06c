import type { Socket } from 'node:net'
import { createTransport } from 'nodemailer'
import { parseConnectionUrl } from 'nodemailer/lib/shared'
import { connectToMailServer, type MailHostCheck, OPERATORS_MAIL_HOST } from './mail-hosts.ts'

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
  /** Lets what is being sent finish, and closes each connection as it becomes free. Resolves when the last one is closed. */
  retire(): Promise<void>
  close(): Promise<void>
}

const TIMEOUTS = {
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  dnsTimeout: 10_000,
  socketTimeout: 20_000,
}

/** Maximum duration of one sending, whatever its socket does. The worker's lease lasts longer than this. */
export const MAX_SENDING_MS = 60_000

const LOOPBACK = /^(localhost|127\.[\d.]+|\[?::1\]?)$/

/** Opens one connection. It sends one mail at a time, and closing it aborts the current one. */
function openConnection(smtpUrl: string, check: MailHostCheck) {
  const server = parseConnectionUrl(smtpUrl)
  return createTransport({
    // A password is sent only over TLS, even if someone in the middle claims that the server lacks it.
    requireTLS: server.auth !== undefined && !LOOPBACK.test(server.host ?? ''),
    ...server,
    ...TIMEOUTS,
    pool: true,
    maxConnections: 1,
    maxMessages: 100,
    // For a connection the server closed while idle. A mail already begun is never resent.
    maxRequeues: 1,
    disableFileAccess: true,
    disableUrlAccess: true,
    // The log would contain addresses.
    logger: false,
    getSocket: (at: SmtpServer, callback: SocketCallback) => openSocket(at, check, callback),
  })
}

interface SmtpServer {
  host?: string | undefined
  port?: number | string | undefined
  secure?: boolean | undefined
}

type SocketOptions = { connection: Socket } | false
type SocketCallback = (error: Error | null, socket: SocketOptions) => void

/** Opens the socket of each connection. The library encrypts it, with the name of the host. */
function openSocket(
  { host = 'localhost', port, secure }: SmtpServer,
  check: MailHostCheck,
  callback: SocketCallback,
): void {
  const ownPort = Number(port) || (secure ? 465 : 587)
  const options = { check, timeoutMs: TIMEOUTS.connectionTimeout }
  connectToMailServer(host, ownPort, options).then(
    (connection) => callback(null, { connection }),
    (error: Error) => callback(error, false),
  )
}

/** Connects, encrypts and authenticates like a real sending. Throws on any problem. */
export async function checkMailServer(smtpUrl: string, check: MailHostCheck): Promise<void> {
  const connection = openConnection(smtpUrl, check)
  try {
    await connection.verify()
  } finally {
    connection.close({ force: true })
  }
}

type Connection = ReturnType<typeof openConnection>

export function createMailer(smtpUrl: string, check = OPERATORS_MAIL_HOST): Mailer {
  const free: Connection[] = []
  const busy = new Set<Connection>()
  let isRetired = false
  let onIdle = () => {}
  return {
    async send(mail, stop) {
      stop?.throwIfAborted()
      const connection = free.pop() ?? openConnection(smtpUrl, check)
      busy.add(connection)
      let usable = true
      try {
        await sendWithin(connection, () => connection.sendMail(messageOf(mail)), stop)
      } catch (error) {
        usable = !(error instanceof SendAborted)
        throw error
      } finally {
        busy.delete(connection)
        if (isRetired) connection.close()
        else if (usable) free.push(connection)
        if (busy.size === 0) onIdle()
      }
    },
    async retire() {
      isRetired = true
      for (const connection of free.splice(0)) connection.close()
      if (busy.size === 0) return
      await new Promise<void>((resolve) => {
        onIdle = resolve
      })
    },
    async close() {
      for (const connection of [...free.splice(0), ...busy]) connection.close({ force: true })
    },
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

/** Closes the connection on giving up: an abandoned SMTP session must not deliver the mail later. */
async function sendWithin(
  connection: Connection,
  send: () => Promise<unknown>,
  stop?: AbortSignal,
): Promise<void> {
  let giveUp = (_reason: string) => {}
  const givenUp = new Promise<never>((_, reject) => {
    giveUp = (reason) => {
      connection.close({ force: true })
      reject(new SendAborted(reason))
    }
  })
  const stopped = () => giveUp('the service was stopped while the mail server kept it waiting')
  const timer = setTimeout(() => giveUp('the mail server took too long'), MAX_SENDING_MS)
  stop?.addEventListener('abort', stopped)
  try {
    await Promise.race([send(), givenUp])
  } finally {
    clearTimeout(timer)
    stop?.removeEventListener('abort', stopped)
  }
}

/** Describes an SMTP error without the server's text, which may contain an address. */
export function smtpFailure(error: unknown): { code?: string; status?: number; command?: string } {
  const { code, responseCode, command } = error as Record<string, unknown>
  return {
    ...(typeof code === 'string' ? { code } : {}),
    ...(typeof responseCode === 'number' ? { status: responseCode } : {}),
    ...(typeof command === 'string' ? { command } : {}),
  }
}

/** Whether the server rejected this mail permanently, so that retrying can't help. A rejection of the
 * sender's address or of the login concerns our settings, which the operator may fix before the next
 * attempt. */
export function isPermanentRefusal(error: unknown): boolean {
  const { code, status, command } = smtpFailure(error)
  if (code !== 'EENVELOPE' && code !== 'EMESSAGE') return false
  if (status === undefined) return true
  return status >= 500 && command !== 'MAIL FROM'
}
