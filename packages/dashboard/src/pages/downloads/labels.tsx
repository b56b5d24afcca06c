import type { DeliveryItem, DownloadItem } from '@gatehouse/server/dashboard-api'
import type { ReactNode } from 'react'
import { type BadgeState, StateBadge } from '../../components/display/state-badge.tsx'
import { texts } from '../../texts.ts'

export function PublishedBadge({ published }: Pick<DownloadItem, 'published'>): ReactNode {
  return published === null ? (
    <StateBadge state="ended">{texts.downloads.withdrawn}</StateBadge>
  ) : (
    <StateBadge state="live">{texts.downloads.published}</StateBadge>
  )
}

const STATES: Record<DeliveryItem['outcome'], BadgeState> = {
  complete: 'live',
  partial: 'ending',
  redirected: 'ended',
}

export function OutcomeBadge({ outcome }: Pick<DeliveryItem, 'outcome'>): ReactNode {
  return (
    <span title={texts.deliveries.outcomeHint[outcome]}>
      <StateBadge state={STATES[outcome]}>{texts.deliveries.outcomes[outcome]}</StateBadge>
    </span>
  )
}
