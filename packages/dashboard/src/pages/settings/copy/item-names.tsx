import type { CopyItem } from '@gatehouse/server/dashboard-api'
import type { ReactNode } from 'react'
import { cx } from '../../../components/cx.ts'
import { keyOf, nameOf } from './items.ts'

interface Props {
  items: readonly Pick<CopyItem, 'kind' | 'rid' | 'name'>[]
  className: string
}

export function ItemNames({ items, className }: Props): ReactNode {
  return (
    <ul className={cx('grid gap-0.5', className)}>
      {items.map((item) => (
        <li key={keyOf(item)} className="wrap-anywhere">
          {nameOf(item)}
        </li>
      ))}
    </ul>
  )
}
