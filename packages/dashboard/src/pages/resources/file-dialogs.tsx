import type { ReactNode } from 'react'
import type { ResourceFile } from '../../../../server/src/doors/dashboard/shapes-resources.ts'
import { send } from '../../api.ts'
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { DialogForm } from '../../parts/dialog-form.tsx'
import { Field } from '../../parts/field.tsx'
import { refresh } from '../../parts/refresh.ts'
import { TextInput } from '../../parts/text-input.tsx'
import { toast } from '../../parts/toast.tsx'
import { required, useForm } from '../../parts/use-form.ts'
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
