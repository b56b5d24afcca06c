import type { Page, RefusedCallItem } from '@gatehouse/server/dashboard-api'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { RefreshCw, ShieldCheck } from 'lucide-react'
import type { ReactNode } from 'react'
import { get, keys } from '../../api.ts'
import { useAppScope } from '../../app-scope.ts'
import { Button, buttonClass } from '../../components/button.tsx'
import { EmptyState } from '../../components/display/empty-state.tsx'
import { QueryContent } from '../../components/display/query-content.tsx'
import { Time } from '../../components/display/time.tsx'
import { useListState } from '../../components/lists/list-state.ts'
import type { Column } from '../../components/lists/list-table.tsx'
import { PagedTable } from '../../components/lists/paged-table.tsx'
import { texts } from '../../texts.ts'

const monoClass = 'font-mono text-[0.8125rem]'

const COLUMNS: readonly Column<RefusedCallItem>[] = [
  {
    id: 'at',
    header: texts.developers.time,
    cell: ({ at }) => <Time at={at} now={null} />,
    from: 'sm',
  },
  {
    id: 'call',
    header: texts.developers.callColumn,
    wraps: true,
    cell: ({ method, route, at }) => (
      <>
        <code className={monoClass}>
          {method} {route}
        </code>
        <span className="block text-soft sm:hidden">
          <Time at={at} />
        </span>
      </>
    ),
  },
  {
    id: 'reason',
    header: texts.developers.reason,
    wraps: true,
    cell: ({ status, reason, parameter }) => (
      <>
        {texts.developers.reasonOf(reason, parameter)}{' '}
        <code className={`${monoClass} text-soft`}>
          {status} {reason}
        </code>
      </>
    ),
  },
  {
    id: 'key',
    header: texts.developers.key,
    cell: ({ key_id }) =>
      key_id === null ? (
        <span className="text-soft">{texts.developers.noKey}</span>
      ) : (
        <code className={monoClass}>{key_id}</code>
      ),
    from: 'lg',
  },
]

const PAGESIZE = 50
const REFETCH_MS = 15_000

export function RefusedRequestsTab(): ReactNode {
  const { environment, aid, path } = useAppScope()
  const { page } = useListState()
  const asked = { page, pagesize: PAGESIZE }
  const query = useQuery({
    queryKey: keys.of(environment, aid, 'refused', asked),
    queryFn: ({ signal }) => get<Page<RefusedCallItem>>(path('refused'), asked, signal),
    placeholderData: keepPreviousData,
    refetchInterval: REFETCH_MS,
  })
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p className="text-soft">{texts.developers.refusedLead}</p>
        <Button icon={RefreshCw} onClick={() => void query.refetch()}>
          {texts.developers.refresh}
        </Button>
      </div>
      <QueryContent query={query}>
        {(list) => (
          <div className="rounded-xl border border-line bg-card shadow-card">
            {list.total === 0 ? (
              <NoRefusals />
            ) : (
              <PagedTable
                caption={texts.developers.tabs.refused}
                list={list}
                columns={COLUMNS}
                keyOf={({ id }) => id}
                nameOf={({ method, route }) => `${method} ${route}`}
              />
            )}
          </div>
        )}
      </QueryContent>
    </div>
  )
}

function NoRefusals(): ReactNode {
  return (
    <EmptyState
      icon={ShieldCheck}
      title={texts.developers.noRefusalsTitle}
      action={
        <Link to="." search={{ tab: 'console' } as never} className={buttonClass()}>
          {texts.developers.toConsole}
        </Link>
      }
    >
      {texts.developers.noRefusals}
    </EmptyState>
  )
}
