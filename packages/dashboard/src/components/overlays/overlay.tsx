import { X } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import type { ComponentProps, ReactNode } from 'react'
import { texts } from '../../texts.ts'
import { IconButton } from '../icon-button.tsx'
import { restoreFocus } from '../restore-focus.ts'

export const backdropClass = 'fixed inset-0 z-40 animate-appear bg-veil'

interface Props extends ComponentProps<typeof Radix.Content> {
  open: boolean
  onClose: () => void
}

/** The common part of dialogs and sheets: a panel over the page, which is darkened. It needs an `OverlayTitle`. */
export function Overlay({ open, onClose, ...panel }: Props): ReactNode {
  return (
    <Radix.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className={backdropClass} />
        <Radix.Content onCloseAutoFocus={restoreFocus} {...panel} />
      </Radix.Portal>
    </Radix.Root>
  )
}

export const OverlayTitle = Radix.Title
export const OverlayDescription = Radix.Description

export function CloseButton(): ReactNode {
  return (
    <Radix.Close asChild>
      <IconButton icon={X} label={texts.common.close} />
    </Radix.Close>
  )
}
