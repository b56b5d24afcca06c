import { Plus, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../../components/button.tsx'
import { Field } from '../../components/forms/field.tsx'
import { Select } from '../../components/forms/select.tsx'
import { SelectField } from '../../components/forms/select-field.tsx'
import { LiteralInput, TextArea } from '../../components/forms/text-input.tsx'
import { IconButton } from '../../components/icon-button.tsx'
import { Menu } from '../../components/overlays/menu.tsx'
import { texts } from '../../texts.ts'
import { CustomRequestFields } from './custom-request-fields.tsx'
import type { ApiCall, ApiCallParameter } from './openapi.ts'
import { type RequestDraft, visibleParameters, withCall } from './request-draft.ts'

interface Props {
  calls: readonly ApiCall[]
  draft: RequestDraft
  onChange: (draft: RequestDraft) => void
  errors: Readonly<Record<string, string>>
}

const FREE = ''

/** Fields for the API call and its parameters. */
export function ConsoleFields({ calls, draft, onChange, errors }: Props): ReactNode {
  const options = [
    ...calls.map(({ id, summary }) => ({ value: id, label: `${id} · ${summary}` })),
    { value: FREE, label: texts.developers.anyCall },
  ]
  const choose = (id: string) =>
    onChange(
      withCall(
        draft,
        calls.find((call) => call.id === id),
      ),
    )
  return (
    <>
      <SelectField
        label={texts.developers.call}
        options={options}
        value={draft.call?.id ?? FREE}
        onChange={({ target }) => choose(target.value)}
      />
      {draft.call === undefined ? (
        <CustomRequestFields draft={draft} onChange={onChange} errors={errors} />
      ) : (
        <KnownFields draft={draft} onChange={onChange} errors={errors} />
      )}
    </>
  )
}

function KnownFields({ draft, onChange, errors }: Omit<Props, 'calls'>): ReactNode {
  const left = (draft.call?.parameters ?? []).filter(
    ({ name, required }) => !required && !draft.added.includes(name),
  )
  const add = (name: string) => onChange({ ...draft, added: [...draft.added, name] })
  const remove = (name: string) =>
    onChange({
      ...draft,
      added: draft.added.filter((one) => one !== name),
      values: { ...draft.values, [name]: '' },
    })
  return (
    <>
      {visibleParameters(draft).map((parameter) => (
        <div key={parameter.name} className="flex items-start gap-1">
          <div className="min-w-0 flex-1">
            <ParameterField
              parameter={parameter}
              value={draft.values[parameter.name] ?? ''}
              error={errors[parameter.name]}
              onChange={(value) =>
                onChange({ ...draft, values: { ...draft.values, [parameter.name]: value } })
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
  parameter: ApiCallParameter
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
        <LiteralInput value={value} onChange={({ target }) => onChange(target.value)} />
      )}
    </Field>
  )
}
