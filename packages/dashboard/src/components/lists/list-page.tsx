import type { Page as Listed } from '@gatehouse/server/dashboard-api'
import { keepPreviousData, type QueryKey, useQuery } from '@tanstack/react-query'
import type { RowData, RowSelectionState } from '@tanstack/react-table'
import { Download, X } from 'lucide-react'
import { type ReactNode, type RefObject, useRef, useState } from 'react'
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
import { type ListState, useListState } from './list-state.ts'
import { type Column, focusRow, ListTable, type RowSet } from './list-table.tsx'
import { Pager } from './pager.tsx'
import { SavedViews } from './saved-views.tsx'

const PAGESIZE = 50

export interface ListPageProps<Row> extends RowSet<Row> {
  title: string
  lead?: ReactNode
  /** The one primary action. */
  action?: ReactNode
  queryKey: QueryKey
  load: (parameters: Parameters, signal: AbortSignal) => Promise<Listed<Row>>
  filters?: readonly Filter[]
  /** The placeholder of the search field, which says what can be searched for. The parameter is `q`. */
  searchFor?: string
  /** Buttons for the selected rows. Makes rows selectable. */
  bulk?: ((rows: readonly Row[], clear: () => void) => ReactNode) | undefined
  /** Shown if there are no rows at all. */
  empty: ReactNode
  /** Shown if no row matches the filters; there is a default text. */
  nothing?: ReactNode
  /** The name of the CSV file, without its extension. */
  csvName: string
  /** Replaces the button that exports the page as CSV, where the server can export the whole list. */
  tools?: ReactNode
  /** The name of the list for saved views; without it, there are none. */
  views?: string
}

/** The page of rows that the URL asks for. */
function useListQuery<Row>(props: ListPageProps<Row>) {
  const { queryKey, load, columns, filters = [], searchFor } = props
  const state = useListState()
  const names = [...filters.map(({ name }) => name), ...(searchFor === undefined ? [] : ['q'])]
  const filterValues = Object.fromEntries(names.map((name) => [name, state.search[name]]))
  const sort = columns.some((column) => column.sort) ? { sort: state.search.sort } : {}
  const asked = { ...filterValues, ...sort, page: state.page, pagesize: PAGESIZE }
  const { data, error, isPlaceholderData } = useQuery({
    queryKey: [...queryKey, asked],
    queryFn: ({ signal }) => load(asked, signal),
    placeholderData: keepPreviousData,
  })
  return {
    ...{ state, data, error, isPlaceholderData },
    isFiltered: Object.values(filterValues).some((value) => value !== undefined),
    /** Identifies the page of the list. */
    id: JSON.stringify(asked),
  }
}

/** The common list page: its filters are in the URL, its rows open a record, and it shows the exact total unless a
 * search has too many matches. */
export function ListPage<Row extends RowData>(props: ListPageProps<Row>): ReactNode {
  const { title, lead, action, filters = [], columns, views, empty, nothing } = props
  const table = useRef<HTMLTableElement>(null)
  const { state, data, error, isPlaceholderData, isFiltered, id } = useListQuery(props)
  const [selection, onSelection] = useSelection(id)
  return (
    <Page title={title} lead={lead} action={action}>
      <div className="grid gap-3">
        {views !== undefined && (
          <SavedViews list={views} state={state} filters={filters} columns={columns} />
        )}
        <ListTools
          {...props}
          filters={filters}
          state={state}
          listed={data}
          onDown={() => focusRow(table.current?.querySelector<HTMLElement>('tr[data-row]'))}
        />
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
          {data?.total === 0 && (isFiltered ? (nothing ?? <NothingFound />) : empty)}
          {data && data.total > 0 && (
            <ListRows {...props} {...{ table, state, selection, onSelection }} listed={data} />
          )}
        </div>
      </div>
    </Page>
  )
}

interface ToolsProps<Row>
  extends Pick<ListPageProps<Row>, 'searchFor' | 'columns' | 'csvName' | 'tools'> {
  filters: readonly Filter[]
  state: ListState
  listed: Listed<Row> | undefined
  /** The arrow key that leaves the search box for the first row. */
  onDown: () => void
}

/** The line above the rows: search, total, filters and downloads. */
function ListTools<Row>(props: ToolsProps<Row>): ReactNode {
  const { searchFor, columns, csvName, tools, filters, state, listed, onDown } = props
  return (
    <div className="flex flex-wrap items-center gap-2">
      {searchFor !== undefined && (
        <SearchBox state={state} placeholder={searchFor} onDown={onDown} />
      )}
      <span className="text-soft tabular-nums" role="status">
        {listed && (listed.is_cut ? texts.list.truncatedTotal : texts.list.total)(listed.total)}
      </span>
      <span className="ml-auto flex gap-2">
        {(filters.length > 0 || columns.some((column) => column.sort)) && (
          <FilterButton state={state} filters={filters} columns={columns} />
        )}
        {tools ?? (
          <IconButton
            icon={Download}
            label={texts.list.exportShown}
            disabled={!listed || listed.data.length === 0}
            onClick={() => saveCsv(csvName, columns, listed?.data ?? [])}
          />
        )}
      </span>
    </div>
  )
}

function saveCsv<Row>(name: string, columns: readonly Column<Row>[], rows: readonly Row[]): void {
  const exported = columns.filter(({ csv }) => csv !== undefined)
  const lines = rows.map((row) => exported.map(({ csv }) => csv?.(row) ?? ''))
  saveFile(`${name}.csv`, toCsv([exported.map(({ header }) => header), ...lines]))
}

interface RowsProps<Row> extends RowSet<Row>, Pick<ListPageProps<Row>, 'title' | 'bulk'> {
  table: RefObject<HTMLTableElement | null>
  state: ListState
  selection: RowSelectionState
  onSelection: (next: RowSelectionState) => void
  listed: Listed<Row>
}

/** The rows of one page of the list, and below them the actions for the selected ones and the pager. */
function ListRows<Row extends RowData>(props: RowsProps<Row>): ReactNode {
  const { title, bulk, table, state, selection, onSelection, listed, ...rowSet } = props
  const chosen = listed.data.filter((row) => selection[rowSet.keyOf(row)])
  const clear = () => onSelection({})
  return (
    <>
      <ListTable
        ref={table}
        caption={title}
        rows={listed.data}
        {...rowSet}
        sorting={{ sort: state.search.sort, onSort: (sort) => state.change({ sort }) }}
        {...(bulk ? { selection, onSelection } : {})}
      />
      <div
        className={cx(
          'bottom-0 z-10 flex min-h-12 flex-wrap items-center gap-2 rounded-b-xl border-t border-line bg-card px-3 py-1.5',
          // On a phone it would cover too many rows, so it is sticky only while rows are selected.
          chosen.length > 0 ? 'sticky' : 'sm:sticky',
        )}
      >
        {bulk && chosen.length > 0 && (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms.
          <div
            role="group"
            aria-label={texts.list.bulk}
            className="flex flex-wrap items-center gap-2"
          >
            <strong className="font-medium">{texts.list.selected(chosen.length)}</strong>
            {bulk(chosen, clear)}
            <Button variant="quiet" icon={X} onClick={clear}>
              {texts.list.clearSelection}
            </Button>
          </div>
        )}
        <span className="ml-auto">
          <Pager list={listed} onPage={state.toPage} />
        </span>
      </div>
    </>
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
