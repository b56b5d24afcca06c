import type { DeliveryItem, Page } from '@gatehouse/server/dashboard-api'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useAppScope } from '../../app-scope.ts'
import { Card } from '../../components/display/card.tsx'
import { linkClass } from '../../components/display/record-links.tsx'
import { Skeleton } from '../../components/display/skeleton.tsx'
import { Time } from '../../components/display/time.tsx'
import { formatBytes } from '../../format.ts'
import { useNow } from '../../frame/me.ts'
import { texts } from '../../texts.ts'
import { Recipient } from './deliveries-page.tsx'
import { OutcomeBadge } from './labels.tsx'

interface Props {
  rid: string
  /** The newest deliveries; undefined until loaded. */
  deliveries: Page<DeliveryItem> | undefined
}

export function DeliveriesCard({ rid, deliveries }: Props): ReactNode {
  const { path } = useAppScope()
  const all = (
    <Link to={path('downloads', 'deliveries')} search={{ rid } as never} className={linkClass}>
      {texts.deliveries.all}
    </Link>
  )
  return (
    <Card title={texts.deliveries.recent} action={deliveries && deliveries.total > 0 && all}>
      {deliveries === undefined ? (
        <Skeleton />
      ) : deliveries.total === 0 ? (
        <p className="text-soft">{texts.deliveries.none}</p>
      ) : (
        <Newest deliveries={deliveries.data} />
      )}
    </Card>
  )
}

function Newest({ deliveries }: { deliveries: readonly DeliveryItem[] }): ReactNode {
  const now = useNow()
  return (
    <ul className="grid gap-3">
      {deliveries.map((delivery) => (
        <li
          key={delivery.id}
          className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 not-first:border-t not-first:border-line not-first:pt-3"
        >
          <span className="min-w-0">
            <Recipient delivery={delivery} />
            <span className="block text-soft">
              <Time at={delivery.at * 1000} now={now} /> · {formatBytes(delivery.bytes)}
            </span>
          </span>
          <OutcomeBadge outcome={delivery.outcome} />
        </li>
      ))}
    </ul>
  )
}
