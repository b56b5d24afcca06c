import type { ReactNode } from 'react'
import type { ResourceFile } from '../../../../server/src/http/dashboard/resources/schemas.ts'
import { send } from '../../api.ts'
import { DialogForm } from '../../parts/forms/dialog-form.tsx'
import { Field } from '../../parts/forms/field.tsx'
import { TextInput } from '../../parts/forms/text-input.tsx'
import { required, useForm } from '../../parts/forms/use-form.ts'
import { ConfirmDialog } from '../../parts/overlays/confirm-dialog.tsx'
import { Dialog } from '../../parts/overlays/dialog.tsx'
import { toast } from '../../parts/overlays/toast.tsx'
import { refresh } from '../../parts/refresh.ts'
import { usePlace } from '../../place.ts'
import { texts } from '../../texts.ts'

interface Props {
  open: boolean
  onClose: () => void
  file: ResourceFile
}

export function RenameFileDialog({ open, onClose, file }: Props): ReactNode {
  return (
    <Dialog open={open} onClose={onClose} title={texts.resources.rename}>
      <RenameForm onClose={onClose} file={file} />
    </Dialog>
  )
}

function RenameForm({ onClose, file }: Omit<Props, 'open'>): ReactNode {
  const place = usePlace()
  const form = useForm(
    { title: file.title },
    {
      check: ({ title }) => ({ title: required(title) }),
      send: async ({ title }) => {
        await send('PATCH', place.path('downloads', file.id), { title: title.trim() })
        await refresh(place)
        toast(texts.common.saved)
        onClose()
      },
    },
  )
  return (
    <DialogForm form={form} onClose={onClose} action={texts.common.save}>
      <Field
        label={texts.resources.titleLabel}
        hint={texts.resources.titleHint}
        error={form.errorOf('title')}
      >
        <TextInput autoComplete="off" {...form.bind('title')} />
      </Field>
    </DialogForm>
  )
}

export function RemoveFileDialog({
  open,
  onClose,
  file,
  live,
}: Props & { live: number }): ReactNode {
  const place = usePlace()
  return (
    <ConfirmDialog
      open={open}
      onClose={onClose}
      title={texts.resources.removeTitle(file.file_name)}
      effect={
        <>
          <p>{texts.resources.removeEffect(live)}</p>
          <p>{texts.resources.removeFinal}</p>
        </>
      }
      action={texts.resources.removeFile}
      onConfirm={async () => {
        await send('DELETE', place.path('downloads', file.id))
        toast(texts.resources.removedNow(file.file_name))
        await refresh(place)
      }}
    />
  )
}
