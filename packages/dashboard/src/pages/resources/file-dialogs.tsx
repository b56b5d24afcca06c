import type { ReactNode } from 'react'
import type { ResourceFile } from '../../../../server/src/doors/dashboard/shapes-resources.ts'
import { send } from '../../api.ts'
import { Button } from '../../parts/button.tsx'
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx'
import { Dialog, DialogButtons } from '../../parts/dialog.tsx'
import { Field } from '../../parts/field.tsx'
import { Notice } from '../../parts/notice.tsx'
import { TextInput } from '../../parts/text-input.tsx'
import { toast } from '../../parts/toast.tsx'
import { required, useForm } from '../../parts/use-form.ts'
import { usePlace } from '../../place.ts'
import { texts } from '../../texts.ts'
import { refresh } from './use-resources.ts'

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
    <form onSubmit={form.onSubmit} noValidate className="grid gap-4">
      <Field
        label={texts.resources.titleLabel}
        hint={texts.resources.titleHint}
        error={form.errorOf('title')}
      >
        <TextInput autoComplete="off" {...form.bind('title')} />
      </Field>
      {form.problem !== undefined && <Notice tone="failed">{form.problem}</Notice>}
      <DialogButtons>
        <Button onClick={onClose}>{texts.common.cancel}</Button>
        <Button type="submit" look="primary" busy={form.busy}>
          {texts.common.save}
        </Button>
      </DialogButtons>
    </form>
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
