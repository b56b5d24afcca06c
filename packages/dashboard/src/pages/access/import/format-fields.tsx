import type { SheetReading } from '@gatehouse/server/dashboard-api'
import { type ReactNode, useState } from 'react'
import { Checkbox } from '../../../components/forms/checkbox.tsx'
import { Field } from '../../../components/forms/field.tsx'
import { optionsOf } from '../../../components/forms/select.tsx'
import { SelectField } from '../../../components/forms/select-field.tsx'
import { TextInput } from '../../../components/forms/text-input.tsx'
import { texts } from '../../../texts.ts'
import { toOptions, useResourceOptions } from '../resource-options.ts'
import type { Choice } from './import-run.ts'

const words = texts.importing

interface Props {
  reading: SheetReading
  choice: Choice
  onChange: (more: Choice) => void
}

export function FormatFields(props: Props): ReactNode {
  const { reading, onChange } = props
  return (
    <div className="grid gap-4">
      <div className="grid items-start gap-4 sm:grid-cols-2 lg:grid-cols-3">
        <SelectField
          label={words.encoding}
          hint={words.encodingHint}
          options={optionsOf(words.encodings)}
          value={reading.encoding}
          onChange={({ target }) =>
            onChange({ encoding: target.value as SheetReading['encoding'] })
          }
        />
        <SelectField
          label={words.delimiter}
          options={optionsOf(words.delimiters)}
          value={reading.delimiter}
          // With another delimiter the columns differ, so they have to be assigned again.
          onChange={({ target }) =>
            onChange({
              delimiter: target.value as SheetReading['delimiter'],
              columns: undefined,
            })
          }
        />
        {!reading.machine && <ResourceField {...props} />}
        {!reading.machine && !reading.columns.includes('until') && <EndField {...props} />}
        {(reading.order !== null || reading.order_unclear) && <OrderField {...props} />}
      </div>
      <Checkbox
        label={words.header}
        checked={reading.header}
        onCheckedChange={(header) => onChange({ header })}
      />
    </div>
  )
}

function ResourceField({ reading, choice, onChange }: Props): ReactNode {
  const { items, tooMany } = useResourceOptions()
  const fromColumn = reading.columns.includes('resource')
  const none = {
    value: '',
    label: fromColumn ? words.resourceColumn : words.chooseResource,
  }
  const choose = (rid: string) => onChange({ rid: rid === '' ? undefined : rid })
  if (tooMany) {
    return (
      <Field label={words.resource} hint={texts.access.ridHint}>
        <TextInput defaultValue={choice.rid ?? ''} onBlur={({ target }) => choose(target.value)} />
      </Field>
    )
  }
  return (
    <SelectField
      label={words.resource}
      options={[none, ...toOptions(items ?? [])]}
      value={choice.rid ?? ''}
      onChange={({ target }) => choose(target.value)}
    />
  )
}

/** The end of access for a file without a column for it. */
function EndField({ choice, onChange }: Props): ReactNode {
  const [byDate, setByDate] = useState(choice.until !== undefined)
  const chooseKind = (kind: string) => {
    setByDate(kind === 'date')
    if (kind === 'never') onChange({ until: undefined })
  }
  return (
    <div className="grid gap-2">
      <SelectField
        label={words.end}
        options={[
          { value: 'never', label: words.endNever },
          { value: 'date', label: words.endDate },
        ]}
        value={byDate ? 'date' : 'never'}
        onChange={({ target }) => chooseKind(target.value)}
      />
      {byDate && (
        <Field label={words.lastDay}>
          <TextInput
            type="date"
            defaultValue={choice.until ?? ''}
            onChange={({ target }) => target.value !== '' && onChange({ until: target.value })}
          />
        </Field>
      )}
    </div>
  )
}

function OrderField({ reading, onChange }: Props): ReactNode {
  const isUnclear = reading.order === null
  return (
    <SelectField
      label={words.order}
      error={isUnclear ? words.orderUnclear : undefined}
      options={[
        ...(isUnclear ? [{ value: '', label: words.chooseOrder }] : []),
        ...optionsOf(words.orders),
      ]}
      value={reading.order ?? ''}
      onChange={({ target }) => onChange({ order: target.value as 'dmy' | 'mdy' })}
    />
  )
}
