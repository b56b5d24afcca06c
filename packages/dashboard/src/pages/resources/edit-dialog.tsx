import type { ResourceDetails } from '@gatehouse/server/dashboard-api'
import type { ReactNode } from 'react'
import { send } from '../../api.ts'
import { useAppScope } from '../../app-scope.ts'
import { DialogForm } from '../../components/forms/dialog-form.tsx'
import { Field } from '../../components/forms/field.tsx'
import { TextInput } from '../../components/forms/text-input.tsx'
import { useForm } from '../../components/forms/use-form.ts'
import { Dialog } from '../../components/overlays/dialog.tsx'
import { toast } from '../../components/overlays/toast.tsx'
import { refetchApplication } from '../../components/refetch-application.ts'
import { ridToSegment } from '../../resource-path.ts'
import { texts } from '../../texts.ts'
import { ResourceFieldInputs } from './resource-field-inputs.tsx'
import { type ResourceFields, trimmed, validateResourceFields } from './resource-fields.ts'

interface Props {
  open: boolean
  onClose: () => void
  resource: ResourceDetails
}

export function EditDialog({ open, onClose, resource }: Props): ReactNode {
  return (
    <Dialog open={open} onClose={onClose} title={texts.resources.editTitle(resource.name)}>
      <EditForm onClose={onClose} resource={resource} />
    </Dialog>
  )
}

function EditForm({ onClose, resource }: Omit<Props, 'open'>): ReactNode {
  const scope = useAppScope()
  const { rid, name, url, image, description } = resource
  const form = useForm<ResourceFields>(
    { name, url, image, description },
    {
      check: validateResourceFields,
      send: async (typed) => {
        await send('PATCH', scope.path('resources', ridToSegment(rid)), trimmed(typed))
        await refetchApplication(scope)
        toast(texts.common.saved)
        onClose()
      },
    },
  )
  return (
    <DialogForm form={form} onClose={onClose} action={texts.common.save}>
      <Field
        label={texts.resources.name}
        hint={texts.resources.nameHint}
        error={form.errorOf('name')}
      >
        <TextInput autoComplete="off" {...form.bind('name')} />
      </Field>
      <ResourceFieldInputs form={form} />
    </DialogForm>
  )
}
