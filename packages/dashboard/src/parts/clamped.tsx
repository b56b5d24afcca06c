import type { ReactNode } from 'react'
import { cx } from './cx.ts'

interface Props {
  children: string
  className?: string
}

/** Two lines of a name that may be very long; all of it when pointed at. */
export function Clamped({ children, className }: Props): ReactNode {
  return (
    <span title={children} className={cx('line-clamp-2', className)}>
      {children}
    </span>
  )
}
