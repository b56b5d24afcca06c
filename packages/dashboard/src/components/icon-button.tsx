import type { LucideIcon } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import { cx } from './cx.ts'

interface Props extends ComponentProps<'button'> {
  icon: LucideIcon
  /** The action, for screen readers and as a tooltip. */
  label: string
}

export function IconButton({ icon: Icon, label, className, ...rest }: Props): ReactNode {
  return (
    <button
      type="button"
      title={label}
      aria-label={label}
      {...rest}
      className={cx(
        'inline-grid size-8 shrink-0 place-items-center rounded-lg text-soft transition-colors',
        'hover:bg-hover hover:text-ink disabled:opacity-40 aria-disabled:opacity-40 pointer-coarse:size-11',
        className,
      )}
    >
      <Icon size={16} aria-hidden />
    </button>
  )
}
