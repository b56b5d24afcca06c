import type { ShownMail } from '@gatehouse/server/dashboard-api'
import type { ReactNode } from 'react'
import { type BadgeState, StateBadge } from '../../components/display/state-badge.tsx'
import { texts } from '../../texts.ts'

const STATES: Record<ShownMail['status'], BadgeState> = {
  waiting: 'ending',
  sent: 'live',
  kept: 'ended',
  dead: 'failed',
}

export function MailBadge({ status }: Pick<ShownMail, 'status'>): ReactNode {
  return <StateBadge state={STATES[status]}>{texts.mails.states[status]}</StateBadge>
}

export const recipientOf = ({ to }: ShownMail): string => (to === '' ? texts.mails.erased : to)
export const mailKindLabel = ({ kind }: ShownMail): string => texts.mails.kinds[kind]
