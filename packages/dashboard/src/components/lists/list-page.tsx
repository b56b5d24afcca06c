import type { Page as Listed } from '@gatehouse/server/dashboard-api'
import { keepPreviousData, type QueryKey, useQuery } from '@tanstack/react-query'
import type { RowData, RowSelectionState } from '@tanstack/react-table'
import { Download, X } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import type { Parameters } from '../../api.ts'
import { Page } from '../../frame/page.tsx'
import { texts } from '../../texts.ts'
import { Button } from '../button.tsx'
import { cx } from '../cx.ts'
import { EmptyState } from '../display/empty-state.tsx'
import { Notice } from '../display/notice.tsx'
import { Skeleton } from '../display/skeleton.tsx'
import { errorMessage } from '../forms/use-form.ts'
import { IconButton } from '../icon-button.tsx'
import { saveFile, toCsv } from './csv.ts'
import { type Filter, FilterButton, FilterChips, SearchBox } from './list-filters.tsx'
import { useListState } from './list-state.ts'
import { focusRow, ListTable, type RowSet } from './list-table.tsx'
import { Pager } from './pager.tsx'

const PAGESIZE = 50

interface Props<Row> extends RowSet<Row> {
  title: string
  lead?: ReactNode
  /** The one primary action. */
  action?: ReactNode
  queryKey: QueryKey
  load: (parameters: Parameters, signal: AbortSignal) => Promise<Listed<Row>>
  filters?: readonly Filter[]
  /** What can be searched for; the parameter is `q`. */
  searchFor?: string
  /** Buttons for the selected rows. Makes rows selectable. */
  bulk?: (rows: readonly Row[], clear: () => void) => ReactNode
  /** Shown if there are no rows at all. */
  empty: ReactNode
  /** Shown if no row matches the filters; there is a default text. */
  nothing?: ReactNode
  /** The name of the CSV file, without its extension. */
  csvName: string
  /** Next to the CSV button. */
  tools?: ReactNode
}

/** The common list page: its filters are in the URL, its rows open a record, and it shows the exact total unless a
 * search has too many matches. */
export function ListPage<Row extends RowData>({
  title,
  lead,
  action,
  queryKey,
  load,
  filters = [],
  searchFor,
  bulk,
  empty,
  nothing,
  csvName,
  tools,
  ...rowSet
}: Props<Row>): ReactNode {
  const state = useListState()
  const names = [...filters.map(({ name }) => name), ...(searchFor === undefined ? [] : ['q'])]
  const filterValues = Object.fromEntries(names.map((name) => [name, state.search[name]]))
  const table = useRef<HTMLTableElement>(null)
  const asked = { ...filterValues, page: state.page, pagesize: PAGESIZE }
  const { data, error, isPlaceholderData } = useQuery({
    queryKey: [...queryKey, asked],
    queryFn: ({ signal }) => load(asked, signal),
    placeholderData: keepPreviousData,
  })
  const [selection, setSelection] = useSelection(JSON.stringify(asked))
  const chosen = data?.data.filter((row) => selection[rowSet.keyOf(row)]) ?? []
  const filtered = Object.values(filterValues).some((value) => value !== undefined)

  function saveCsv() {
    const columns = rowSet.columns.filter(({ csv }) => csv !== undefined)
    const rows = data?.data.map((row) => columns.map(({ csv }) => csv?.(row) ?? '')) ?? []
    saveFile(`${csvName}.csv`, toCsv([columns.map(({ header }) => header), ...rows]))
  }

  return (
    <Page title={title} lead={lead} action={action}>
      <div className="grid gap-3">
        <div className="flex flex-wrap items-center gap-2">
          {searchFor !== undefined && (
            <SearchBox
              state={state}
              placeholder={searchFor}
              onDown={() => focusRow(table.current?.querySelector<HTMLElement>('tr[data-row]'))}
            />
          )}
          <span className="text-soft tabular-nums" role="status">
            {data && (data.is_cut ? texts.list.truncatedTotal : texts.list.total)(data.total)}
          </span>
          <span className="ml-auto flex gap-2">
            {filters.length > 0 && <FilterButton state={state} filters={filters} />}
            {tools}
            <IconButton
              icon={Download}
              label={texts.list.exportShown}
              disabled={!data || data.data.length === 0}
              onClick={saveCsv}
            />
          </span>
        </div>
        <FilterChips state={state} filters={filters} />
        {error && <Notice tone="failed">{errorMessage(error)}</Notice>}
        {data?.is_cut && <Notice>{texts.list.truncated(data.total)}</Notice>}
        <div
          aria-busy={isPlaceholderData}
          className={cx(
            'rounded-xl border border-line bg-card shadow-card transition-opacity',
            isPlaceholderData && 'opacity-60',
          )}
        >
          {!data && !error && (
            <div className="p-4">
              <Skeleton lines={8} />
            </div>
          )}
          {data?.total === 0 && (filtered ? (nothing ?? <NothingFound />) : empty)}
          {data && data.total > 0 && (
            <>
              <ListTable
                ref={table}
                caption={title}
                rows={data.data}
                {...rowSet}
                {...(bulk ? { selection, onSelection: setSelection } : {})}
              />
              <div className="sticky bottom-0 z-10 flex min-h-12 flex-wrap items-center gap-2 rounded-b-xl border-t border-line bg-card px-3 py-1.5">
                {bulk && chosen.length > 0 && (
                  // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms.
                  <div
                    role="group"
                    aria-label={texts.list.bulk}
                    className="flex flex-wrap items-center gap-2"
                  >
                    <strong className="font-medium">{texts.list.selected(chosen.length)}</strong>
                    {bulk(chosen, () => setSelection({}))}
                    <Button variant="quiet" icon={X} onClick={() => setSelection({})}>
                      {texts.list.clearSelection}
                    </Button>
                  </div>
                )}
                <span className="ml-auto">
                  <Pager
                    page={data.page}
                    pagesize={data.pagesize}
                    total={data.total}
                    onPage={(page) => state.change({ page: page === 0 ? undefined : String(page) })}
                  />
                </span>
              </div>
            </>
          )}
        </div>
      </div>
    </Page>
  )
}

/** The selected rows of one page of one list; switching to another clears the selection. */
function useSelection(list: string) {
  const [held, setHeld] = useState<{ list: string; rows: RowSelectionState }>({ list, rows: {} })
  const rows = held.list === list ? held.rows : {}
  return [rows, (next: RowSelectionState) => setHeld({ list, rows: next })] as const
}

function NothingFound(): ReactNode {
  return <EmptyState title={texts.list.nothingFound}>{texts.list.nothingFoundHint}</EmptyState>
}
