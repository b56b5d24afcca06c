import { FORBIDDEN_HOST } from '../mail/mail-hosts.ts'
import { NEEDS_TLS } from '../mail/server-check.ts'
import { busyServer, smtpFailure } from '../mail/smtp-errors.ts'

/** The problems with a mail server that are reported to staff. */
export type MailProblem =
  | 'host_not_found'
  | 'forbidden'
  | 'refused'
  | 'unreachable'
  | 'timeout'
  | 'busy'
  | 'needs_tls'
  | 'tls_failed'
  | 'unknown_authority'
  | 'tls_missing'
  | 'not_smtp'
  | 'login_refused'
  | 'login_missing'
  | 'login_advised'
  | 'sender_refused'
  | 'recipient_refused'
  | 'message_refused'
  | 'put_off'
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
  [NEEDS_TLS]: 'needs_tls',
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
export function mailProblemOf(error: unknown, hasLogin: boolean): MailProblem {
  const { code = '', command } = smtpFailure(error)
  if (busyServer(error)) return 'busy'
  if (isUnknownAuthority(error)) return 'unknown_authority'
  const { originalCode } = error as { originalCode?: unknown }
  const system = typeof originalCode === 'string' ? originalCode : code
  if (BY_SYSTEM_CODE[system]) return BY_SYSTEM_CODE[system]
  // The other side doesn't speak TLS, or something else. A wrong certificate has another code.
  if (system.startsWith('ERR_SSL_')) return 'not_smtp'
  if (code === 'ESOCKET' || code === 'ETLS')
    return isMissingTls(command) ? 'tls_missing' : 'tls_failed'
  if (code === 'EENVELOPE') return hasLogin ? envelopeProblem(error) : withoutLogin(error)
  return BY_CODE[code] ?? 'other'
}

/** The server's answer to STARTTLS itself, and not a failure of the encryption after it. */
const isMissingTls = (command: string | undefined) => command === 'STARTTLS'

/** A certificate of a private authority, or of none. The library gives only the words of the encryption. */
export const isUnknownAuthority = (error: unknown) =>
  /self-signed certificate|unable to (get (local )?issuer|verify the first) certificate/.test(
    error instanceof Error ? error.message : '',
  )

/** Without a login, a server that refuses a recipient may do so because it wants one: status 554 and codes from 5.7 are
 * about rights, 5.1 about the address. Postfix puts off what it may not relay (454). */
function withoutLogin(error: unknown): MailProblem {
  const { response = '' } = error as { response?: string }
  const isAboutRights = /^554|^5\d{2}[ -]5\.7\.|relay|authenticat/i.test(response)
  const isRecipient = smtpFailure(error).command === 'RCPT TO'
  return isRecipient && isAboutRights ? 'login_advised' : envelopeProblem(error)
}

/** The status of the server's answer, and its more exact code, such as `554 5.7.1`. */
export function statusOf(error: unknown): string | undefined {
  const { response } = error as { response?: unknown }
  if (typeof response !== 'string') return undefined
  return /^[2-5]\d{2}([ -][245]\.\d{1,3}\.\d{1,3}\b)?/.exec(response)?.[0]?.replace('-', ' ')
}

function envelopeProblem(error: unknown): MailProblem {
  const { status, command } = smtpFailure(error)
  if (status !== undefined && status < 500) return 'put_off'
  if (status !== undefined && NEEDS_LOGIN.includes(status)) return 'login_missing'
  if (command === 'RCPT TO') return 'recipient_refused'
  return command === 'DATA' ? 'message_refused' : 'sender_refused'
}
