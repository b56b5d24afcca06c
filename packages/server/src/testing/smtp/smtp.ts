import { text } from 'node:stream/consumers'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from 'smtp-server'
import { listenLocally } from '../http/local-listener.ts'

/** The steps of an SMTP session that can fail. `taken` comes right after the 250. */
export type Step = 'connect' | 'sender' | 'recipient' | 'data' | 'taken'

/** An SMTP status, no response at all, or a dropped connection. */
export type Fault = number | 'stall' | 'drop'

export interface ReceivedMail {
  sender: string
  recipients: string[]
  /** The message as it was transmitted. */
  raw: string
  mail: Email
  /** What the client called itself. */
  client: string
  /** Whether it came over TLS. */
  secure: boolean
  /** A time of `performance.now()`. */
  at: number
}

/** A real SMTP server that fails on demand. */
export interface TestSmtp {
  url: string
  port: number
  /** Mails that were answered with 250. */
  mails: ReceivedMail[]
  /** Mails that arrived completely but got no 250. */
  unanswered: ReceivedMail[]
  /** How many connections there were so far. */
  connections: number
  /** The number of open connections. */
  readonly open: number
  /** How many connections it takes at once; others get 421 instead of a greeting, as Postfix and Exim do. */
  limit: number
  /** How long it waits before its greeting. */
  greetAfterMs: number
  /** How many connections were refused because of `limit`. */
  refused: number
  logins: { user: string; password: string; secure: boolean }[]
  /** Returns what goes wrong, if anything; `mail` lists the recipients, except for the first two
   * steps. */
  fault: (step: Step, mail: string) => Fault | undefined
  /** Runs when a mail has arrived, before its 250. */
  beforeAccepting: () => Promise<void>
  /** The mails to one address. */
  mailsTo(address: string): ReceivedMail[]
  /** Closes all connections, but accepts new ones. */
  dropConnections(): Promise<void>
  /** Closes all connections and accepts no new ones until `accept`. */
  refuse(): Promise<void>
  accept(): Promise<void>
  stop(): Promise<void>
}

/** The message names the recipient, as many servers do. */
const failure = (status: number, about: string) =>
  Object.assign(new Error(`<${about}>: not with us`), { responseCode: status })

const TOO_MANY = Object.assign(new Error('4.7.0 too many connections'), { responseCode: 421 })

type Drop = (session: SMTPServerSession) => void

/** Creates the handlers of the server's steps. Each asks `smtp` for its current settings when it runs. */
function handlersOf(smtp: () => TestSmtp, drop: Drop): SMTPServerOptions {
  /** The sessions that count against the limit. */
  const taken = new Set<string>()

  /** Applies the fault for this step, if any; returns whether there was one. */
  function applyFault(
    step: Step,
    session: SMTPServerSession,
    about: string,
    answer: (error: Error) => void,
  ): boolean {
    const fault = smtp().fault(step, about)
    if (fault === 'drop') drop(session)
    if (typeof fault === 'number') answer(failure(fault, about))
    return fault !== undefined
  }

  return {
    onConnect(session, callback) {
      smtp().connections++
      const isTaken = taken.size < smtp().limit
      if (isTaken) taken.add(session.id)
      else smtp().refused++
      const greet = () => {
        if (!isTaken) return callback(TOO_MANY)
        if (!applyFault('connect', session, '', callback)) callback()
      }
      if (smtp().greetAfterMs > 0) setTimeout(greet, smtp().greetAfterMs)
      else greet()
    },
    onClose(session) {
      taken.delete(session.id)
    },
    onAuth({ username = '', password }, session, callback) {
      smtp().logins.push({ user: username, password: password ?? '', secure: session.secure })
      callback(null, { user: username })
    },
    onMailFrom({ address }, session, callback) {
      if (!applyFault('sender', session, address, callback)) callback()
    },
    onRcptTo({ address }, session, callback) {
      if (!applyFault('recipient', session, address, callback)) callback()
    },
    async onData(stream, session, callback) {
      const raw = await text(stream).catch(() => undefined)
      // The client disconnected before the mail was complete.
      if (raw === undefined) return
      const received = await receive(raw, session)
      const about = received.recipients.join()
      if (applyFault('data', session, about, callback)) {
        smtp().unanswered.push(received)
        return
      }
      await smtp().beforeAccepting()
      smtp().mails.push(received)
      callback()
      applyFault('taken', session, about, () => {})
    },
  }
}

export async function startSmtp(options: SMTPServerOptions = {}): Promise<TestSmtp> {
  const hasTls = options.secure || options.disabledCommands !== undefined
  const drop: Drop = ({ remotePort }) => {
    for (const socket of sockets) if (socket.remotePort === remotePort) socket.destroy()
  }
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    authOptional: true,
    allowInsecureAuth: true,
    disableReverseLookup: true,
    logger: false,
    closeTimeout: 100,
    ...handlersOf(() => smtp, drop),
    ...options,
  })
  server.on('error', () => {})
  const { port, sockets, refuse, accept } = await listenLocally(server.server)
  const smtp: TestSmtp = {
    url: `${options.secure ? 'smtps' : 'smtp'}://127.0.0.1:${port}`,
    port,
    mails: [],
    unanswered: [],
    connections: 0,
    get open() {
      return sockets.size
    },
    beforeAccepting: async () => {},
    logins: [],
    limit: Number.POSITIVE_INFINITY,
    greetAfterMs: 0,
    refused: 0,
    fault: () => undefined,
    mailsTo: (address) => smtp.mails.filter((one) => one.recipients.includes(address)),
    async dropConnections() {
      await refuse()
      await accept()
    },
    refuse,
    accept,
    // Node crashes when the socket below a TLS connection is destroyed.
    stop: () => (hasTls ? new Promise((resolve) => server.close(() => resolve())) : refuse()),
  }
  return smtp
}

async function receive(raw: string, session: SMTPServerSession): Promise<ReceivedMail> {
  const { mailFrom, rcptTo } = session.envelope
  return {
    sender: mailFrom ? mailFrom.address : '',
    recipients: rcptTo.map((one) => one.address),
    raw,
    mail: await PostalMime.parse(raw),
    client: session.hostNameAppearsAs || '',
    secure: session.secure,
    at: performance.now(),
  }
}
