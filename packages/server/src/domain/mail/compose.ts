import { domainToASCII } from 'node:url'
import type { ApplicationTable, Seconds } from '../../db/tables.ts'
import { type BrandColumns, brandOf } from '../brand/brand.ts'
import { createFormats } from '../brand/formats.ts'
import { addressChangedContent } from './content/address-mail.ts'
import type { MailSetting } from './content/content.ts'
import { grantContent } from './content/grant-mail.ts'
import { paymentContent } from './content/payment-mails.ts'
import { footerOf } from './footer.ts'
import type { LinkedFile, RenderedMail } from './html.ts'
import type { OutgoingMail } from './mailer.ts'
import type { MailRow } from './outbox.ts'
import { oneLine } from './plain-text.ts'
import { type Message, readMessage, Unsendable } from './read-payload.ts'
import { type MailContent, renderTemplate } from './template.ts'
import { readTemplates, type TemplateKind } from './template-kinds.ts'
import { mailTexts } from './texts.ts'

/** The settings of an application that its mails depend on. */
export type MailSender = BrandColumns &
  Pick<ApplicationTable, 'mail_from' | 'mail_template' | 'mail_templates' | 'archived'>

/** Creates the links in a mail. They work like passwords, so they are created for the outgoing mail and never stored. */
export interface MailLinks {
  /** The URL of the page where the reader manages the subscription. */
  manage(subscriptionId: string): Promise<string>
  /** The files that come with a grant or a receipt, each with its page for this reader. */
  files(mail: Pick<MailRow, 'aid' | 'uid'>, message: Message): Promise<readonly LinkedFile[]>
  /** The absolute URL of an uploaded image. */
  image(imageId: string): string
}

/** Builds the mail to be sent. */
export async function composeMail(
  mail: MailRow,
  app: MailSender,
  mailFrom: string,
  now: Seconds,
  links: MailLinks,
): Promise<OutgoingMail> {
  if (app.archived !== null) throw new Unsendable('its application is archived')
  if (!isPlainAddress(mail.recipient)) throw new Unsendable('it has no address to go to')
  const message = readMessage(mail)
  const from = readSender(app.mail_from ?? mailFrom)
  return {
    id: messageIdOf(`${mail.id}.${mail.aid}`, from),
    from,
    to: mail.recipient,
    ...(await renderMessage(mail, message, app, now, links)),
  }
}

/** The same for each attempt, unless the sender has moved to another domain meanwhile. A domain that doesn't exist looks
 * like spam. */
export function messageIdOf(local: string, { address }: OutgoingMail['from']): string {
  return `${local}@${domainToASCII(address.slice(address.lastIndexOf('@') + 1))}`
}

/** Renders a message with the application's template for it, or with the built-in one. `template` replaces both. */
export async function renderMessage(
  mail: Pick<MailRow, 'aid' | 'uid' | 'recipient'>,
  message: Message,
  app: MailSender,
  now: Seconds,
  links: MailLinks,
  template?: string,
): Promise<RenderedMail> {
  const { payload } = message
  const brand = brandOf(app)
  const subscription = 'subscription' in payload ? payload.subscription : null
  const setting = {
    application: app.name,
    formats: createFormats(app.time_zone),
    manage: subscription === null ? '' : await links.manage(subscription),
    files: await links.files(mail, message),
  }
  const content = contentOf(message, setting, {
    ...{ now, recipient: mail.recipient },
    contact: brand.supportEmail ?? brand.name,
  })
  const logoUrl = brand.logoId === null ? '' : links.image(brand.logoId)
  const frame = { brand, logoUrl, footer: footerOf(brand) }
  return renderTemplate(template ?? templateOf(app, content.kind), content, frame)
}

function contentOf(
  message: Message,
  setting: MailSetting,
  { now, recipient, contact }: { now: Seconds; recipient: string; contact: string },
): MailContent {
  switch (message.kind) {
    case 'grant':
      return grantContent(message.payload, setting, now)
    case 'address_changed':
      return addressChangedContent(message.payload, recipient, contact, setting)
    default:
      return paymentContent(message, setting)
  }
}

function templateOf(app: MailSender, kind: TemplateKind): string {
  const own = kind === 'grant' ? app.mail_template : readTemplates(app.mail_templates)[kind]
  return own ?? mailTexts().templates[kind]
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
