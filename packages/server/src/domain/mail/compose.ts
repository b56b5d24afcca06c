import type { ApplicationTable, Seconds } from '../../db/tables.ts'
import type { RenderedMail } from './html.ts'
import { renderLayout } from './layout.ts'
import type { OutgoingMail } from './mailer.ts'
import type { MailRow } from './outbox.ts'
import { paymentMailLayout } from './payment-mails.ts'
import { oneLine } from './plain-text.ts'
import { type Message, readMessage, Unsendable } from './read-payload.ts'
import { DEFAULT_TEMPLATE, renderMail } from './template.ts'

type Sender = Pick<ApplicationTable, 'name' | 'mail_from' | 'mail_template' | 'archived'>

/** Creates the URL of the page where the reader manages the subscription. It works like a password, so it is
 * created for the outgoing mail and never stored. */
export type ManageLink = (subscriptionId: string) => Promise<string>

/** Builds the mail to be sent. */
export async function composeMail(
  mail: MailRow,
  app: Sender,
  mailFrom: string,
  now: Seconds,
  manageLink: ManageLink,
): Promise<OutgoingMail> {
  if (app.archived !== null) throw new Unsendable('its application is archived')
  if (!isPlainAddress(mail.recipient)) throw new Unsendable('it has no address to go to')
  const message = readMessage(mail)
  const from = readSender(app.mail_from ?? mailFrom)
  return {
    // Depends only on the row, because the sender may change between two attempts.
    id: `${mail.id}@${mail.aid}.gatehouse`,
    from,
    to: mail.recipient,
    ...(await render(message, app, now, manageLink)),
  }
}

/** Grant mails use the application's template, payment mails our own text. */
async function render(
  message: Message,
  app: Sender,
  now: Seconds,
  manageLink: ManageLink,
): Promise<RenderedMail> {
  if (message.kind === 'grant') {
    return renderMail(app.mail_template ?? DEFAULT_TEMPLATE, app.name, message.payload, now)
  }
  const { payload } = message
  const subscription = 'subscription' in payload ? payload.subscription : null
  const manage = subscription === null ? '' : await manageLink(subscription)
  return renderLayout(paymentMailLayout(message, app.name, manage))
}

/** Exactly one address: nothing that could be parsed as a list or a display name. */
const PLAIN_ADDRESS = /^[^\s\p{C}"(),:;<>@[\]\\]+@[^\s\p{C}"(),:;<>@[\]\\]+$/u
const isPlainAddress = (text: string) => PLAIN_ADDRESS.test(text)

/** Parses `address` or `Name <address>`. */
export function readSender(from: string): OutgoingMail['from'] {
  const named = /^([^<>]*)<([^<>]*)>$/u.exec(from.trim())
  const [name, address] = named ? [named[1] ?? '', named[2] ?? ''] : ['', from.trim()]
  if (!isPlainAddress(address)) throw new Unsendable('its sender is not an e-mail address')
  return { name: oneLine(name.trim().replace(/^"(.*)"$/, '$1')), address }
}
