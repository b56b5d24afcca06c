import type { ResourceDetails } from '@gatehouse/server/dashboard-api'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { ApiError, fieldError, send } from '../../api.ts'
import { useAppScope } from '../../app-scope.ts'
import { DialogForm } from '../../components/forms/dialog-form.tsx'
import { Field } from '../../components/forms/field.tsx'
import { formDialog } from '../../components/forms/form-dialog.tsx'
import { TextInput } from '../../components/forms/text-input.tsx'
import { required, useForm } from '../../components/forms/use-form.ts'
import { toast } from '../../components/overlays/toast.tsx'
import { refetchApplication } from '../../components/refetch-application.ts'
import { ridToSegment } from '../../resource-path.ts'
import { texts } from '../../texts.ts'
import { ResourceFieldInputs } from './resource-field-inputs.tsx'
import { suggestRid, trimmed, validateResourceFields } from './resource-fields.ts'

export const CreateDialog = formDialog(
  CreateForm,
  () => texts.resources.createTitle,
  texts.resources.createLead,
)

const ridProblem = (rid: string) =>
  required(rid) ?? (/\s/u.test(rid.trim()) ? texts.resources.ridSpace : undefined)

/** Shows "resource exists" as an error of the rid field. */
function atItsField(error: unknown): unknown {
  if (!(error instanceof ApiError) || error.code !== 'resource_exists') return error
  return fieldError(error.status, 'rid', texts.resources.ridTaken)
}

function CreateForm({ onClose }: { onClose: () => void }): ReactNode {
  const scope = useAppScope()
  const navigate = useNavigate()
  const [isOwnRid, setOwnRid] = useState(false)
  const form = useForm(
    { name: '', rid: '', url: '', image: '', description: '' },
    {
      check: (typed) => ({ ...validateResourceFields(typed), rid: ridProblem(typed.rid) }),
      send: async (typed) => {
        const rid = typed.rid.trim()
        const body = { rid, ...trimmed(typed) }
        const made = await send<ResourceDetails>('POST', scope.path('resources'), body).catch(
          (error: unknown) => Promise.reject(atItsField(error)),
        )
        onClose()
        toast(texts.resources.created(made.name))
        await refetchApplication(scope)
        await navigate({ to: scope.path('resources', ridToSegment(rid)) })
      },
    },
  )
  const rid = form.bind('rid')
  const name = form.bind('name')
  return (
    <DialogForm form={form} onClose={onClose} action={texts.resources.go}>
      <Field {...texts.resources.name} error={form.errorOf('name')}>
        <TextInput
          autoComplete="off"
          {...name}
          onChange={(event) => {
            name.onChange(event)
            if (!isOwnRid) form.set('rid', suggestRid(event.target.value))
          }}
        />
      </Field>
      <Field {...texts.resources.rid} error={form.errorOf('rid')}>
        <TextInput
          autoComplete="off"
          spellCheck={false}
          autoCapitalize="none"
          className="font-mono"
          {...rid}
          onChange={(event) => {
            setOwnRid(event.target.value !== '')
            rid.onChange(event)
          }}
        />
      </Field>
      <ResourceFieldInputs form={form} />
    </DialogForm>
  )
}
