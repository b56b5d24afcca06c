import type { ReactNode } from 'react'
import { bodyClass, headClass } from './columns-table.tsx'

interface Props {
  /** For screen readers. */
  caption: string
  columns: readonly { title: string; className?: string }[]
  children: ReactNode
}

/** A small table of rows of the file. */
export function RowsTable({ caption, columns, children }: Props): ReactNode {
  return (
    <div className="rounded-lg border border-line">
      <table className="w-full">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ title, className = '' }) => (
              <th key={title} scope="col" className={`${headClass} ${className}`}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className={`${bodyClass} [&_td]:align-top`}>{children}</tbody>
      </table>
    </div>
  )
}
