import type { ReactNode } from 'react'
import { cx } from '../cx.ts'
import { CloseButton, Overlay, OverlayTitle } from './overlay.tsx'

interface Props {
  open: boolean
  onClose: () => void
  title: string
  side?: 'left' | 'right'
  children: ReactNode
}

/** A panel that slides in from the side, over the page. */
export function Sheet({ open, onClose, title, side = 'right', children }: Props): ReactNode {
  return (
    <Overlay
      open={open}
      onClose={onClose}
      aria-describedby={undefined}
      className={cx(
        'fixed inset-y-0 z-50 flex flex-col overflow-y-auto border-line bg-raised p-4 shadow-float',
        side === 'left'
          ? 'left-0 w-[min(18rem,88vw)] animate-slide border-r'
          : 'right-0 w-[min(34rem,96vw)] animate-appear border-l',
      )}
    >
      <div className="mb-2 flex items-center justify-between gap-3">
        <OverlayTitle className="text-base font-semibold">{title}</OverlayTitle>
        <CloseButton />
      </div>
      {children}
    </Overlay>
  )
}
