import type { ComponentProps, ReactNode } from 'react'
import { cx } from '../cx.ts'
import { useFieldProps } from './field.tsx'

/** The style shared by all inputs and selects. */
export const inputClass = cx(
  'w-full min-w-0 rounded-lg border border-edge bg-card px-2.5 py-1.5 text-ink max-sm:text-base',
  'hover:border-accent aria-invalid:border-failed disabled:border-line disabled:text-soft',
)

export function TextInput({ className, ...rest }: ComponentProps<'input'>): ReactNode {
  return <input type="text" {...useFieldProps()} {...rest} className={cx(inputClass, className)} />
}

/** An input for what programs read, such as an id: the browser neither completes nor corrects it. */
export function LiteralInput(props: ComponentProps<'input'>): ReactNode {
  return <TextInput autoComplete="off" spellCheck={false} {...props} />
}

export function TextArea({ className, ...rest }: ComponentProps<'textarea'>): ReactNode {
  return <textarea rows={4} {...useFieldProps()} {...rest} className={cx(inputClass, className)} />
}
