import type { ReactNode } from 'react'
import type { ResourceDetails } from '../../../../server/src/http/dashboard/resources/schemas.ts'
import { send } from '../../api.ts'
import { DialogForm } from '../../parts/forms/dialog-form.tsx'
import { Field } from '../../parts/forms/field.tsx'
import { TextInput } from '../../parts/forms/text-input.tsx'
import { useForm } from '../../parts/forms/use-form.ts'
import { Dialog } from '../../parts/overlays/dialog.tsx'
import { toast } from '../../parts/overlays/toast.tsx'
import { refresh } from '../../parts/refresh.ts'
import { usePlace } from '../../place.ts'
import { ridPart } from '../../resource-path.ts'
import { texts } from '../../texts.ts'
import { DescribedFields } from './described-fields.tsx'
import { checkDescribed, type Described, trimmed } from './fields.ts'

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
  const place = usePlace()
  const { rid, name, url, image, description } = resource
  const form = useForm<Described>(
    { name, url, image, description },
    {
      check: checkDescribed,
      send: async (typed) => {
        await send('PATCH', place.path('resources', ridPart(rid)), trimmed(typed))
        await refresh(place)
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
      <DescribedFields form={form} />
    </DialogForm>
  )
}
