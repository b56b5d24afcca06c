import type { ReactNode } from 'react'
import { cx } from '../cx.ts'

interface Props {
  children: string
  className?: string
}

/** Shows at most two lines of a long name, and all of it on hover. */
export function Clamped({ children, className }: Props): ReactNode {
  return (
    <span title={children} className={cx('line-clamp-2', className)}>
      {children}
    </span>
  )
}
