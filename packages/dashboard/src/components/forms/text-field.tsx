import type { ComponentProps, ReactNode } from 'react'
import { Field } from './field.tsx'
import { TextArea, TextInput } from './text-input.tsx'

export interface FieldProps {
  label: string
  hint?: ReactNode
  error?: string | undefined
  optional?: boolean
}

type TextFieldProps = FieldProps & ComponentProps<'input'>

/** A text input with its label: `<TextField {...form.field('email')} label={…} />`. The browser completes only what
 * `autoComplete` names. */
export function TextField(props: TextFieldProps): ReactNode {
  const { label, hint, error, optional = false, ...input } = props
  return (
    <Field {...{ label, hint, error, optional }}>
      <TextInput autoComplete="off" {...input} />
    </Field>
  )
}

export function EmailField(props: TextFieldProps): ReactNode {
  return <TextField type="email" {...props} />
}

/** A text input for an address on the web. */
export function UrlField(props: TextFieldProps): ReactNode {
  return <TextField type="url" inputMode="url" {...props} />
}

interface PasswordProps extends TextFieldProps {
  /** Tells password managers whether to fill in the password or to propose a new one. */
  autoComplete: 'current-password' | 'new-password'
}

export function PasswordField(props: PasswordProps): ReactNode {
  return <TextField type="password" {...props} />
}

/** Several lines of text with their label. */
export function TextAreaField(props: FieldProps & ComponentProps<'textarea'>): ReactNode {
  const { label, hint, error, optional = false, ...input } = props
  return (
    <Field {...{ label, hint, error, optional }}>
      <TextArea {...input} />
    </Field>
  )
}
