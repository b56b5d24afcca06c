import { FORBIDDEN_HOST } from '../mail/mail-hosts.ts'
import { smtpFailure } from '../mail/mailer.ts'

/** The problems with a mail server that are reported to staff. */
export type MailProblem =
  | 'host_not_found'
  | 'forbidden'
  | 'refused'
  | 'unreachable'
  | 'timeout'
  | 'tls_failed'
  | 'tls_missing'
  | 'not_smtp'
  | 'login_refused'
  | 'login_missing'
  | 'sender_refused'
  | 'recipient_refused'
  | 'message_refused'
  | 'broken_off'
  | 'other'

const BY_SYSTEM_CODE: Readonly<Record<string, MailProblem>> = {
  ENOTFOUND: 'host_not_found',
  EAI_AGAIN: 'host_not_found',
  ENODATA: 'host_not_found',
  ECONNREFUSED: 'refused',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  EACCES: 'unreachable',
  ECONNRESET: 'broken_off',
  EPIPE: 'broken_off',
  ETIMEDOUT: 'timeout',
}

const BY_CODE: Readonly<Record<string, MailProblem>> = {
  [FORBIDDEN_HOST]: 'forbidden',
  EDNS: 'host_not_found',
  ETIMEDOUT: 'timeout',
  ETLS: 'tls_failed',
  EREQUIRETLS: 'tls_missing',
  EPROTOCOL: 'not_smtp',
  EAUTH: 'login_refused',
  ENOAUTH: 'login_missing',
  ECONNECTION: 'broken_off',
  EMESSAGE: 'message_refused',
}

const NEEDS_LOGIN = [530, 535, 538]

/** Says what went wrong, from a fixed list: the server's own words may repeat the password, or an address. */
export function mailProblemOf(error: unknown): MailProblem {
  const { code = '', status, command } = smtpFailure(error)
  const { originalCode } = error as { originalCode?: unknown }
  const system = typeof originalCode === 'string' ? originalCode : code
  if (BY_SYSTEM_CODE[system]) return BY_SYSTEM_CODE[system]
  // The other side doesn't speak TLS, or something else. A wrong certificate has another code.
  if (system.startsWith('ERR_SSL_')) return 'not_smtp'
  if (code === 'ESOCKET' || code === 'ETLS')
    return isMissingTls(command) ? 'tls_missing' : 'tls_failed'
  if (code === 'EENVELOPE') return envelopeProblem(status, command)
  return BY_CODE[code] ?? 'other'
}

/** The server's answer to STARTTLS itself, and not a failure of the encryption after it. */
const isMissingTls = (command: string | undefined) => command === 'STARTTLS'

function envelopeProblem(status: number | undefined, command: string | undefined): MailProblem {
  if (status !== undefined && NEEDS_LOGIN.includes(status)) return 'login_missing'
  if (command === 'RCPT TO') return 'recipient_refused'
  return command === 'DATA' ? 'message_refused' : 'sender_refused'
}
