import type { ShownMail } from '../../../../server/src/doors/dashboard/shapes-mail.ts'
import type { PersonMail } from '../../../../server/src/doors/dashboard/shapes-people.ts'
import { texts } from '../../texts.ts'

/** The state as the mail pages name it. */
export const mailStateOf = (status: PersonMail['status']): ShownMail['status'] =>
  status === 'queued' || status === 'sending' ? 'waiting' : status

const kinds: Readonly<Record<string, string>> = texts.mails.kinds

export const tellMailKind = (kind: string): string => kinds[kind] ?? kind
