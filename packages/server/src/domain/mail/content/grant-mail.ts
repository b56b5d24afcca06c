import { FOREVER, type Seconds } from '../../../db/tables.ts'
import type { GrantMail } from '../payloads.ts'
import type { MailContent } from '../template.ts'
import { mailTexts } from '../texts.ts'
import { buttonTo, type MailSetting, toContent } from './content.ts'

/** `now` decides whether the access ends or has ended. */
export function grantContent(mail: GrantMail, setting: MailSetting, now: Seconds): MailContent {
  const date = mail.ends === FOREVER ? '' : setting.formats.moment(mail.ends)
  const isOver = mail.ends <= now
  const content = toContent(isOver ? { ...setting, files: [] } : setting, {
    kind: 'grant',
    values: {
      resource: mail.resource,
      first_name: mail.first_name,
      ends: isOver ? '' : date,
      ended: isOver ? date : '',
    },
    links: { link: buttonTo(mail.url, mailTexts().actions.open) },
  })
  // The message keeps its lines.
  return { ...content, values: { ...content.values, message: mail.message.trim() } }
}
