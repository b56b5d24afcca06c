import { type Command, Option } from 'commander'
import { type Context, ENVIRONMENTS, type Environment } from '../../context.ts'
import { findApplicationOf } from '../../db/find-application.ts'
import type { MailStatus } from '../../db/tables.ts'
import { getApplication } from '../../domain/apps/applications.ts'
import { createDisplayLinks } from '../../domain/downloads/mail-links.ts'
import { composeMail } from '../../domain/mail/compose.ts'
import { findMail, listMails, type MailRow } from '../../domain/mail/outbox.ts'
import { Unsendable } from '../../domain/mail/read-payload.ts'
import { resendFailedToReaders, resendToReader } from '../../domain/people/resend.ts'
import { fail, OperatorError } from '../../errors.ts'
import { formatTime } from '../../format-time.ts'
import { mailDetails } from '../../records/mail.ts'
import { addMailConnectionCommands } from '../connections/mail-commands.ts'
import {
  ACTOR,
  listScopedApplications,
  listScopedEnvironments,
  type Scope,
  withContext,
} from '../context.ts'
import { addList, fieldColumns } from '../list.ts'
import { aidOption, envOption } from '../options.ts'
import { formatRecord, type Output, print } from '../output.ts'

const STATUSES: readonly MailStatus[] = ['queued', 'sending', 'sent', 'dead', 'kept']

export function addMailCommands(program: Command): void {
  const mail = program
    .command('mail')
    .description('show and resend emails, and connect a mail server')

  addList(mail, 'list', {
    description: 'list emails, newest first',
    filters: [
      aidOption(),
      envOption(),
      new Option('--status <status>', 'only this status').choices([...STATUSES]),
    ],
    limit: 100,
    find: findMails,
    columns: {
      ...fieldColumns<View>('id', 'environment', 'aid', 'kind', 'to', 'status', 'attempts'),
      created: (one) => formatTime(one.created),
      'last error': (one) => one.last_error,
    },
    none: 'No emails.',
  })

  mail
    .command('show')
    .argument('<id>')
    .description('show one email as its reader gets it')
    .addOption(new Option('--html', 'print only its HTML part').conflicts('json'))
    .action((id, options) => withContext((ctx) => show(ctx, id, options)))

  mail
    .command('retry')
    .argument('[id]')
    .description('send an email that was not sent, now and with all retries')
    .option('--all-dead', 'all failed emails, instead of one')
    .addOption(aidOption('with --all-dead: only of this application'))
    .addOption(envOption('with --all-dead: only of production or sandbox'))
    .action((id, options) => withContext((ctx) => retry(ctx, id, options)))

  addMailConnectionCommands(mail)
}

function toView(env: Environment, mail: MailRow) {
  const { id, ...details } = mailDetails(mail, env.clockOffset())
  return { id, environment: env.name, ...details }
}

type View = ReturnType<typeof toView>

interface ListOptions extends Output, Scope {
  status?: MailStatus
  limit: number
}

async function findMails(ctx: Context, options: ListOptions): Promise<View[]> {
  const { aid, status, limit } = options
  const found: View[] = []
  for (const env of await listScopedEnvironments(ctx, options)) {
    const filter = {
      limit,
      ...(aid === undefined ? {} : { aid }),
      ...(status === undefined ? {} : { status }),
    }
    for (const row of await listMails(env.database.read, filter)) found.push(toView(env, row))
  }
  return found.sort((a, b) => b.created - a.created).slice(0, limit)
}

/** Searches both environments, since the id doesn't say which one the mail belongs to. */
async function getMail(ctx: Context, id: string): Promise<{ env: Environment; mail: MailRow }> {
  for (const name of ENVIRONMENTS) {
    const env = ctx.environments[name]
    const aid = await findApplicationOf(env.database.read, 'outbox', id)
    const mail = aid === undefined ? undefined : await findMail(env.database.read, aid, id)
    if (mail) return { env, mail }
  }
  throw fail('mail_not_found', `There is no email with the id ${id}.`)
}

async function show(ctx: Context, id: string, options: Output & { html?: boolean }): Promise<void> {
  const { env, mail } = await getMail(ctx, id)
  const { from, subject, text, html } = await renderStoredMail(env, mail)
  const sender = from.name === '' ? from.address : `${from.name} <${from.address}>`
  const { to, ...about } = toView(env, mail)
  const data = { ...about, from: sender, to, subject, text, html }
  print(options, data, () => {
    if (options.html) return html
    const times = { created: formatTime(data.created) }
    return `${formatRecord({ ...about, ...times, from: sender, to, subject })}\n\n${text.trimEnd()}`
  })
}

/** Renders a mail from its row, with its application's current settings and template. */
async function renderStoredMail(env: Environment, mail: MailRow) {
  const app = await getApplication(env.database.read, mail.aid)
  await env.refreshClock()
  const now = mail.sent === null ? env.clock() : Math.floor(mail.sent / 1000) + mail.clock_offset
  // Working ones would be handed out without an audit entry; `subscription link` and `download page` have one.
  const links = createDisplayLinks(env, mail)
  try {
    const sender = { ...app, archived: null }
    return await composeMail(mail, sender, env.mailFrom, now, links)
  } catch (error) {
    if (error instanceof Unsendable)
      throw new OperatorError(`the email ${mail.id} can't be shown: ${error.message}`)
    throw error
  }
}

function requireServer(env: Environment): void {
  if (env.mailer) return
  throw new OperatorError(
    `no mail server is set for ${env.name}; connect one with: gatehouse mail connect --env ${env.name}`,
  )
}

async function retry(
  ctx: Context,
  id: string | undefined,
  options: Output & Scope & { allDead?: boolean },
): Promise<void> {
  if ((id === undefined) !== (options.allDead === true)) {
    throw new OperatorError('pass the id of one email, or --all-dead for all failed ones')
  }
  if (id === undefined) return await retryAll(ctx, options)
  if (options.env !== undefined || options.aid !== undefined) {
    throw new OperatorError('--env and --aid can be used only with --all-dead')
  }
  const { env, mail } = await getMail(ctx, id)
  if (mail.status === 'sent' || mail.status === 'sending') {
    const state = mail.status === 'sent' ? 'was already sent' : 'is being sent right now'
    throw new OperatorError(`the email ${id} ${state}`)
  }
  requireServer(env)
  const { delivery } = env
  const input = {
    aid: mail.aid,
    id,
    delivery,
    actor: ACTOR,
    now: env.clock(),
    realTime: env.realTime(),
  }
  const queued = await env.database.write((trx) => resendToReader(trx, input))
  const told = `Queued ${id} to ${queued.recipient}. A running service sends it now.`
  print(options, toView(env, queued), () => told)
}

async function retryAll(ctx: Context, options: Output & Scope): Promise<void> {
  let count = 0
  for (const [env, aid] of await listScopedApplications(ctx, options)) {
    const [dead] = await listMails(env.database.read, { aid, status: 'dead', limit: 1 })
    if (!dead) continue
    requireServer(env)
    count += await env.database.write((trx) => resendFailedToReaders(trx, aid, env.realTime()))
  }
  print(options, { queued: count }, () => `Queued ${count}. A running service sends them now.`)
}
