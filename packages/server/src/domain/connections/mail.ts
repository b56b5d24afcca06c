import { fail, invalid } from '../../errors.ts'
import { newId } from '../../ids.ts'
import { readSender } from '../mail/compose.ts'
import { checkMailServer } from '../mail/mailer.ts'
import { type MailInput, readMailInput } from './mail-fields.ts'
import { mailProblemOf } from './mail-problems.ts'
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
  await explainingMail(() => checkMailServer(smtpUrlOf(server), connections.staffMailHost))
  await connections.save('mail', { ...server, connected: ctx.realTime(), by: input.by })
}

export async function disconnectMail({ connections }: ConnectContext): Promise<void> {
  requireOwn(connections, 'mail')
  if (!connections.mail.stored) throw fail('not_connected')
  await connections.remove('mail')
}

/** Sends a mail immediately, so that the person who asked for it sees the server's response. */
export async function sendTestMail(ctx: ConnectContext, to: string): Promise<void> {
  const { smtpUrl, from } = ctx.connections.mail
  if (smtpUrl === undefined) throw fail('not_connected')
  if (await ctx.isOnHold()) throw fail('on_hold')
  const mailer = ctx.connections.tryMailer(smtpUrl)
  const sender = readSender(from)
  const domain = sender.address.split('@').at(-1)
  const mail = { id: `${newId()}@${domain}`, from: sender, to, ...TEST_MAIL(ctx.name) }
  const timeout = AbortSignal.timeout(TEST_TIMEOUT_MS)
  try {
    await explainingMail(() => mailer.send(mail, timeout), timeout)
  } finally {
    await mailer.close()
  }
}

/** Somebody waits for the result in front of a page. */
const TEST_TIMEOUT_MS = 25_000

async function explainingMail(work: () => Promise<void>, timeout?: AbortSignal): Promise<void> {
  try {
    await work()
  } catch (error) {
    const problem = timeout?.aborted ? 'timeout' : mailProblemOf(error)
    const [field, text] = MAIL_PROBLEM_TEXTS[problem]
    throw invalid(field, text, 'connection_failed')
  }
}
