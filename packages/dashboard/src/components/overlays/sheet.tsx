import { X } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import { texts } from '../../texts.ts'
import { cx } from '../cx.ts'
import { IconButton } from '../icon-button.tsx'
import { restoreFocus } from '../restore-focus.ts'
import { backdropClass } from './dialog.tsx'

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
    <Radix.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className={backdropClass} />
        <Radix.Content
          aria-describedby={undefined}
          onCloseAutoFocus={restoreFocus}
          className={cx(
            'fixed inset-y-0 z-50 flex flex-col overflow-y-auto border-line bg-raised p-4 shadow-float',
            side === 'left'
              ? 'left-0 w-[min(18rem,88vw)] animate-slide border-r'
              : 'right-0 w-[min(34rem,96vw)] animate-appear border-l',
          )}
        >
          <div className="mb-2 flex items-center justify-between gap-3">
            <Radix.Title className="text-base font-semibold">{title}</Radix.Title>
            <Radix.Close asChild>
              <IconButton icon={X} label={texts.common.close} />
            </Radix.Close>
          </div>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
