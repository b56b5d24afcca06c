import { X } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import { texts } from '../../texts.ts'
import { cx } from '../cx.ts'
import { IconButton } from '../icon-button.tsx'
import { focusFirstField, restoreFocus } from '../restore-focus.ts'

export const backdropClass = 'fixed inset-0 z-40 animate-appear bg-veil'

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
    <Radix.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className={backdropClass} />
        <Radix.Content
          {...(lead === undefined ? { 'aria-describedby': undefined } : {})}
          onOpenAutoFocus={focusFirstField}
          onCloseAutoFocus={restoreFocus}
          className={cx(
            'fixed top-[6dvh] left-1/2 z-50 grid max-h-[88dvh] w-[calc(100vw-2rem)] -translate-x-1/2 gap-4',
            'animate-appear overflow-y-auto rounded-xl border border-line bg-raised p-5 shadow-float',
            wide ? 'max-w-3xl' : 'max-w-md',
          )}
        >
          <div className="flex items-start justify-between gap-3">
            <Radix.Title className="text-base leading-8 font-semibold">{title}</Radix.Title>
            <Radix.Close asChild>
              <IconButton icon={X} label={texts.common.close} />
            </Radix.Close>
          </div>
          {lead !== undefined && (
            <Radix.Description asChild>
              <div className="-mt-2 text-soft">{lead}</div>
            </Radix.Description>
          )}
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

interface ButtonsProps {
  /** What the buttons will do. */
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
