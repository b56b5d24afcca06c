import { findRow } from '../../db/queries/rows.ts'
import { createFormats } from '../brand/formats.ts'
import type { OutgoingMail } from '../mail/mailer.ts'
import { dashboardAddress } from '../staff/link-addresses.ts'
import type { StaffMailRow } from '../staff/mails.ts'
import type { SecurityPayload } from '../staff/security-mails.ts'
import type { NotificationContext } from './context.ts'
import { renderStaffMail } from './render.ts'
import { securityTexts } from './security-texts.ts'
import { notificationTexts } from './texts.ts'

/** Builds an email about the security of a member's account. Returns undefined if the member was disabled. */
export async function composeSecurityMail(
  ctx: NotificationContext,
  mail: StaffMailRow,
): Promise<Pick<OutgoingMail, 'to' | 'subject' | 'text' | 'html'> | undefined> {
  const member = await findRow(ctx.control.read, 'staff', { id: mail.staff_id ?? '' })
  if (!member || member.disabled_at !== null) return undefined
  const { event, address } = JSON.parse(mail.payload) as SecurityPayload
  const texts = securityTexts()
  const { product, footer } = notificationTexts()
  const dashboard = dashboardAddress(ctx)
  const { host } = new URL(dashboard)
  const { subject, heading, text } = texts.events[event]
  const at = createFormats('UTC').moment(Math.floor(mail.created_at / 1000))
  const rendered = renderStaffMail({
    ...{ name: product, subject, heading, paragraphs: [text(host), texts.ifNotYou] },
    facts: [
      { label: texts.time, lines: [at] },
      { label: texts.from, lines: [address ?? texts.commandLine] },
    ],
    button: { url: `${dashboard}account`, label: texts.open },
    notes: [],
    footer: [[{ text: texts.why }], [{ text: footer.sentBy(host) }]],
  })
  return { to: member.email, ...rendered }
}
