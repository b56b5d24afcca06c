import type { ReactNode } from 'react'
import { type ColumnTitle, ColumnTitles } from '../../../components/display/column-titles.tsx'
import { bodyClass, headClass } from './columns-table.tsx'

interface Props {
  /** For screen readers. */
  caption: string
  columns: readonly ColumnTitle[]
  children: ReactNode
}

/** A small table of rows of the file. */
export function RowsTable({ caption, columns, children }: Props): ReactNode {
  return (
    <div className="rounded-lg border border-line">
      <table className="w-full">
        <caption className="sr-only">{caption}</caption>
        <ColumnTitles columns={columns} className={headClass} />
        <tbody className={`${bodyClass} [&_td]:align-top`}>{children}</tbody>
      </table>
    </div>
  )
}
