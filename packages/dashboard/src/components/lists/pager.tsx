import { ChevronLeft, ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { texts } from '../../texts.ts'
import { IconButton } from '../icon-button.tsx'

interface Props {
  /** Counted from 0. */
  page: number
  pagesize: number
  total: number
  onPage: (page: number) => void
}

export function Pager({ page, pagesize, total, onPage }: Props): ReactNode {
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

interface FootProps {
  /** A page of a list, as the API answers. */
  list: Omit<Props, 'onPage'>
  /** Changes the address; the first page has none of its own. */
  onPage: (page: string | undefined) => void
}

/** The pager below a table, in a row of its own. */
export function PagerRow({ list: { page, pagesize, total }, onPage }: FootProps): ReactNode {
  return (
    <div className="flex min-h-12 items-center justify-end border-t border-line px-3 py-1.5">
      <Pager
        page={page}
        pagesize={pagesize}
        total={total}
        onPage={(next) => onPage(next === 0 ? undefined : String(next))}
      />
    </div>
  )
}
