import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'

interface Props {
  icon?: LucideIcon
  title: string
  /** An explanation of the list or page, and why it is empty. */
  children?: ReactNode
  /** One button, or one line of code, that adds the first item. */
  action?: ReactNode
}

export function EmptyState({ icon: Icon, title, children, action }: Props): ReactNode {
  return (
    <div className="mx-auto grid max-w-md justify-items-center gap-3 px-4 py-12 text-center">
      {Icon && (
        <span className="grid size-11 place-items-center rounded-full bg-tint text-accent">
          <Icon size={20} aria-hidden />
        </span>
      )}
      <h2 className="text-base font-semibold">{title}</h2>
      {children !== undefined && <div className="text-soft">{children}</div>}
      {action}
    </div>
  )
}
