import type { ReactNode } from 'react'
import { texts } from '../../texts.ts'
import { Button, type ButtonVariant } from '../button.tsx'
import { Notice } from '../display/notice.tsx'
import { DialogButtons } from '../overlays/dialog.tsx'
import type { Form } from './use-form.ts'

interface Props {
  form: Pick<Form<never>, 'onSubmit' | 'problem' | 'busy'>
  onClose: () => void
  /** The label of the submit button. */
  action: string
  variant?: ButtonVariant
  /** The effect of submitting the form; stays visible beside the buttons. */
  summary?: ReactNode
  /** Whether there is nothing to submit yet. */
  disabled?: boolean
  /** The fields. */
  children: ReactNode
}

/** The form of a dialog: its fields, an error for the form as a whole, and two buttons. */
export function DialogForm({
  form,
  onClose,
  action,
  variant = 'primary',
  summary,
  disabled = false,
  children,
}: Props): ReactNode {
  return (
    <form onSubmit={form.onSubmit} noValidate className="grid gap-4">
      {children}
      {form.problem !== undefined && <Notice tone="failed">{form.problem}</Notice>}
      <DialogButtons summary={summary}>
        <Button onClick={onClose}>{texts.common.cancel}</Button>
        <Button type="submit" variant={variant} busy={form.busy} disabled={disabled}>
          {action}
        </Button>
      </DialogButtons>
    </form>
  )
}
