import type { ResourceFile } from '@gatehouse/server/dashboard-api'
import type { ReactNode } from 'react'
import { send } from '../../api.ts'
import { useAppScope } from '../../app-scope.ts'
import { DialogForm } from '../../components/forms/dialog-form.tsx'
import { formDialog } from '../../components/forms/form-dialog.tsx'
import { TextField } from '../../components/forms/text-field.tsx'
import { required, useForm } from '../../components/forms/use-form.ts'
import { ConfirmDialog, type DialogState } from '../../components/overlays/confirm-dialog.tsx'
import { toast } from '../../components/overlays/toast.tsx'
import { refetchApplication } from '../../components/refetch-application.ts'
import { texts } from '../../texts.ts'
import { useAfterSave } from './use-after-save.ts'

interface Props {
  onClose: () => void
  file: ResourceFile
}

export const RenameFileDialog = formDialog(RenameForm, () => texts.resources.rename)

function RenameForm({ onClose, file }: Props): ReactNode {
  const { path } = useAppScope()
  const afterSave = useAfterSave(onClose)
  const form = useForm(
    { title: file.title },
    {
      check: ({ title }) => ({ title: required(title) }),
      send: async ({ title }) => {
        await send('PATCH', path('downloads', file.id), { title: title.trim() })
        await afterSave()
      },
    },
  )
  return (
    <DialogForm form={form} onClose={onClose} action={texts.common.save}>
      <TextField {...form.field('title')} {...texts.resources.fileTitle} />
    </DialogForm>
  )
}

interface RemoveProps extends DialogState {
  file: ResourceFile
  live: number
  isLast: boolean
}

export function RemoveFileDialog({ file, live, isLast, ...state }: RemoveProps): ReactNode {
  const scope = useAppScope()
  return (
    <ConfirmDialog
      {...state}
      title={texts.resources.removeTitle(file.file_name)}
      effect={[texts.resources.removeEffect(live, isLast), texts.resources.removeFinal]}
      action={texts.resources.removeFile}
      onConfirm={async () => {
        await send('DELETE', scope.path('downloads', file.id))
        toast(texts.resources.removedNow(file.file_name))
        await refetchApplication(scope)
      }}
    />
  )
}
