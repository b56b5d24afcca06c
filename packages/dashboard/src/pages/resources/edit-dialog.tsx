import type { ResourceDetails } from '@gatehouse/server/dashboard-api'
import type { ReactNode } from 'react'
import { send } from '../../api.ts'
import { useAppScope } from '../../app-scope.ts'
import { DialogForm } from '../../components/forms/dialog-form.tsx'
import { formDialog } from '../../components/forms/form-dialog.tsx'
import { TextField } from '../../components/forms/text-field.tsx'
import { useForm } from '../../components/forms/use-form.ts'
import { ridToApiSegment } from '../../resource-path.ts'
import { texts } from '../../texts.ts'
import { ResourceFieldInputs } from './resource-field-inputs.tsx'
import { type ResourceFields, trimmed, validateResourceFields } from './resource-fields.ts'
import { useAfterSave } from './use-after-save.ts'

interface Props {
  onClose: () => void
  resource: ResourceDetails
}

export const EditDialog = formDialog(EditForm, ({ resource }) =>
  texts.resources.editTitle(resource.name),
)

function EditForm({ onClose, resource }: Props): ReactNode {
  const { path } = useAppScope()
  const afterSave = useAfterSave(onClose)
  const { rid, name, url, linked_image: image, description } = resource
  const form = useForm<ResourceFields>(
    { name, url, image, description },
    {
      check: validateResourceFields,
      send: async (typed) => {
        await send('PATCH', path('resources', ridToApiSegment(rid)), trimmed(typed))
        await afterSave()
      },
    },
  )
  return (
    <DialogForm form={form} onClose={onClose} action={texts.common.save}>
      <TextField {...form.field('name')} {...texts.resources.name} />
      <ResourceFieldInputs form={form} />
    </DialogForm>
  )
}
