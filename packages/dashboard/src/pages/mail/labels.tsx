import type { MailItem } from '@gatehouse/server/dashboard-api'
import { badgeOf } from '../../components/display/state-badge.tsx'
import { texts } from '../../texts.ts'

export const MailBadge = badgeOf<MailItem['status']>(texts.mails.states, {
  waiting: 'ending',
  sent: 'live',
  kept: 'ended',
  dead: 'failed',
})

export const recipientOf = ({ to }: MailItem): string => (to === '' ? texts.mails.erased : to)
export const mailKindLabel = ({ kind }: MailItem): string => texts.mails.kinds[kind]
