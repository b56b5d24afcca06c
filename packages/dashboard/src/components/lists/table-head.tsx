import { ArrowDown, ArrowUp } from 'lucide-react'
import type { ReactNode } from 'react'
import { texts } from '../../texts.ts'
import { cx } from '../cx.ts'

export interface Column<Row> {
  id: string
  header: string
  cell: (row: Row) => ReactNode
  /** The value in the CSV; without it, the column is left out there. */
  csv?: (row: Row) => string | number
  right?: boolean
  /** Allows several lines, for text. Other columns stay on one line and get the width they need. */
  wraps?: boolean
  /** Hides the column on narrower screens. */
  from?: 'sm' | 'md' | 'lg' | 'xl'
  /** The server's name of the column, if the list can be sorted by it, and whether a first click sorts downwards. */
  sort?: { by: string; downFirst?: boolean }
  /** Leaves the column out of the table, so that it is in the CSV alone. */
  isCsvOnly?: boolean
}

const FROM = {
  sm: 'max-sm:hidden',
  md: 'max-md:hidden',
  lg: 'max-lg:hidden',
  xl: 'max-xl:hidden',
} as const

/** Limits wrapping columns, so that a long word in one row can't squeeze the others, yet no word breaks mid-letter. */
export const cellClass = <Row,>({ right, wraps, from }: Column<Row>) =>
  cx(
    'px-3 py-2 align-middle max-sm:px-2 max-sm:first:pl-3',
    wraps ? 'max-w-80 sm:min-w-36' : 'whitespace-nowrap',
    right && 'text-right',
    from && FROM[from],
  )

const headClass =
  'sticky top-(--band-height) z-10 bg-card px-3 py-2 text-left text-xs font-medium whitespace-nowrap text-soft first:rounded-tl-xl last:rounded-tr-xl'

/** The sort order of a list, and how to change it. */
export interface Sorting {
  /** A column, with `-` if it is sorted downwards. */
  sort: string | undefined
  onSort: (sort: string | undefined) => void
}

interface HeadProps<Row> {
  columns: readonly Column<Row>[]
  /** The checkbox for all rows, if rows can be selected. */
  selectAll: ReactNode
  hasMenus: boolean
  sorting: Sorting | undefined
}

export function TableHead<Row>({
  columns,
  selectAll,
  hasMenus,
  sorting,
}: HeadProps<Row>): ReactNode {
  return (
    <thead>
      <tr>
        {selectAll !== undefined && (
          <th scope="col" className={cx(headClass, 'w-10 pl-4')}>
            {selectAll}
          </th>
        )}
        {columns.map((column) => (
          <th
            key={column.id}
            scope="col"
            className={cx(headClass, cellClass(column))}
            {...ariaSort(column, sorting)}
          >
            {sorting && column.sort ? (
              <SortButton column={column} sorting={sorting} />
            ) : (
              column.header
            )}
          </th>
        ))}
        {hasMenus && (
          <th scope="col" className={cx(headClass, 'w-12')}>
            <span className="sr-only">{texts.list.actions}</span>
          </th>
        )}
      </tr>
    </thead>
  )
}

/** Whether a column is the one that sorts the list, and in which direction. */
function directionOf<Row>(
  { sort }: Column<Row>,
  sorting: Sorting | undefined,
): 'ascending' | 'descending' | undefined {
  if (sort === undefined || sorting?.sort === undefined) return undefined
  if (sorting.sort === sort.by) return 'ascending'
  return sorting.sort === `-${sort.by}` ? 'descending' : undefined
}

function ariaSort<Row>(column: Column<Row>, sorting: Sorting | undefined) {
  const direction = directionOf(column, sorting)
  return direction === undefined ? {} : { 'aria-sort': direction }
}

/** The header of a sortable column. Clicks sort one way, the other way, and then as before. */
function SortButton<Row>({
  column,
  sorting,
}: {
  column: Column<Row>
  sorting: Sorting
}): ReactNode {
  const { by = '', downFirst = false } = column.sort ?? {}
  const direction = directionOf(column, sorting)
  const steps = downFirst ? [`-${by}`, by] : [by, `-${by}`]
  const next = direction === undefined ? steps[0] : steps[steps.indexOf(sorting.sort ?? '') + 1]
  const Arrow = direction === 'descending' ? ArrowDown : ArrowUp
  return (
    <button
      type="button"
      onClick={() => sorting.onSort(next)}
      className={cx(
        'group/sort -mx-1 inline-flex items-center gap-1 rounded px-1 py-0.5 hover:text-ink',
        column.right && 'flex-row-reverse',
      )}
    >
      {column.header}
      <Arrow
        size={12}
        aria-hidden
        className={cx(
          'shrink-0',
          direction === undefined &&
            'opacity-0 group-hover/sort:opacity-60 group-focus-visible/sort:opacity-60',
        )}
      />
    </button>
  )
}
