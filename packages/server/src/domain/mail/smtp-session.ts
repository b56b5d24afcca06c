import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { MimeNodeEnvelope } from 'nodemailer/lib/mime-node'
import { parseConnectionUrl } from 'nodemailer/lib/shared'
import SMTPConnection from 'nodemailer/lib/smtp-connection'
import { connectToMailServer, type MailHostCheck } from './mail-hosts.ts'
import { isConnectionLoss, isRefusalOfMail, notConnected } from './smtp-errors.ts'

/** How to reach a mail server. */
export interface MailServerAddress {
  smtpUrl: string
  check: MailHostCheck
  /** What this machine calls itself (EHLO). Without it, the library takes the name of the machine. */
  clientName?: string | undefined
}

/** One connection to a mail server, signed in. It sends one mail at a time. */
export interface SmtpSession {
  /** Whether it can send another mail. */
  readonly isUsable: boolean
  /** Resolves when the server has accepted the mail. Throws `SessionLost` if it can go over another connection. */
  send(envelope: MimeNodeEnvelope, message: Buffer): Promise<void>
  /** Closes the connection in the middle of whatever it does. */
  close(): void
  /** Takes leave of the server. Resolves when the server has closed the connection, or after a second. */
  quit(): Promise<void>
}

/** The server had closed an idle connection. Not a byte of the mail was sent. */
export class SessionLost extends Error {}

const CONNECT_TIMEOUT_MS = 10_000
/** Servers that greet slowly on purpose, against spam, take up to half of this. */
const GREETING_TIMEOUT_MS = 20_000
const SOCKET_TIMEOUT_MS = 20_000
const QUIT_TIMEOUT_MS = 1_000

/** How many mails go over one connection. */
const MAX_MESSAGES = 100

const LOOPBACK = /^(localhost|127\.[\d.]+|\[?::1\]?)$/

type Server = ReturnType<typeof parseConnectionUrl>

/** Connects, encrypts and signs in. Until then, `signal` ends it. */
export async function openSession(
  { smtpUrl, check, clientName }: MailServerAddress,
  signal?: AbortSignal,
): Promise<SmtpSession> {
  const server = parseConnectionUrl(smtpUrl)
  let connection: SMTPConnection | undefined
  const abort = () => connection?.close()
  signal?.addEventListener('abort', abort)
  try {
    const socket = await openSocket(server, check, signal)
    const closed = new Promise((resolve) => socket.once('close', resolve))
    connection = createConnection(server, socket, clientName)
    await runStep(connection, (done) => connection?.connect(done))
    const offersUtf8 = /^250[ -]SMTPUTF8\b/im.test(connection.lastServerResponse || '')
    await signIn(connection, server)
    return createSession(connection, { offersUtf8, closed })
  } catch (error) {
    connection?.close()
    throw notConnected(error)
  } finally {
    signal?.removeEventListener('abort', abort)
  }
}

async function openSocket(
  { host = 'localhost', port, secure }: Server,
  check: MailHostCheck,
  signal: AbortSignal | undefined,
): Promise<Socket> {
  const ownPort = port ?? (secure ? 465 : 587)
  const timeoutMs = CONNECT_TIMEOUT_MS
  return await connectToMailServer(host, ownPort, { check, timeoutMs, signal })
}

/** The library encrypts the socket, with the name of the host. */
function createConnection(
  server: Server,
  socket: Socket,
  clientName: string | undefined,
): SMTPConnection {
  const connection = new SMTPConnection({
    // A password is sent only over TLS, even if someone in the middle claims that the server lacks it.
    requireTLS: server.auth !== undefined && !LOOPBACK.test(server.host ?? 'localhost'),
    ...server,
    ...(clientName === undefined ? {} : { name: clientName }),
    connection: socket,
    connectionTimeout: GREETING_TIMEOUT_MS,
    greetingTimeout: GREETING_TIMEOUT_MS,
    socketTimeout: SOCKET_TIMEOUT_MS,
    // The log would contain addresses.
    logger: false,
  })
  // An idle connection that breaks is noticed by its `end`.
  connection.on('error', () => {})
  return connection
}

async function signIn(connection: SMTPConnection, { auth, authMethod }: Server): Promise<void> {
  if (auth === undefined || !connection.allowsAuth) return
  const credentials = { user: auth.user, pass: auth.pass }
  const method = typeof authMethod === 'string' ? authMethod : false
  await runStep(connection, (done) =>
    connection.login({ user: auth.user, credentials, method }, done),
  )
}

/** Runs one step of a session. If the connection ends, the library may never call back. */
async function runStep(
  connection: SMTPConnection,
  run: (done: (error?: Error | null) => void) => void,
): Promise<void> {
  let onError = (_error: Error) => {}
  let onEnd = () => {}
  const step = new Promise<void>((resolve, reject) => {
    onError = reject
    // The reason may follow in the same turn.
    onEnd = () => void setImmediate(() => reject(connectionClosed()))
    connection.once('error', onError)
    connection.once('end', onEnd)
    run((error) => (error ? reject(error) : resolve()))
  })
  try {
    await step
  } finally {
    connection.off('error', onError)
    connection.off('end', onEnd)
  }
}

const connectionClosed = () =>
  Object.assign(new Error('the connection was closed'), { code: 'ECONNECTION' })

function createSession(
  connection: SMTPConnection,
  { offersUtf8, closed }: { offersUtf8: boolean; closed: Promise<unknown> },
): SmtpSession {
  let messages = 0
  return {
    get isUsable() {
      return !connection.destroyed && messages < MAX_MESSAGES
    },
    async send(envelope, message) {
      if (!offersUtf8) requireAscii(envelope)
      const isReused = messages > 0
      messages++
      const body = Readable.from([message])
      try {
        await runStep(connection, (done) => connection.send(envelope, body, done))
      } catch (error) {
        const isUntouched = isReused && !body.readableDidRead
        await recover(connection, error)
        throw isUntouched && isConnectionLoss(error) ? new SessionLost() : error
      }
    },
    close: () => connection.close(),
    async quit() {
      if (!connection.destroyed) connection.quit()
      const isOver = new AbortController()
      const timeout = sleep(QUIT_TIMEOUT_MS, undefined, { ref: false, signal: isOver.signal })
      await Promise.race([closed, timeout.catch(() => {})])
      isOver.abort()
      connection.close()
    },
  }
}

/** Makes the connection ready for another mail if the server refused only this one, and else closes it. */
async function recover(connection: SMTPConnection, error: unknown): Promise<void> {
  if (!isRefusalOfMail(error) || isConnectionLoss(error)) return connection.close()
  await runStep(connection, (done) => connection.reset(done)).catch(() => connection.close())
}

/** A server without SMTPUTF8 may mangle such an address. The domain is in ASCII already. */
function requireAscii({ to }: MimeNodeEnvelope): void {
  if (to.every((address) => /^\p{ASCII}*$/u.test(address))) return
  throw Object.assign(new Error("the mail server can't send to this address"), {
    code: 'EENVELOPE',
    command: 'RCPT TO',
  })
}
