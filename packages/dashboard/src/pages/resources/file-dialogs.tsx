import type { ResourceFile } from '@gatehouse/server/dashboard-api'
import type { ReactNode } from 'react'
import { send } from '../../api.ts'
import { useAppScope } from '../../app-scope.ts'
import { DialogForm } from '../../components/forms/dialog-form.tsx'
import { Field } from '../../components/forms/field.tsx'
import { TextInput } from '../../components/forms/text-input.tsx'
import { required, useForm } from '../../components/forms/use-form.ts'
import { ConfirmDialog } from '../../components/overlays/confirm-dialog.tsx'
import { Dialog } from '../../components/overlays/dialog.tsx'
import { toast } from '../../components/overlays/toast.tsx'
import { refetchApplication } from '../../components/refetch-application.ts'
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
  const scope = useAppScope()
  const form = useForm(
    { title: file.title },
    {
      check: ({ title }) => ({ title: required(title) }),
      send: async ({ title }) => {
        await send('PATCH', scope.path('downloads', file.id), { title: title.trim() })
        await refetchApplication(scope)
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
  const scope = useAppScope()
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
        await send('DELETE', scope.path('downloads', file.id))
        toast(texts.resources.removedNow(file.file_name))
        await refetchApplication(scope)
      }}
    />
  )
}
