import { CircleAlert } from 'lucide-react'
import { createContext, type ReactNode, use, useId } from 'react'
import { texts } from '../../texts.ts'

interface FieldContext {
  id: string
  describedBy: string | undefined
  invalid: boolean
}

const Context = createContext<FieldContext | undefined>(undefined)

/** The attributes that connect an input with the label, hint and error of its field. */
export function useFieldProps(): {
  id?: string
  'aria-describedby'?: string
  'aria-invalid'?: true
} {
  const field = use(Context)
  if (field === undefined) return {}
  return {
    id: field.id,
    ...(field.describedBy === undefined ? {} : { 'aria-describedby': field.describedBy }),
    ...(field.invalid ? { 'aria-invalid': true } : {}),
  }
}

interface Props {
  label: string
  hint?: ReactNode
  error?: string | undefined
  optional?: boolean
  /** One input component of this folder. */
  children: ReactNode
}

export function Field({ label, hint, error, optional = false, children }: Props): ReactNode {
  const id = useId()
  const notes = [error !== undefined && `${id}-error`, hint !== undefined && `${id}-hint`]
  const describedBy = notes.filter(Boolean).join(' ') || undefined
  return (
    <div className="grid min-w-0 gap-1">
      <label htmlFor={id} className="font-medium">
        {label}
        {optional && <span className="font-normal text-soft"> ({texts.common.optional})</span>}
      </label>
      <Context value={{ id, describedBy, invalid: error !== undefined }}>{children}</Context>
      {/* Always rendered, so that screen readers announce an error that appears later. */}
      <div id={`${id}-error`} aria-live="polite">
        {error !== undefined && (
          <p className="flex items-start gap-1 text-failed">
            <CircleAlert size={14} className="mt-0.5 shrink-0" aria-hidden />
            {error}
          </p>
        )}
      </div>
      {hint !== undefined && (
        <p id={`${id}-hint`} className="text-soft">
          {hint}
        </p>
      )}
    </div>
  )
}
