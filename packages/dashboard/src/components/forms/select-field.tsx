import type { ComponentProps, ReactNode } from 'react'
import { Field } from './field.tsx'
import { Select } from './select.tsx'
import type { FieldProps } from './text-field.tsx'

/** A select with its label. */
export function SelectField(props: FieldProps & ComponentProps<typeof Select>): ReactNode {
  const { label, hint, error, optional = false, ...select } = props
  return (
    <Field {...{ label, hint, error, optional }}>
      <Select {...select} />
    </Field>
  )
}
