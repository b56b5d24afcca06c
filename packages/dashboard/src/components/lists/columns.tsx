import { formatBytes, formatDay } from '../../format.ts'
import { texts } from '../../texts.ts'
import { Time } from '../display/time.tsx'
import type { Column } from './list-table.tsx'

/** The person whom a record belongs to; the list can be sorted by their names. */
export const personColumn = <Row,>(column: Pick<Column<Row>, 'cell' | 'csv'>): Column<Row> => ({
  id: 'who',
  header: texts.records.person,
  wraps: true,
  sort: { by: 'name' },
  ...column,
})

/** The name of a record's resource; the CSV has its rid. */
export const resourceColumn = (
  from: NonNullable<Column<unknown>['from']>,
): Column<{ resource: string; rid: string }> => ({
  id: 'resource',
  header: texts.records.resource,
  wraps: true,
  cell: ({ resource }) => resource,
  csv: ({ rid }) => rid,
  from,
})

/** A number of bytes; the CSV has it unrounded. */
export const bytesColumn = <N extends string>(
  name: N,
  header: string,
): Column<{ readonly [name in N]: number }> => ({
  id: name,
  header,
  cell: (row) => formatBytes(row[name]),
  csv: (row) => row[name],
  right: true,
  from: 'sm',
})

/** The day of a time that the list can be sorted by; the newest come first. */
export const dayColumn = <N extends string>(
  name: N,
  column: Pick<Column<unknown>, 'id' | 'header' | 'from'>,
): Column<{ readonly [name in N]: number }> => ({
  ...column,
  sort: { by: name, downFirst: true },
  cell: (row) => <Time day at={row[name] * 1000} now={null} />,
  csv: (row) => formatDay(row[name] * 1000),
})
