import type { EventDetails, EventItem, EventTypeItem, Page } from '@gatehouse/server/dashboard-api'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Activity } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { get, keys } from '../../../api.ts'
import { useAppScope } from '../../../app-scope.ts'
import { Code } from '../../../components/display/code-box.tsx'
import { EmptyState } from '../../../components/display/empty-state.tsx'
import { QueryContent } from '../../../components/display/query-content.tsx'
import { PersonLink } from '../../../components/display/record-links.tsx'
import { Time } from '../../../components/display/time.tsx'
import { Select } from '../../../components/forms/select.tsx'
import { useListState } from '../../../components/lists/list-state.ts'
import type { Column } from '../../../components/lists/list-table.tsx'
import { PagedTable } from '../../../components/lists/paged-table.tsx'
import { Dialog } from '../../../components/overlays/dialog.tsx'
import { TextButton } from '../../../components/text-button.tsx'
import { texts } from '../../../texts.ts'
import { formatJson } from './format-json.ts'
import { useEventTypes } from './webhook-form.tsx'

const words = texts.webhooks

const PAGESIZE = 50
const REFETCH_MS = 15_000

export function EventsTab(): ReactNode {
  const { environment, aid, path } = useAppScope()
  const { page, search, change } = useListState()
  const types = useEventTypes()
  const asked = { page, pagesize: PAGESIZE, type: search.type }
  const query = useQuery({
    queryKey: keys.of(environment, aid, 'events', asked),
    queryFn: ({ signal }) => get<Page<EventItem>>(path('events'), asked, signal),
    placeholderData: keepPreviousData,
    refetchInterval: REFETCH_MS,
  })
  const options = types.map(({ type }) => ({ value: type, label: type }))
  const columns = columnsOf((id) => change({ event: id, page: search.page }))
  return (
    <div className="grid gap-4">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p className="text-soft">{words.eventsLead}</p>
        <Select
          aria-label={words.type}
          options={[{ value: '', label: words.allTypes }, ...options]}
          value={search.type ?? ''}
          onChange={({ target }) => change({ type: target.value })}
        />
      </div>
      <QueryContent query={query}>
        {(list) => (
          <div className="rounded-xl border border-line bg-card shadow-card">
            {list.total === 0 ? (
              <EmptyState icon={Activity} title={words.noEventsTitle}>
                {words.noEvents}
              </EmptyState>
            ) : (
              <PagedTable
                caption={words.events}
                list={list}
                columns={columns}
                keyOf={({ id }) => id}
                nameOf={({ type }) => type}
              />
            )}
          </div>
        )}
      </QueryContent>
      <Catalogue />
      <EventDialog
        id={search.event}
        onClose={() => change({ event: undefined, page: search.page })}
      />
    </div>
  )
}

const columnsOf = (open: (id: string) => void): readonly Column<EventItem>[] => [
  {
    id: 'type',
    header: words.type,
    wraps: true,
    cell: ({ id, type, at }) => (
      <>
        <TextButton onClick={() => open(id)}>{type}</TextButton>
        <span className="block text-soft sm:hidden">
          <Time at={at} now={null} />
        </span>
      </>
    ),
  },
  {
    id: 'person',
    header: words.person,
    cell: ({ uid }) => uid !== null && <PersonLink uid={uid}>{words.toPerson}</PersonLink>,
  },
  { id: 'when', header: words.when, cell: ({ at }) => <Time at={at} now={null} />, from: 'sm' },
]

/** Shows the body of an event, as it is sent. */
function EventDialog({ id, onClose }: { id: string | undefined; onClose: () => void }): ReactNode {
  const { environment, aid, path } = useAppScope()
  const query = useQuery({
    queryKey: keys.of(environment, aid, 'events', 'one', id),
    queryFn: ({ signal }) => get<EventDetails>(path('events', id ?? ''), {}, signal),
    enabled: id !== undefined,
  })
  return (
    <Dialog open={id !== undefined} onClose={onClose} title={query.data?.type ?? words.type}>
      <QueryContent query={query} lines={6}>
        {({ body }) => <Code code={formatJson(body)} label={words.body} />}
      </QueryContent>
    </Dialog>
  )
}

/** The types of events, each with its description and a sample. */
function Catalogue(): ReactNode {
  const [shown, setShown] = useState<EventTypeItem>()
  return (
    <details>
      <summary className="w-fit py-0.5 font-medium">{words.catalogue}</summary>
      <dl className="mt-3 grid gap-x-6 gap-y-2 sm:grid-cols-[fit-content(16rem)_minmax(0,1fr)]">
        {useEventTypes().map((item) => (
          <div key={item.type} className="contents">
            <dt className="font-mono text-[0.8125rem]">
              <TextButton onClick={() => setShown(item)}>{item.type}</TextButton>
            </dt>
            <dd className="text-soft max-sm:mb-1">{item.description}</dd>
          </div>
        ))}
      </dl>
      <Dialog
        open={shown !== undefined}
        onClose={() => setShown(undefined)}
        title={shown?.type ?? ''}
        lead={words.sampleLead}
      >
        {shown && <Code code={shown.sample} label={words.sample} />}
      </Dialog>
    </details>
  )
}
