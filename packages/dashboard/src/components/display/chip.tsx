import { X } from 'lucide-react'
import type { ReactNode } from 'react'

interface Props {
  children: ReactNode
  /** Makes the chip removable; needs `removeLabel`. */
  onRemove?: () => void
  removeLabel?: string
}

export function Chip({ children, onRemove, removeLabel }: Props): ReactNode {
  return (
    <span className="inline-flex h-7 max-w-full items-center gap-1 rounded-full border border-line bg-raised px-2.5">
      <span className="truncate">{children}</span>
      {onRemove && (
        <button
          type="button"
          aria-label={removeLabel}
          onClick={onRemove}
          className="-mr-1.5 grid size-6 shrink-0 place-items-center rounded-full text-soft hover:bg-hover hover:text-ink"
        >
          <X size={14} aria-hidden />
        </button>
      )}
    </span>
  )
}
