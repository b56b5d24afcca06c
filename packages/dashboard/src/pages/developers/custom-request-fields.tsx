import { Plus, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../../components/button.tsx'
import { Field } from '../../components/forms/field.tsx'
import { SelectField } from '../../components/forms/select-field.tsx'
import { LiteralInput } from '../../components/forms/text-input.tsx'
import { IconButton } from '../../components/icon-button.tsx'
import { texts } from '../../texts.ts'
import type { Method } from './openapi.ts'
import type { CustomParameter, RequestDraft } from './request-draft.ts'

interface Props {
  draft: RequestDraft
  onChange: (draft: RequestDraft) => void
  errors: Readonly<Record<string, string>>
}

const METHODS = ['GET', 'POST'].map((method) => ({ value: method, label: method }))

/** Fields for a typed path and parameters, for calls that the contract does not describe. */
export function CustomRequestFields({ draft, onChange, errors }: Props): ReactNode {
  const { typed } = draft
  const next = Math.max(0, ...typed.map(({ id }) => id)) + 1
  const change = (id: number, part: Partial<CustomParameter>) =>
    onChange({ ...draft, typed: typed.map((one) => (one.id === id ? { ...one, ...part } : one)) })
  return (
    <>
      <div className="grid items-start gap-3 sm:grid-cols-[7rem_minmax(0,1fr)]">
        <SelectField
          label={texts.developers.method}
          options={METHODS}
          value={draft.method}
          onChange={({ target }) => onChange({ ...draft, method: target.value as Method })}
        />
        <Field label={texts.developers.path} hint={texts.developers.pathHint} error={errors.path}>
          <LiteralInput
            value={draft.path}
            onChange={({ target }) => onChange({ ...draft, path: target.value })}
          />
        </Field>
      </div>
      {typed.map((parameter, at) => (
        <ParameterRow
          key={parameter.id}
          position={at + 1}
          parameter={parameter}
          onChange={(part) => change(parameter.id, part)}
          onRemove={() =>
            onChange({ ...draft, typed: typed.filter(({ id }) => id !== parameter.id) })
          }
        />
      ))}
      <div>
        <Button
          icon={Plus}
          onClick={() =>
            onChange({ ...draft, typed: [...typed, { id: next, name: '', value: '' }] })
          }
        >
          {texts.developers.addParameter}
        </Button>
      </div>
    </>
  )
}

interface RowProps {
  /** Counted from 1. */
  position: number
  parameter: CustomParameter
  onChange: (part: Partial<CustomParameter>) => void
  onRemove: () => void
}

function ParameterRow({ position, parameter, onChange, onRemove }: RowProps): ReactNode {
  const { name, value } = parameter
  return (
    <div className="flex items-center gap-2">
      <LiteralInput
        aria-label={texts.developers.nameOfParameter(position)}
        placeholder={texts.developers.parameterName}
        value={name}
        onChange={({ target }) => onChange({ name: target.value })}
        className="basis-1/3"
      />
      <LiteralInput
        aria-label={texts.developers.valueOfParameter(position)}
        placeholder={texts.developers.parameterValue}
        value={value}
        onChange={({ target }) => onChange({ value: target.value })}
      />
      <IconButton icon={X} label={texts.developers.removeParameter(name)} onClick={onRemove} />
    </div>
  )
}
