import { ChevronLeft, ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { texts } from '../../texts.ts'
import { IconButton } from '../icon-button.tsx'

interface Props {
  /** The page of a list, as the API answers. Pages are counted from 0. */
  list: { page: number; pagesize: number; total: number }
  onPage: (page: number) => void
}

export function Pager({ list: { page, pagesize, total }, onPage }: Props): ReactNode {
  const from = Math.min(page * pagesize + 1, total)
  const to = Math.min((page + 1) * pagesize, total)
  return (
    <nav aria-label={texts.list.pages} className="flex items-center justify-end gap-1 tabular-nums">
      <span className="px-2 text-soft" aria-live="polite">
        {texts.list.range(from, to, total)}
      </span>
      <IconButton
        icon={ChevronLeft}
        label={texts.list.previous}
        disabled={page === 0}
        onClick={() => onPage(page - 1)}
      />
      <IconButton
        icon={ChevronRight}
        label={texts.list.next}
        disabled={to >= total}
        onClick={() => onPage(page + 1)}
      />
    </nav>
  )
}
