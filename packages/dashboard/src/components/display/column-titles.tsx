import type { ReactNode } from 'react'
import { cx } from '../cx.ts'

export interface ColumnTitle {
  title: string
  className?: string
  /** Shows the title to screen readers only. */
  isHidden?: boolean
}

interface Props {
  columns: readonly ColumnTitle[]
  /** The style of every title. */
  className: string
}

/** The head of a table that is not a list: the titles of its columns. */
export function ColumnTitles({ columns, className }: Props): ReactNode {
  return (
    <thead>
      <tr>
        {columns.map(({ title, className: own, isHidden }) => (
          <th key={title} scope="col" className={cx(className, own)}>
            {isHidden ? <span className="sr-only">{title}</span> : title}
          </th>
        ))}
      </tr>
    </thead>
  )
}
