import type { Page } from '@gatehouse/server/dashboard-api'
import type { RowData } from '@tanstack/react-table'
import type { ReactNode } from 'react'
import { useListState } from './list-state.ts'
import { ListTable, type RowSet } from './list-table.tsx'
import { Pager } from './pager.tsx'

interface Props<Row> extends RowSet<Row> {
  caption: string
  list: Page<Row>
}

/** A table with buttons to the next and the previous rows, for screens that show more than one list. The URL says which
 * rows are shown. */
export function PagedTable<Row extends RowData>(props: Props<Row>): ReactNode {
  const { caption, list, ...rowSet } = props
  const { toPage } = useListState()
  return (
    <>
      <ListTable caption={caption} rows={list.data} {...rowSet} />
      <div className="flex min-h-12 items-center justify-end border-t border-line px-3 py-1.5">
        <Pager list={list} onPage={toPage} />
      </div>
    </>
  )
}
