import type { ApplicationTable, Seconds } from '../db/tables.ts'
import type { OutgoingMail } from './mailer.ts'
import type { GrantMail, MailRow } from './outbox.ts'
import { DEFAULT_TEMPLATE, oneLine, renderMail } from './template.ts'

/** A mail that can't be sent as it is, however often it is tried. */
export class Unsendable extends Error {}

type Sender = Pick<ApplicationTable, 'name' | 'mail_from' | 'mail_template' | 'archived'>

/** The mail as it goes out, in the words of its application. */
export function composeMail(
  mail: MailRow,
  app: Sender,
  mailFrom: string,
  now: Seconds,
): OutgoingMail {
  if (app.archived !== null) throw new Unsendable('its application is archived')
  if (!isPlainAddress(mail.recipient)) throw new Unsendable('it has no address to go to')
  const payload = readPayload(mail.payload)
  return {
    // Of the row alone: a sender can be changed between two tries.
    id: `${mail.id}@${mail.aid}.gatehouse`,
    from: readSender(app.mail_from ?? mailFrom),
    to: mail.recipient,
    ...renderMail(app.mail_template ?? DEFAULT_TEMPLATE, app.name, payload, now),
  }
}

/** One address, nothing that could be read as two or as more than an address. */
const PLAIN_ADDRESS = /^[^\s\p{C}"(),:;<>@[\]\\]+@[^\s\p{C}"(),:;<>@[\]\\]+$/u
const isPlainAddress = (text: string) => PLAIN_ADDRESS.test(text)

/** `address`, or `Name <address>`. */
function readSender(from: string): OutgoingMail['from'] {
  const named = /^([^<>]*)<([^<>]*)>$/u.exec(from.trim())
  const [name, address] = named ? [named[1] ?? '', named[2] ?? ''] : ['', from.trim()]
  if (!isPlainAddress(address)) throw new Unsendable('its sender is not an e-mail address')
  return { name: oneLine(name.trim().replace(/^"(.*)"$/, '$1')), address }
}

function readPayload(text: string): GrantMail {
  let payload: Partial<GrantMail> | null
  try {
    payload = JSON.parse(text)
  } catch {
    throw new Unsendable('its content can’t be read')
  }
  const { rid, resource, url, message, first_name, ends } = payload ?? {}
  const texts = [rid, resource, url, message, first_name]
  if (!texts.every((one) => typeof one === 'string') || typeof ends !== 'number') {
    throw new Unsendable('its content is not complete')
  }
  return payload as GrantMail
}
