import type { Context, Environment } from '../../context.ts'
import type { Millis } from '../../db/tables.ts'
import type { Source } from '../../domain/connections/connections.ts'
import { isUnknownAuthority } from '../../domain/connections/mail-problems.ts'
import { countMails, findOldestWaiting } from '../../domain/mail/outbox.ts'
import { countConnections, describeShortage } from '../../domain/mail/server-check.ts'
import { busyServer } from '../../domain/mail/smtp-errors.ts'
import { countUnsentStaffMails, findLastFailedStaffMail } from '../../domain/staff/mails.ts'
import { formatTime } from '../../format-time.ts'
import { type Finding, failed, ok, warning } from './checks.ts'

export async function checkMail(env: Environment): Promise<Finding[]> {
  const check = `mail ${env.name}`
  const { mail } = env.connections
  const counts = await countMails(env.database.read)
  const findings = [
    mail.smtpUrl === undefined
      ? ok(check, `no mail server is set: emails are kept and not sent (${counts.kept} so far)`)
      : await tryServer(check, mail.smtpUrl, env),
  ]
  if (counts.dead > 0) {
    const todo =
      `list them with: gatehouse mail list --env ${env.name} --status dead; ` +
      `retry them with: gatehouse mail retry --all-dead --env ${env.name}`
    findings.push(warning(check, `${counts.dead} emails failed`, todo))
  }
  const waiting = assessWaiting(check, await findOldestWaiting(env.database.read), env.realTime())
  return waiting ? [...findings, waiting] : findings
}

/** Reports emails to staff that could not be delivered, with what the mail server said about the last one. */
export async function checkStaffMail({ control }: Context): Promise<Finding[]> {
  const check = 'mail to staff'
  const { dead } = await countUnsentStaffMails(control.read)
  if (dead === 0) return [ok(check, 'no undeliverable emails in the last 30 days')]
  const last = await findLastFailedStaffMail(control.read)
  const message = `${dead} emails failed in the last 30 days; the last error: ${last?.last_error ?? 'unknown'}`
  const todo =
    'check the mail server of production and the addresses in: gatehouse staff list; then create a new link with: ' +
    'gatehouse staff invite or gatehouse staff reset'
  return [warning(check, message, todo)]
}

async function tryServer(check: string, smtpUrl: string, env: Environment): Promise<Finding> {
  const { mail, clientName, mailConnections } = env.connections
  const { host } = new URL(smtpUrl)
  try {
    const server = { smtpUrl, check: mail.hostCheck, clientName }
    const count = await countConnections(server, mailConnections)
    const shortage = describeShortage(count)
    if (shortage === undefined) return ok(check, `${host} answers, on ${count.taken} connections`)
    const todo = `set GATEHOUSE_MAIL_CONNECTIONS=${count.taken}; while a service sends emails, its connections come on top`
    return warning(check, `${host} ${shortage}`, todo)
  } catch (error) {
    return unusable(check, smtpUrl, mail.source, error)
  }
}

function unusable(check: string, smtpUrl: string, source: Source, error: unknown): Finding {
  const { host, password } = new URL(smtpUrl)
  // A server's error message may repeat anything that we sent, including the password.
  const said = error instanceof Error ? error.message : String(error)
  const safe = password === '' ? said : said.replaceAll(decodeURIComponent(password), '…')
  if (busyServer(error)) {
    const todo =
      'see whether a running service uses all that it allows, and set GATEHOUSE_MAIL_CONNECTIONS to what your provider allows'
    return warning(check, `${host} takes no more connections now: ${safe}`, todo)
  }
  const variable = check.endsWith('sandbox') ? 'GATEHOUSE_SANDBOX_SMTP_URL' : 'GATEHOUSE_SMTP_URL'
  const setting = source === 'operator' ? variable : "the dashboard's settings"
  const authority = isUnknownAuthority(error)
    ? '; if the authority is your own, name the file with its certificate in NODE_EXTRA_CA_CERTS'
    : ''
  return failed(
    check,
    `${host} can't be used: ${safe}`,
    `fix the server, or ${setting}${authority}`,
  )
}

const LONG_WAIT_MS = 3600_000

function assessWaiting(
  check: string,
  oldest: Millis | undefined,
  realTime: Millis,
): Finding | undefined {
  if (oldest === undefined || realTime - oldest < LONG_WAIT_MS) return undefined
  const since = formatTime(Math.floor(oldest / 1000))
  return warning(
    check,
    `an email has been waiting since ${since}`,
    'make sure that the service runs (gatehouse serve), and see `last error` in: gatehouse mail list --status queued',
  )
}
