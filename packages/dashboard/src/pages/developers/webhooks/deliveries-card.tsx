import type { Page, WebhookDeliveryItem } from '@gatehouse/server/dashboard-api'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Send } from 'lucide-react'
import type { ReactNode } from 'react'
import { get, keys } from '../../../api.ts'
import { useAppScope } from '../../../app-scope.ts'
import { Card } from '../../../components/display/card.tsx'
import { EmptyState } from '../../../components/display/empty-state.tsx'
import { QueryContent } from '../../../components/display/query-content.tsx'
import { badgeOf } from '../../../components/display/state-badge.tsx'
import { Time } from '../../../components/display/time.tsx'
import { optionsOf, Select } from '../../../components/forms/select.tsx'
import { useListState } from '../../../components/lists/list-state.ts'
import type { Column } from '../../../components/lists/list-table.tsx'
import { PagedTable } from '../../../components/lists/paged-table.tsx'
import { texts } from '../../../texts.ts'

const words = texts.webhooks

export const DeliveryBadge = badgeOf<WebhookDeliveryItem['state']>(words.deliveryStates, {
  pending: 'ending',
  sending: 'ending',
  delivered: 'live',
  failed: 'failed',
})

const COLUMNS: readonly Column<WebhookDeliveryItem>[] = [
  { id: 'type', header: words.type, wraps: true, cell: ({ type }) => type },
  { id: 'state', header: words.state, cell: (row) => <DeliveryBadge state={row.state} /> },
  {
    id: 'answer',
    header: words.answer,
    wraps: true,
    cell: ({ last_status, last_error }) => (
      <span className="text-soft">{last_status ?? last_error ?? words.noAnswer}</span>
    ),
    from: 'sm',
  },
  {
    id: 'when',
    header: words.when,
    cell: ({ last_at, created_at }) => <Time at={last_at ?? created_at} now={null} />,
    from: 'md',
  },
]

const PAGESIZE = 25
const REFETCH_MS = 5_000

/** The events that were sent to an endpoint, newest first. */
export function DeliveriesCard({ id }: { id: string }): ReactNode {
  const { environment, aid, path } = useAppScope()
  const { page, search, change } = useListState()
  const asked = { page, pagesize: PAGESIZE, state: search.state }
  const query = useQuery({
    queryKey: keys.of(environment, aid, 'webhooks', id, 'deliveries', asked),
    queryFn: ({ signal }) =>
      get<Page<WebhookDeliveryItem>>(path('webhooks', id, 'deliveries'), asked, signal),
    placeholderData: keepPreviousData,
    refetchInterval: REFETCH_MS,
  })
  const isEmpty = query.data?.total === 0
  return (
    <Card
      title={words.deliveries}
      action={
        (!isEmpty || search.state !== undefined) && (
          <Select
            aria-label={words.state}
            options={[{ value: '', label: words.allStates }, ...optionsOf(words.deliveryStates)]}
            value={search.state ?? ''}
            onChange={({ target }) => change({ state: target.value })}
          />
        )
      }
    >
      <QueryContent query={query} lines={5}>
        {(list) =>
          isEmpty ? (
            <EmptyState icon={Send} title={words.noDeliveriesTitle}>
              {words.noDeliveries}
            </EmptyState>
          ) : (
            <div className="-mx-4 sm:-mx-5">
              <PagedTable
                caption={words.deliveries}
                list={list}
                columns={COLUMNS}
                keyOf={({ event_id }) => event_id}
                nameOf={({ type }) => type}
                hrefOf={({ event_id }) => path('developers', 'webhooks', id, event_id)}
              />
            </div>
          )
        }
      </QueryContent>
    </Card>
  )
}
