import { findRow } from '../../db/queries/rows.ts'
import type { Millis, NotificationKind } from '../../db/tables.ts'
import { getApplication } from '../apps/applications.ts'
import { createFormats } from '../brand/formats.ts'
import { messageIdOf, readSender } from '../mail/compose.ts'
import type { OutgoingMail } from '../mail/mailer.ts'
import { findOpenLink } from '../staff/find-link.ts'
import { createForgottenLink } from '../staff/forgotten.ts'
import { dashboardAddress, linkAddress } from '../staff/link-addresses.ts'
import { type StaffMailRow, tokenOfMail } from '../staff/mails.ts'
import { getStaff, type Role, type StaffMember, toStaffMember } from '../staff/staff.ts'
import { digestOf } from '../staff/tokens.ts'
import { readChoices } from './choices.ts'
import type { AboutApplication } from './contents.ts'
import { digestContent, noticeContent, whyText } from './contents.ts'
import type { NotificationContext } from './context.ts'
import { renderStaffMail } from './render.ts'
import { composeSecurityMail } from './security.ts'
import { notificationTexts } from './texts.ts'
import { createUnsubscribeToken } from './unsubscribe.ts'

type Composed = Pick<OutgoingMail, 'to' | 'subject' | 'text' | 'html' | 'unsubscribeUrl'>

/** Builds an email to be sent. Returns undefined if nobody is to get it any more: its link is void, or the member was
 * disabled or no longer wants it. */
export async function composeStaffMail(
  ctx: NotificationContext,
  mail: StaffMailRow,
  now: Millis,
): Promise<OutgoingMail | undefined> {
  const composed = await composeByKind(ctx, mail, now)
  if (!composed) return undefined
  const from = readSender(ctx.environments.production.mailFrom)
  return { id: messageIdOf(`${mail.id}.staff`, from), from, ...composed }
}

async function composeByKind(
  ctx: NotificationContext,
  mail: StaffMailRow,
  now: Millis,
): Promise<Composed | undefined> {
  switch (mail.kind) {
    case 'invite':
    case 'reset':
    case 'forgot':
      return await composeLinkMail(ctx, mail, now)
    case 'security':
      return await composeSecurityMail(ctx, mail)
    default:
      return await composeNotification(ctx, mail, mail.kind)
  }
}

interface LinkOfMail {
  email: string
  role: Role
  /** The owner who made it; null for the command line, and for somebody who has asked for it. */
  made_by: string | null
  token: string
  ends_at: Millis
}

async function findLinkOfMail(
  ctx: NotificationContext,
  mail: StaffMailRow,
  now: Millis,
): Promise<LinkOfMail | undefined> {
  const secret = await ctx.staffSecret()
  if (mail.kind === 'forgot') {
    const made = await createForgottenLink(ctx.control, secret, mail, now)
    return made && { ...made, ...made.staff, made_by: null }
  }
  const token = tokenOfMail(secret, mail.id)
  // The secret may have been lost and made anew since.
  if (digestOf(token) !== mail.link_digest) return undefined
  const link = await findOpenLink(ctx.control.read, mail.link_digest, now)
  return link && link.email !== null ? { ...link, email: link.email, token } : undefined
}

async function composeLinkMail(
  ctx: NotificationContext,
  mail: StaffMailRow,
  now: Millis,
): Promise<Composed | undefined> {
  const link = await findLinkOfMail(ctx, mail, now)
  if (!link) return undefined
  const { links, product, footer } = notificationTexts()
  const { host } = new URL(dashboardAddress(ctx))
  const kind = mail.kind as 'invite' | 'reset' | 'forgot'
  const { subject, heading, button } = links[kind]
  const by = link.made_by === null ? undefined : await getStaff(ctx.control.read, link.made_by)
  const text =
    kind === 'invite' ? links.invite.text(link.role, host, by?.name) : links[kind].text(host)
  const page = kind === 'invite' ? ('invite' as const) : ('reset' as const)
  const until = createFormats('UTC').moment(Math.floor(link.ends_at / 1000))
  const rendered = renderStaffMail({
    ...{ name: product, subject, heading, paragraphs: text, facts: [] },
    button: { url: linkAddress(ctx, { kind: page, token: link.token }), label: button },
    notes: [links.once(until)],
    footer: [[{ text: footer.sentBy(host) }]],
  })
  return { to: link.email, ...rendered }
}

async function composeNotification(
  ctx: NotificationContext,
  mail: StaffMailRow,
  kind: NotificationKind,
): Promise<Composed | undefined> {
  const { aid } = mail
  const member = await findRow(ctx.control.read, 'staff', { id: mail.staff_id ?? '' })
  const application = await findRow(ctx.control.read, 'aids', { aid: aid ?? '' })
  if (!member || member.disabled_at !== null || !application || aid === null) return undefined
  const { environment } = application
  const choices = await readChoices(ctx.control.read, member, [{ environment, aid }])
  if (!choices.get(aid)?.[kind]) return undefined
  const about = await describeApplication(ctx, environment, aid)
  if (!about) return undefined
  const payload = JSON.parse(mail.payload)
  const content =
    kind === 'digest' ? digestContent(payload, about) : noticeContent(kind, payload, about)
  const { choose } = notificationTexts().footer
  const settings = `${dashboardAddress(ctx)}account/notifications`
  const rendered = renderStaffMail({
    ...content,
    name: about.name,
    notes: [],
    footer: [[{ text: whyText(kind) }], [{ text: choose, url: settings }]],
  })
  const unsubscribeUrl = await unsubscribeUrlOf(ctx, toStaffMember(member), aid, kind)
  return { to: member.email, ...rendered, unsubscribeUrl }
}

async function describeApplication(
  ctx: NotificationContext,
  environment: string,
  aid: string,
): Promise<AboutApplication | undefined> {
  const env = environment === 'sandbox' ? ctx.environments.sandbox : ctx.environments.production
  const { name, time_zone, archived } = await getApplication(env.database.read, aid)
  if (archived !== null) return undefined
  return {
    name,
    isSandbox: environment === 'sandbox',
    formats: createFormats(time_zone),
    page: (path) => `${dashboardAddress(ctx)}${environment}/${aid}/${path}`,
  }
}

/** Mail programs unsubscribe over https only. Elsewhere, the link below the email leads to the page. */
async function unsubscribeUrlOf(
  ctx: NotificationContext,
  { id: staffId }: StaffMember,
  aid: string,
  kind: NotificationKind,
): Promise<string | undefined> {
  const dashboard = dashboardAddress(ctx)
  if (!dashboard.startsWith('https:')) return undefined
  const token = createUnsubscribeToken(await ctx.staffSecret(), { staffId, aid, kind })
  return `${dashboard}unsubscribe/${token}`
}
