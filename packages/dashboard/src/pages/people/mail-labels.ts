import type { MailItem, PersonMail } from '@gatehouse/server/dashboard-api'
import { texts } from '../../texts.ts'

/** The state as the mail pages name it. */
export const mailStateOf = (status: PersonMail['status']): MailItem['status'] =>
  status === 'queued' || status === 'sending' ? 'waiting' : status

const kinds: Readonly<Record<string, string>> = texts.mails.kinds

export const mailKindLabel = (kind: string): string => kinds[kind] ?? kind
