import type { ReactNode } from 'react'
import { Field } from '../../components/forms/field.tsx'
import { SelectField } from '../../components/forms/select-field.tsx'
import { TextInput } from '../../components/forms/text-input.tsx'
import type { Form } from '../../components/forms/use-form.ts'
import { useTimeZone } from '../../frame/me.ts'
import { texts } from '../../texts.ts'

type Ending = Record<string, string> & { end: string; date: string }

interface Props<V extends Ending> {
  form: Form<V>
  label: string
  /** The labels of the options, by value. */
  choices: Readonly<Record<string, string>>
  /** The first day that the calendar offers. */
  firstDay?: string
}

/** Fields for when access ends: after some time, on a date, or never. Forms with these fields call `dateProblem` in
 * `check`. */
export function EndFields<V extends Ending>({
  form,
  label,
  choices,
  firstDay,
}: Props<V>): ReactNode {
  const zone = useTimeZone()
  const options = Object.entries(choices).map(([value, text]) => ({ value, label: text }))
  return (
    <div className="grid items-start gap-4 sm:grid-cols-2">
      <SelectField label={label} options={options} {...form.bind('end')} />
      {form.values.end === 'date' && (
        <Field
          label={texts.access.date}
          hint={texts.access.dateHint(zone)}
          error={form.errorOf('date')}
        >
          <TextInput type="date" min={firstDay} max="9999-12-30" {...form.bind('date')} />
        </Field>
      )}
    </div>
  )
}
