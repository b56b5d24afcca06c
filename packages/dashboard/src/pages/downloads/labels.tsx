import type { DeliveryItem, DownloadItem } from '@gatehouse/server/dashboard-api'
import type { ReactNode } from 'react'
import { badgeOf, StateBadge } from '../../components/display/state-badge.tsx'
import { texts } from '../../texts.ts'

export function PublishedBadge({ published }: Pick<DownloadItem, 'published'>): ReactNode {
  return published === null ? (
    <StateBadge state="ended">{texts.downloads.withdrawn}</StateBadge>
  ) : (
    <StateBadge state="live">{texts.downloads.published}</StateBadge>
  )
}

const Outcome = badgeOf<DeliveryItem['outcome']>(texts.deliveries.outcomes, {
  complete: 'live',
  partial: 'ending',
  redirected: 'ended',
})

export function OutcomeBadge({ outcome }: Pick<DeliveryItem, 'outcome'>): ReactNode {
  return (
    <span title={texts.deliveries.outcomeHint[outcome]}>
      <Outcome state={outcome} />
    </span>
  )
}
