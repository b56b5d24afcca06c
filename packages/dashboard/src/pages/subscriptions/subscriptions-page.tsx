import { Link } from '@tanstack/react-router'
import { Repeat } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { ShownSubscription } from '../../../../server/src/http/dashboard/payments/schemas.ts'
import { SUPPORT } from '../../../../server/src/http/dashboard/route.ts'
import type { Page } from '../../../../server/src/http/dashboard/schemas.ts'
import { get, keys } from '../../api.ts'
import { formatDay } from '../../format.ts'
import { useMay } from '../../frame/me.ts'
import { buttonClass } from '../../parts/button.tsx'
import { Breaking } from '../../parts/display/breaking.tsx'
import { EmptyState } from '../../parts/display/empty-state.tsx'
import { Time } from '../../parts/display/time.tsx'
import type { Filter } from '../../parts/lists/list-filters.tsx'
import { ListPage } from '../../parts/lists/list-page.tsx'
import type { Column } from '../../parts/lists/list-table.tsx'
import type { MenuItem } from '../../parts/overlays/menu.tsx'
import { told } from '../../parts/overlays/toast-on-error.ts'
import { usePlace } from '../../place.ts'
import { texts } from '../../texts.ts'
import { CancelDialog, mayCancel, mayResume, resume } from './change.tsx'
import { nameOf, nextShort, priceOf, SubscriptionBadge } from './states.tsx'

const words = texts.subscriptions

const FILTERS: readonly Filter[] = [
  {
    name: 'status',
    label: texts.records.state,
    options: Object.entries(words.states).map(([value, label]) => ({ value, label })),
  },
  { name: 'rid', label: texts.records.rid },
  { name: 'uid', label: texts.records.uid },
]

const COLUMNS: readonly Column<ShownSubscription>[] = [
  {
    id: 'who',
    header: texts.records.person,
    wraps: true,
    cell: (one) => (
      <>
        <Breaking>{nameOf(one)}</Breaking>
        <span className="block font-normal text-soft md:hidden">{one.resource}</span>
      </>
    ),
    csv: nameOf,
  },
  {
    id: 'resource',
    header: texts.records.resource,
    wraps: true,
    cell: ({ resource }) => resource,
    csv: ({ rid }) => rid,
    from: 'md',
  },
  {
    id: 'state',
    header: texts.records.state,
    cell: ({ status }) => <SubscriptionBadge status={status} />,
    csv: ({ status }) => words.states[status],
  },
  { id: 'price', header: words.price, wraps: true, cell: priceOf, csv: priceOf, from: 'lg' },
  { id: 'next', header: words.next, cell: nextShort, csv: nextShort, from: 'sm' },
  {
    id: 'started',
    header: words.started,
    cell: ({ created }) => <Time at={created * 1000} now={null} day />,
    csv: ({ created }) => formatDay(created * 1000),
    from: 'xl',
  },
]

export function SubscriptionsPage(): ReactNode {
  const place = usePlace()
  const { environment, aid, path } = place
  const mayChange = useMay(SUPPORT)
  const [canceling, setCanceling] = useState<ShownSubscription>()
  const menuOf = (one: ShownSubscription): MenuItem[] => [
    ...(mayCancel(one)
      ? [{ label: words.cancelIt, danger: true, onSelect: () => setCanceling(one) }]
      : []),
    ...(mayResume(one) ? [{ label: words.resume, onSelect: () => told(resume(place, one)) }] : []),
  ]
  return (
    <>
      <ListPage<ShownSubscription>
        title={texts.pages.subscriptions}
        queryKey={keys.of(environment, aid, 'subscriptions')}
        load={(parameters, signal) =>
          get<Page<ShownSubscription>>(path('subscriptions'), parameters, signal)
        }
        filters={FILTERS}
        searchFor={texts.records.searchFor}
        columns={COLUMNS}
        keyOf={({ id }) => id}
        nameOf={(one) => texts.access.of(nameOf(one), one.resource)}
        hrefOf={({ id }) => path('subscriptions', id)}
        {...(mayChange ? { menuOf } : {})}
        csvName="subscriptions"
        empty={
          <EmptyState
            icon={Repeat}
            title={words.emptyTitle}
            action={
              <Link to={path('resources')} className={buttonClass('primary')}>
                {words.toResources}
              </Link>
            }
          >
            {words.empty}
          </EmptyState>
        }
      />
      <CancelDialog subscription={canceling} onClose={() => setCanceling(undefined)} />
    </>
  )
}
