import type { MailConnection } from './stored.ts'

type Server = Pick<MailConnection, 'host' | 'port' | 'security' | 'user' | 'password'>

/** Writes a mail server as the operator would in GATEHOUSE_SMTP_URL. */
export function smtpUrlOf({ host, port, security, user, password }: Server): string {
  const login =
    user === null ? '' : `${encodeURIComponent(user)}:${encodeURIComponent(password ?? '')}@`
  const address = host.includes(':') ? `[${host}]` : host
  const protocol = security === 'tls' ? 'smtps' : 'smtp'
  return `${protocol}://${login}${address}:${port}${QUERY[security]}`
}

/** STARTTLS is required, even if someone in the middle claims that the server lacks it. */
const QUERY: Record<MailConnection['security'], string> = {
  tls: '',
  starttls: '?requireTLS=true',
  none: '?ignoreTLS=true',
}
