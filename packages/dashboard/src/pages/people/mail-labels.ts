import type { ShownMail } from '../../../../server/src/http/dashboard/mail/schemas.ts'
import type { PersonMail } from '../../../../server/src/http/dashboard/people/schemas.ts'
import { texts } from '../../texts.ts'

/** The state as the mail pages name it. */
export const mailStateOf = (status: PersonMail['status']): ShownMail['status'] =>
  status === 'queued' || status === 'sending' ? 'waiting' : status

const kinds: Readonly<Record<string, string>> = texts.mails.kinds

export const mailKindLabel = (kind: string): string => kinds[kind] ?? kind
