import { Link, useNavigate } from '@tanstack/react-router'
import {
  type RowData,
  type RowSelectionState,
  rowSelectionFeature,
  tableFeatures,
  useTable,
} from '@tanstack/react-table'
import { type KeyboardEvent, type MouseEvent, type ReactNode, type Ref, useMemo } from 'react'
import { texts } from '../../texts.ts'
import { cx } from '../cx.ts'
import { Checkbox } from '../forms/checkbox.tsx'
import { type MenuItem, MoreMenu } from '../overlays/menu.tsx'
import { type Column, cellClass, type Sorting, TableHead } from './table-head.tsx'

export type { Column } from './table-head.tsx'

/** How a list shows its rows. */
export interface RowSet<Row> {
  columns: readonly Column<Row>[]
  keyOf: (row: Row) => string
  /** For screen readers: “Select Ann”. */
  nameOf: (row: Row) => string
  /** The URL of the record. */
  hrefOf?: (row: Row) => string
  /** Without it, rows have no menus. */
  menuOf?: ((row: Row) => readonly MenuItem[]) | undefined
}

interface Props<Row> extends RowSet<Row> {
  caption: string
  rows: readonly Row[]
  /** Makes rows selectable. */
  selection?: RowSelectionState
  onSelection?: (next: RowSelectionState) => void
  sorting?: Sorting | undefined
  ref?: Ref<HTMLTableElement>
}

const features = tableFeatures({ rowSelectionFeature })
const NOTHING_SELECTED: RowSelectionState = {}

/** The parts of a click that the table reads: Shift selects the range from the previous one. */
interface Toggle {
  target: { checked: boolean }
  shiftKey: boolean
}
const toggleOf = (checked: boolean, shiftKey: boolean): Toggle => ({
  target: { checked },
  shiftKey,
})

/** j/k or the arrow keys move between rows and x selects; Enter opens, because the link has the focus. */
function moveInRows(event: KeyboardEvent<HTMLTableElement>): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return
  const row = (event.target as Element).closest<HTMLElement>('tr[data-row]')
  const step = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 }[event.key]
  if (step !== undefined) {
    const rows = [...event.currentTarget.querySelectorAll<HTMLElement>('tr[data-row]')]
    const at = row === null ? (step === 1 ? -1 : rows.length) : rows.indexOf(row)
    focusRow(rows[at + step])
    event.preventDefault()
  } else if (event.key === 'x' && row !== null) {
    row.querySelector<HTMLElement>('[role=checkbox]')?.click()
    event.preventDefault()
  }
}

export function focusRow(row: HTMLElement | null | undefined): void {
  const target =
    row?.querySelector<HTMLElement>('a') ??
    row?.querySelector<HTMLElement>('[role=checkbox], button')
  target?.focus()
  target?.scrollIntoView({ block: 'nearest' })
}

export function ListTable<Row extends RowData>(props: Props<Row>): ReactNode {
  const { caption, rows, keyOf, menuOf, selection, onSelection, sorting, ref } = props
  const columns = props.columns.filter(({ isCsvOnly }) => !isCsvOnly)
  const definitions = useMemo(
    () => props.columns.map(({ id, header }) => ({ id, header, accessorFn: (row: Row) => row })),
    [props.columns],
  )
  const table = useTable({
    features,
    columns: definitions,
    data: rows as Row[],
    getRowId: keyOf,
    state: { rowSelection: selection ?? NOTHING_SELECTED },
    isRowRangeSelectionEvent: (event) => (event as Toggle).shiftKey,
    onRowSelectionChange: (change) =>
      onSelection?.(typeof change === 'function' ? change(selection ?? {}) : change),
  })
  const selectAll = selection && (
    <Checkbox
      bare
      label={texts.list.selectAll}
      checked={table.getIsAllRowsSelected() || (table.getIsSomeRowsSelected() && 'indeterminate')}
      onCheckedChange={(checked) => table.toggleAllRowsSelected(checked)}
    />
  )
  return (
    <table ref={ref} onKeyDown={moveInRows} className="w-full border-separate border-spacing-0">
      <caption className="sr-only">
        {caption}. {texts.list.keys}
      </caption>
      <TableHead
        columns={columns}
        selectAll={selectAll}
        hasMenus={menuOf !== undefined}
        sorting={sorting}
      />
      <tbody>
        {table.getRowModel().rows.map((row) => (
          <TableRow
            {...props}
            columns={columns}
            key={row.id}
            row={row.original}
            isSelected={selection && row.getIsSelected()}
            onSelect={(checked, shiftKey) =>
              row.getToggleSelectedHandler()(toggleOf(checked, shiftKey))
            }
          />
        ))}
      </tbody>
    </table>
  )
}

interface RowProps<Row> extends RowSet<Row> {
  row: Row
  /** Undefined if rows can't be selected. */
  isSelected: boolean | undefined
  onSelect: (checked: boolean, shiftKey: boolean) => void
}

/** One row: a click anywhere but on a control opens its record. */
function TableRow<Row>(props: RowProps<Row>): ReactNode {
  const { row, columns, nameOf, hrefOf, menuOf, isSelected, onSelect } = props
  const navigate = useNavigate()

  function open(event: MouseEvent) {
    const inside = (event.target as Element).closest('a, button, input, label, [role=menu]')
    if (hrefOf === undefined || inside !== null || String(getSelection()) !== '') return
    void navigate({ to: hrefOf(row) })
  }

  return (
    <tr
      data-row
      aria-selected={isSelected}
      onClick={open}
      className={cx(
        // Focused links and buttons must not hide below the pager, which sticks to the lower edge.
        '[&_a]:scroll-mb-16 [&_button]:scroll-mb-16',
        'group focus-within:bg-hover hover:bg-hover aria-selected:bg-tint [&>td]:border-t [&>td]:border-line',
        hrefOf && 'cursor-pointer',
      )}
    >
      {isSelected !== undefined && (
        <td className="w-10 py-2 pl-4">
          <Checkbox
            bare
            label={texts.list.selectRow(nameOf(row))}
            checked={isSelected}
            onClick={({ shiftKey }) => onSelect(!isSelected, shiftKey)}
          />
        </td>
      )}
      {columns.map((column, at) => (
        <td key={column.id} className={cellClass(column)}>
          {at === 0 && hrefOf ? (
            <Link to={hrefOf(row)} className="font-medium hover:underline">
              {column.cell(row)}
            </Link>
          ) : (
            column.cell(row)
          )}
        </td>
      ))}
      {menuOf && (
        <td className="w-12 py-1 pr-2 text-right">
          <MoreMenu label={texts.common.actionsFor(nameOf(row))} items={menuOf(row)} />
        </td>
      )}
    </tr>
  )
}
