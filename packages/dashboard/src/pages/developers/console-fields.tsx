import { Plus, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../../parts/button.tsx'
import { Field } from '../../parts/forms/field.tsx'
import { Select } from '../../parts/forms/select.tsx'
import { TextArea, TextInput } from '../../parts/forms/text-input.tsx'
import { IconButton } from '../../parts/icon-button.tsx'
import { Menu } from '../../parts/overlays/menu.tsx'
import { texts } from '../../texts.ts'
import type { Call, CallParameter } from './contract.ts'
import { FreeFields } from './free-fields.tsx'
import { shownParameters, type Wish, withCall } from './wish.ts'

interface Props {
  calls: readonly Call[]
  wish: Wish
  onChange: (wish: Wish) => void
  errors: Readonly<Record<string, string>>
}

const FREE = ''

/** Fields for the API call and its parameters. */
export function ConsoleFields({ calls, wish, onChange, errors }: Props): ReactNode {
  const options = [
    ...calls.map(({ id, summary }) => ({ value: id, label: `${id} · ${summary}` })),
    { value: FREE, label: texts.developers.anyCall },
  ]
  const choose = (id: string) =>
    onChange(
      withCall(
        wish,
        calls.find((call) => call.id === id),
      ),
    )
  return (
    <>
      <Field label={texts.developers.call}>
        <Select
          options={options}
          value={wish.call?.id ?? FREE}
          onChange={({ target }) => choose(target.value)}
        />
      </Field>
      {wish.call === undefined ? (
        <FreeFields wish={wish} onChange={onChange} errors={errors} />
      ) : (
        <KnownFields wish={wish} onChange={onChange} errors={errors} />
      )}
    </>
  )
}

function KnownFields({ wish, onChange, errors }: Omit<Props, 'calls'>): ReactNode {
  const left = (wish.call?.parameters ?? []).filter(
    ({ name, required }) => !required && !wish.added.includes(name),
  )
  const add = (name: string) => onChange({ ...wish, added: [...wish.added, name] })
  const remove = (name: string) =>
    onChange({
      ...wish,
      added: wish.added.filter((one) => one !== name),
      values: { ...wish.values, [name]: '' },
    })
  return (
    <>
      {shownParameters(wish).map((parameter) => (
        <div key={parameter.name} className="flex items-start gap-1">
          <div className="min-w-0 flex-1">
            <ParameterField
              parameter={parameter}
              value={wish.values[parameter.name] ?? ''}
              error={errors[parameter.name]}
              onChange={(value) =>
                onChange({ ...wish, values: { ...wish.values, [parameter.name]: value } })
              }
            />
          </div>
          {!parameter.required && (
            <IconButton
              icon={X}
              label={texts.developers.removeParameter(parameter.name)}
              onClick={() => remove(parameter.name)}
              className="mt-6"
            />
          )}
        </div>
      ))}
      {left.length > 0 && (
        <div>
          <Menu
            align="start"
            groups={[
              {
                items: left.map(({ name, description }) => ({
                  label: name,
                  detail: description,
                  onSelect: () => add(name),
                })),
              },
            ]}
          >
            <Button icon={Plus}>{texts.developers.addParameter}</Button>
          </Menu>
        </div>
      )}
    </>
  )
}

interface ParameterProps {
  parameter: CallParameter
  value: string
  error: string | undefined
  onChange: (value: string) => void
}

function ParameterField({ parameter, value, error, onChange }: ParameterProps): ReactNode {
  const { name, description, required, choices, long } = parameter
  const hint = parameter.in === 'path' ? `${description} ${texts.developers.inPath}` : description
  return (
    <Field label={name} hint={hint} error={error} optional={!required}>
      {choices !== undefined ? (
        <Select
          value={value}
          onChange={({ target }) => onChange(target.value)}
          options={[
            { value: '', label: texts.developers.notSet },
            ...choices.map((choice) => ({ value: choice, label: choice })),
          ]}
        />
      ) : long ? (
        <TextArea rows={3} value={value} onChange={({ target }) => onChange(target.value)} />
      ) : (
        <TextInput
          value={value}
          onChange={({ target }) => onChange(target.value)}
          autoComplete="off"
          spellCheck={false}
        />
      )}
    </Field>
  )
}
