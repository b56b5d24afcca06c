import type { MailItem } from '@gatehouse/server/dashboard-api'
import type { ReactNode } from 'react'
import { type BadgeState, StateBadge } from '../../components/display/state-badge.tsx'
import { texts } from '../../texts.ts'

const STATES: Record<MailItem['status'], BadgeState> = {
  waiting: 'ending',
  sent: 'live',
  kept: 'ended',
  dead: 'failed',
}

export function MailBadge({ status }: Pick<MailItem, 'status'>): ReactNode {
  return <StateBadge state={STATES[status]}>{texts.mails.states[status]}</StateBadge>
}

export const recipientOf = ({ to }: MailItem): string => (to === '' ? texts.mails.erased : to)
export const mailKindLabel = ({ kind }: MailItem): string => texts.mails.kinds[kind]
