import type { SavedViewItem } from '@gatehouse/server/dashboard-api'
import type { ReactNode } from 'react'
import { texts } from '../../texts.ts'
import { DialogForm } from '../forms/dialog-form.tsx'
import { formDialog } from '../forms/form-dialog.tsx'
import { TextField } from '../forms/text-field.tsx'
import { useForm } from '../forms/use-form.ts'
import { ConfirmDialog } from '../overlays/confirm-dialog.tsx'
import { toast } from '../overlays/toast.tsx'
import { useSavedViews } from './use-saved-views.ts'

const words = texts.views

const requireName = ({ name }: { name: string }) => ({
  name: name.trim() === '' ? texts.errors.required : undefined,
})

interface SaveProps {
  list: string
  search: Readonly<Record<string, string>>
  onSaved: (view: SavedViewItem | undefined) => void
  onClose: () => void
}

export const SaveViewDialog = formDialog(SaveViewForm, () => words.saveTitle)

function SaveViewForm({ list, search, onSaved, onClose }: SaveProps): ReactNode {
  const { save } = useSavedViews(list)
  const form = useForm(
    { name: '' },
    {
      check: requireName,
      send: async ({ name }) => {
        const view = await save(name, search)
        toast(words.saved(name.trim()))
        onClose()
        onSaved(view)
      },
    },
  )
  return (
    <DialogForm form={form} onClose={onClose} action={texts.common.save} summary={words.saveLead}>
      <TextField {...form.field('name')} label={words.name} maxLength={60} />
    </DialogForm>
  )
}

interface RenameProps {
  view: SavedViewItem
  onClose: () => void
}

export const RenameViewDialog = formDialog(RenameViewForm, ({ view }: RenameProps) =>
  words.renameTitle(view.name),
)

function RenameViewForm({ view, onClose }: RenameProps): ReactNode {
  const { set } = useSavedViews(view.list)
  const form = useForm(
    { name: view.name },
    {
      check: requireName,
      send: async ({ name }) => {
        await set(view, { name })
        toast(words.updated(name.trim()))
        onClose()
      },
    },
  )
  return (
    <DialogForm form={form} onClose={onClose} action={texts.common.rename}>
      <TextField {...form.field('name')} label={words.name} maxLength={60} />
    </DialogForm>
  )
}

interface RemoveProps {
  view: SavedViewItem | undefined
  list: string
  onRemoved: () => void
  onClose: () => void
}

export function RemoveViewDialog({ view, list, onRemoved, onClose }: RemoveProps): ReactNode {
  const { remove } = useSavedViews(list)
  return (
    <ConfirmDialog
      open={view !== undefined}
      onClose={onClose}
      title={words.removeTitle(view?.name ?? '')}
      effect={words.removeEffect}
      action={words.remove}
      onConfirm={async () => {
        if (view === undefined) return
        await remove(view)
        toast(words.removed(view.name))
        onRemoved()
      }}
    />
  )
}
