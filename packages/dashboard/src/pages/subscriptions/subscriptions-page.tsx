import { SUPPORT, type SubscriptionItem } from '@gatehouse/server/dashboard-api'
import { Repeat } from 'lucide-react'
import { type ReactNode, useMemo, useState } from 'react'
import { useAppScope } from '../../app-scope.ts'
import { EmptyUntilSold } from '../../components/display/empty-until-sold.tsx'
import { optionsOf } from '../../components/forms/select.tsx'
import { dayColumn, personColumn, resourceColumn } from '../../components/lists/columns.tsx'
import type { Filter } from '../../components/lists/list-filters.tsx'
import type { Column } from '../../components/lists/list-table.tsx'
import { PERSON_FILTER } from '../../components/lists/person-filter.tsx'
import { RecordListPage } from '../../components/lists/record-list-page.tsx'
import type { MenuItem } from '../../components/overlays/menu.tsx'
import { toastOnError } from '../../components/overlays/toast-on-error.ts'
import { PersonCell } from '../../components/people/person-cell.tsx'
import { useHasRole, useTimeZone } from '../../frame/me.ts'
import { texts } from '../../texts.ts'
import {
  CancelSubscriptionDialog,
  canCancel,
  canResume,
  resumeSubscription,
} from './change-subscription.tsx'
import {
  describePrice,
  endReasonLabel,
  nextDayLabel,
  nextEventLabel,
  SubscriptionBadge,
  subscriberLabel,
} from './labels.tsx'

const words = texts.subscriptions

const FILTERS: readonly Filter[] = [
  { name: 'status', label: texts.records.state, options: optionsOf(words.states) },
  { name: 'rid', label: texts.records.resource, isResource: true },
  { name: 'moved', label: words.moved, options: optionsOf(words.movements) },
  { name: 'first', label: words.firstDay, isDate: true },
  { name: 'last', label: words.lastDay, isDate: true },
  PERSON_FILTER,
]

const columnsFor = (zone: string): readonly Column<SubscriptionItem>[] => [
  personColumn({
    cell: (one) => (
      <PersonCell name={one.name} email={one.email} fallback={one.user_ref}>
        <span className="block font-normal text-soft md:hidden">{one.resource}</span>
      </PersonCell>
    ),
    csv: subscriberLabel,
  }),
  resourceColumn('md'),
  {
    id: 'state',
    header: texts.records.state,
    cell: ({ status }) => <SubscriptionBadge state={status} />,
    csv: ({ status }) => words.states[status],
  },
  {
    id: 'price',
    sort: { by: 'amount', downFirst: true },
    header: words.price,
    wraps: true,
    cell: describePrice,
    csv: describePrice,
    from: 'lg',
  },
  {
    id: 'next',
    sort: { by: 'ends' },
    header: words.next,
    cell: (one) => (
      <>
        {nextDayLabel(one, zone)}
        <span className="block text-soft">{endReasonLabel(one)}</span>
      </>
    ),
    csv: (one) => nextEventLabel(one, zone),
    from: 'sm',
  },
  dayColumn('created', { id: 'started', header: words.started, from: 'xl' }),
]

export function SubscriptionsPage(): ReactNode {
  const scope = useAppScope()
  const { path } = scope
  const canChange = useHasRole(SUPPORT)
  const zone = useTimeZone()
  const columns = useMemo(() => columnsFor(zone), [zone])
  const [canceling, setCanceling] = useState<SubscriptionItem>()
  const menuOf = (one: SubscriptionItem): MenuItem[] => [
    ...(canCancel(one)
      ? [{ label: words.cancelIt, danger: true, onSelect: () => setCanceling(one) }]
      : []),
    ...(canResume(one)
      ? [{ label: words.resume, onSelect: () => toastOnError(resumeSubscription(scope, one)) }]
      : []),
  ]
  return (
    <>
      <RecordListPage<SubscriptionItem>
        title={texts.pages.subscriptions}
        list="subscriptions"
        filters={FILTERS}
        searchFor={texts.records.searchFor}
        columns={columns}
        keyOf={({ id }) => id}
        nameOf={(one) => texts.access.of(subscriberLabel(one), one.resource)}
        hrefOf={({ id }) => path('subscriptions', id)}
        menuOf={canChange ? menuOf : undefined}
        canExport={canChange}
        empty={<EmptyUntilSold icon={Repeat} words={words} />}
      />
      <CancelSubscriptionDialog subscription={canceling} onClose={() => setCanceling(undefined)} />
    </>
  )
}
