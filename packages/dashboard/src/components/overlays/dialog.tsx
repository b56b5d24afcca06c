import type { ReactNode } from 'react'
import { cx } from '../cx.ts'
import { focusFirstField } from '../restore-focus.ts'
import { CloseButton, Overlay, OverlayDescription, OverlayTitle } from './overlay.tsx'

interface Props {
  open: boolean
  onClose: () => void
  title: string
  lead?: ReactNode
  wide?: boolean
  children: ReactNode
}

/** Put forms and buttons inside, and end with <DialogButtons>. */
export function Dialog({ open, onClose, title, lead, wide = false, children }: Props): ReactNode {
  return (
    <Overlay
      open={open}
      onClose={onClose}
      {...(lead === undefined ? { 'aria-describedby': undefined } : {})}
      onOpenAutoFocus={focusFirstField}
      className={cx(
        'fixed top-[6dvh] left-1/2 z-50 grid max-h-[88dvh] w-[calc(100vw-2rem)] -translate-x-1/2 gap-4',
        'animate-appear overflow-y-auto rounded-xl border border-line bg-raised p-5 shadow-float',
        wide ? 'max-w-3xl' : 'max-w-md',
      )}
    >
      <div className="flex items-start justify-between gap-3">
        <OverlayTitle className="text-base leading-8 font-semibold">{title}</OverlayTitle>
        <CloseButton />
      </div>
      {lead !== undefined && (
        <OverlayDescription asChild>
          <div className="-mt-2 text-soft">{lead}</div>
        </OverlayDescription>
      )}
      {children}
    </Overlay>
  )
}

interface ButtonsProps {
  /** The effect of the buttons, shown above them. */
  summary?: ReactNode
  children: ReactNode
}

/** Stays visible, however long the form above is. */
export function DialogButtons({ summary, children }: ButtonsProps): ReactNode {
  return (
    <div className="sticky -bottom-5 z-10 -mx-5 -mb-5 grid gap-3 rounded-b-xl border-t border-line bg-raised px-5 py-3">
      {summary}
      <div className="flex flex-wrap justify-end gap-2">{children}</div>
    </div>
  )
}
