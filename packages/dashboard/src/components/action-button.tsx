import type { ReactNode } from 'react'
import { Button, type ButtonProps } from './button.tsx'
import { toastOnError } from './overlays/toast-on-error.ts'
import { useBusy } from './use-action.ts'

interface Props extends Omit<ButtonProps, 'busy' | 'onClick'> {
  action: () => Promise<unknown>
}

/** A button whose action runs at once: it is busy meanwhile, and a toast says if the action failed. */
export function ActionButton({ action, ...button }: Props): ReactNode {
  const { busy, whileBusy } = useBusy()
  return <Button {...button} busy={busy} onClick={() => toastOnError(whileBusy(action))} />
}
