import type { ReactNode } from 'react'
import { texts } from '../../texts.ts'
import { Button, type ButtonVariant } from '../button.tsx'
import { Notice } from '../display/notice.tsx'
import type { Form } from './use-form.ts'

interface Props {
  form: Pick<Form<never>, 'onSubmit' | 'problem' | 'busy'>
  /** The label of the submit button; without it, there is none. */
  action: string | undefined
  variant?: ButtonVariant
  /** Gives the button the full width, on pages that consist of the form. */
  wide?: boolean
  /** Whether there is nothing to submit yet. */
  disabled?: boolean
  onCancel?: (() => void) | undefined
  /** The name of the form, for screen readers. */
  label?: string
  /** The fields. */
  children: ReactNode
}

/** A form that is part of a page: its fields, an error for the form as a whole, and the button that submits it. */
export function PageForm(props: Props): ReactNode {
  const { form, action, variant = 'plain', wide = false, disabled = false } = props
  const submit = action !== undefined && (
    <Button
      type="submit"
      variant={variant}
      busy={form.busy}
      disabled={disabled}
      {...(wide ? { className: 'h-10' } : {})}
    >
      {action}
    </Button>
  )
  return (
    <form
      onSubmit={form.onSubmit}
      noValidate
      aria-label={props.label}
      className="grid min-w-0 gap-4"
    >
      {props.children}
      {form.problem !== undefined && <Notice tone="failed">{form.problem}</Notice>}
      {wide || !submit ? (
        submit
      ) : (
        <div className="flex flex-wrap gap-2">
          {submit}
          {props.onCancel && <Button onClick={props.onCancel}>{texts.common.cancel}</Button>}
        </div>
      )}
    </form>
  )
}
