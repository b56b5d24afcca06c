import { fail, invalid } from '../../errors.ts'
import { newId } from '../../ids.ts'
import { messageIdOf, readSender } from '../mail/compose.ts'
import { type ConnectionCount, checkMailServer, countConnections } from '../mail/server-check.ts'
import { type MailInput, readMailInput } from './mail-fields.ts'
import { mailProblemOf, statusOf } from './mail-problems.ts'
import { type ConnectContext, requireOwn } from './payments.ts'
import { smtpUrlOf } from './smtp-url.ts'
import { MAIL_PROBLEM_TEXTS, TEST_MAIL } from './texts.ts'

/** Signs in at the mail server and stores it, in place of the one before. Nothing is stored unless the server takes the
 * login. */
export async function connectMail(
  ctx: ConnectContext,
  input: MailInput & { by: string },
): Promise<void> {
  const { connections } = ctx
  requireOwn(connections, 'mail')
  const server = readMailInput(input, connections.mail.stored, connections.staffMailHost)
  const { staffMailHost: check, clientName } = connections
  const smtpUrl = smtpUrlOf(server)
  await explainingMail(smtpUrl, () => checkMailServer({ smtpUrl, check, clientName }))
  await connections.save('mail', { ...server, connected: ctx.realTime(), by: input.by })
}

export async function disconnectMail({ connections }: ConnectContext): Promise<void> {
  requireOwn(connections, 'mail')
  if (!connections.mail.stored) throw fail('not_connected')
  await connections.remove('mail')
}

/** Sends a mail immediately, so that the person who asked for it sees the server's response. Then counts how many
 * connections the server takes; undefined if it takes no further one now. */
export async function sendTestMail(
  ctx: ConnectContext,
  to: string,
): Promise<ConnectionCount | undefined> {
  const { mail, tryMailer, clientName, mailConnections } = ctx.connections
  const { smtpUrl, from, hostCheck: check } = mail
  if (smtpUrl === undefined) throw fail('not_connected')
  if (await ctx.isOnHold()) throw fail('on_hold')
  const mailer = tryMailer(smtpUrl)
  const sender = readSender(from)
  const letter = { id: messageIdOf(newId(), sender), from: sender, to, ...TEST_MAIL(ctx.name) }
  const timeout = AbortSignal.timeout(TEST_TIMEOUT_MS)
  try {
    await explainingMail(smtpUrl, () => mailer.send(letter, timeout), timeout)
  } finally {
    await mailer.close()
  }
  return await countConnections({ smtpUrl, check, clientName }, mailConnections).catch(
    () => undefined,
  )
}

/** Somebody waits for the result in front of a page. */
const TEST_TIMEOUT_MS = 25_000

async function explainingMail(
  smtpUrl: string,
  work: () => Promise<void>,
  timeout?: AbortSignal,
): Promise<void> {
  try {
    await work()
  } catch (error) {
    const hasLogin = new URL(smtpUrl).username !== ''
    const problem = timeout?.aborted ? 'timeout' : mailProblemOf(error, hasLogin)
    const [field, text] = MAIL_PROBLEM_TEXTS[problem]
    const status = field === 'host' && problem !== 'busy' ? undefined : statusOf(error)
    throw invalid(field, status ? `${text} (${status})` : text, 'connection_failed')
  }
}
