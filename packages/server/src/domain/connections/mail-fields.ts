import { isIP } from 'node:net'
import { invalid } from '../../errors.ts'
import * as fields from '../../fields.ts'
import { readField } from '../../parameters.ts'
import type { MailHostCheck } from '../mail/mail-hosts.ts'
import { sender as senderField } from '../mail/sender.ts'
import { MAIL_SECURITIES, type MailConnection } from './stored.ts'
import { MAIL_PROBLEM_TEXTS } from './texts.ts'

/** A mail server as somebody typed it. */
export interface MailInput {
  host: string
  port: number
  security: string
  user: string
  /** Undefined keeps the stored one, if the server and the user stay the same. */
  password: string | undefined
  sender: string
}

export type MailServerSettings = Omit<MailConnection, 'connected' | 'by'>

const LABEL = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?'
const HOST_NAME = new RegExp(`^(?=.{1,253}$)${LABEL}(?:\\.${LABEL})*$`)
const LOOPBACK = /^(localhost|127(?:\.\d{1,3}){3}|::1)$/

const hostField = ({ isAllowed }: MailHostCheck): fields.Field<string> => ({
  schema: fields.title.schema,
  read(text) {
    const host = text.toLowerCase().replace(/^\[(.*)\]$/, '$1')
    if (/^[a-z]+:\/\//.test(host)) return 'enter only the name, such as smtp.example.com'
    if (host.includes('@'))
      return 'enter the name of the server, such as smtp.example.com, not an email address'
    const isAddress = isIP(host) > 0
    // A name made of digits alone would be taken for an address in another notation.
    if (!isAddress && (!HOST_NAME.test(host) || /(^|\.)[0-9]+$/.test(host) || /^0x/.test(host))) {
      return 'must be a host name, such as smtp.example.com'
    }
    return isAddress && !isAllowed(host) ? MAIL_PROBLEM_TEXTS.forbidden[1] : { value: host }
  },
})

const credential = fields.text(500, 'A user name or a password.')

/** Reads what was typed. `stored` is the connection before, whose password may be kept. */
export function readMailInput(
  input: MailInput,
  stored: MailConnection | undefined,
  check: MailHostCheck,
): MailServerSettings {
  const host = readField('host', input.host.trim(), hostField(check))
  const port = readField('port', String(input.port), fields.integer(1, 65_535, 'A port.'))
  const security = readField('security', input.security, fields.oneOf(MAIL_SECURITIES))
  if (security === 'none' && !LOOPBACK.test(host)) {
    throw invalid(
      'security',
      'a server elsewhere needs TLS or STARTTLS; without it, anybody in between can read the emails',
    )
  }
  const user = input.user.trim() === '' ? null : readField('user', input.user.trim(), credential)
  const server = { host, port, security, user }
  const sender = readField('sender', input.sender.trim(), senderField)
  return { ...server, password: readPassword(input.password, server, stored), sender }
}

/** The stored password goes only to the server that it was entered for. Otherwise somebody could send it to a server of
 * their own, although nobody can see it. */
function readPassword(
  typed: string | undefined,
  { host, port, security, user }: Omit<MailServerSettings, 'password' | 'sender'>,
  stored: MailConnection | undefined,
): string | null {
  if (user === null) {
    if (typed) throw invalid('user', 'enter the user name that belongs to the password')
    return null
  }
  if (typed) return readField('password', typed, credential)
  const isSame =
    stored?.host === host &&
    stored.port === port &&
    stored.security === security &&
    stored.user === user
  if (isSame) return stored.password
  throw invalid(
    'password',
    stored ? 'enter the password again, because the server or the user has changed' : 'required',
  )
}

/** Returns the domain of a sender like `Example <access@example.com>`. */
export const domainOf = (sender: string) => sender.replace(/>$/, '').split('@').at(-1) ?? ''
