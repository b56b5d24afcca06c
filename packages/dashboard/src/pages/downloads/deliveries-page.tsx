import type { DeliveryItem } from '@gatehouse/server/dashboard-api'
import { Link } from '@tanstack/react-router'
import { Truck } from 'lucide-react'
import type { ReactNode } from 'react'
import { useAppScope } from '../../app-scope.ts'
import { buttonClass } from '../../components/button.tsx'
import { EmptyState } from '../../components/display/empty-state.tsx'
import { PersonLink, ResourceLink } from '../../components/display/record-links.tsx'
import { Time } from '../../components/display/time.tsx'
import { bytesColumn } from '../../components/lists/columns.tsx'
import type { Filter } from '../../components/lists/list-filters.tsx'
import type { Column } from '../../components/lists/list-table.tsx'
import { PERSON_FILTER } from '../../components/lists/person-filter.tsx'
import { RecordListPage } from '../../components/lists/record-list-page.tsx'
import { PersonCell, personLabelOf } from '../../components/people/person-cell.tsx'
import { formatMinute } from '../../format.ts'
import { texts } from '../../texts.ts'
import { OutcomeBadge } from './labels.tsx'

const words = texts.deliveries

const FILTERS: readonly Filter[] = [
  { name: 'rid', label: texts.records.resource, isResource: true },
  { name: 'from', label: texts.records.from, day: 'first' },
  { name: 'to', label: texts.records.to, day: 'last' },
  PERSON_FILTER,
]

const nameOf = (delivery: DeliveryItem) =>
  delivery.uid === null ? words.anybody : personLabelOf(delivery)

export function Recipient({ delivery }: { delivery: DeliveryItem }): ReactNode {
  const { uid } = delivery
  if (uid === null) return <span className="text-soft">{words.anybody}</span>
  return (
    <PersonLink uid={uid}>
      <PersonCell {...delivery} />
    </PersonLink>
  )
}

const COLUMNS: readonly Column<DeliveryItem>[] = [
  {
    id: 'who',
    header: words.who,
    wraps: true,
    cell: (delivery) => (
      <>
        <Recipient delivery={delivery} />
        <span className="block text-soft md:hidden">{delivery.resource}</span>
      </>
    ),
    csv: (delivery) => delivery.email || nameOf(delivery),
  },
  {
    id: 'resource',
    header: texts.records.resource,
    wraps: true,
    cell: ({ rid, resource }) => <ResourceLink rid={rid}>{resource}</ResourceLink>,
    csv: ({ rid }) => rid,
    from: 'md',
  },
  bytesColumn('bytes', words.bytes),
  {
    id: 'outcome',
    header: words.outcome,
    cell: ({ outcome }) => <OutcomeBadge outcome={outcome} />,
    csv: ({ outcome }) => words.outcomes[outcome],
  },
  {
    id: 'when',
    sort: { by: 'at', downFirst: true },
    header: words.when,
    cell: ({ at }) => <Time at={at * 1000} now={null} />,
    csv: ({ at }) => formatMinute(at * 1000),
    from: 'sm',
  },
]

export function DeliveriesPage(): ReactNode {
  const { path } = useAppScope()
  const toDownloads = (
    <Link to={path('downloads')} className={buttonClass()}>
      {words.toDownloads}
    </Link>
  )
  return (
    <RecordListPage<DeliveryItem>
      title={words.title}
      lead={words.lead}
      action={toDownloads}
      list="deliveries"
      filters={FILTERS}
      searchFor={words.searchFor}
      columns={COLUMNS}
      keyOf={({ id }) => id}
      nameOf={nameOf}
      empty={
        <EmptyState icon={Truck} title={words.emptyTitle}>
          {words.empty}
        </EmptyState>
      }
    />
  )
}
