import type { ReactNode } from 'react'
import type { ShownMail } from '../../../../server/src/http/dashboard/mail/schemas.ts'
import { type State, StateBadge } from '../../parts/display/state-badge.tsx'
import { texts } from '../../texts.ts'

const LOOKS: Record<ShownMail['status'], State> = {
  waiting: 'ending',
  sent: 'live',
  kept: 'ended',
  dead: 'failed',
}

export function MailBadge({ status }: Pick<ShownMail, 'status'>): ReactNode {
  return <StateBadge state={LOOKS[status]}>{texts.mails.states[status]}</StateBadge>
}

export const receiverOf = ({ to }: ShownMail): string => (to === '' ? texts.mails.erased : to)
export const kindOf = ({ kind }: ShownMail): string => texts.mails.kinds[kind]
