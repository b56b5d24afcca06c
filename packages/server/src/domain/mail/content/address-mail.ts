import type { AddressChangedMail } from '../payloads.ts'
import type { MailContent } from '../template.ts'
import { mailTexts } from '../texts.ts'
import { fact, greetedName, type MailSetting, toContent } from './content.ts'

/** Tells the old or the new address of a reader that it was changed. `contact` is whom the reader can write to. */
export function addressChangedContent(
  mail: AddressChangedMail,
  recipient: string,
  contact: string,
  setting: MailSetting,
): MailContent {
  const { labels } = mailTexts()
  const date = setting.formats.moment(mail.at)
  const isRemoved = mail.role === 'removed'
  const [removed, added] = isRemoved ? [recipient, mail.other] : [mail.other, recipient]
  return toContent(setting, {
    kind: 'address_changed',
    values: {
      first_name: greetedName(mail.first_name),
      // The template has a paragraph for each of the two recipients; the other one is left out.
      removed_address: isRemoved ? recipient : '',
      added_address: isRemoved ? '' : recipient,
      other_address: mail.other,
      ...{ contact, date },
    },
    facts: [
      fact(labels.removedAddress, removed),
      fact(labels.addedAddress, added),
      fact(labels.date, date),
    ],
  })
}
