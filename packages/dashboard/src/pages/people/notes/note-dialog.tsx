import { MAX_NOTE, type NoteItem, type PersonDetails } from '@gatehouse/server/dashboard-api'
import type { ReactNode } from 'react'
import { send } from '../../../api.ts'
import { useAppScope } from '../../../app-scope.ts'
import { DialogForm } from '../../../components/forms/dialog-form.tsx'
import { formDialog } from '../../../components/forms/form-dialog.tsx'
import { TextAreaField } from '../../../components/forms/text-field.tsx'
import { useForm } from '../../../components/forms/use-form.ts'
import { toast } from '../../../components/overlays/toast.tsx'
import { texts } from '../../../texts.ts'
import { useRefetch } from '../../access/use-refetch.ts'
import { personTitle } from '../person-labels.ts'

const words = texts.people.notes

interface Props {
  details: PersonDetails
  /** The note to change; without one, a new note is added. */
  note?: NoteItem
  onClose: () => void
}

export const NoteDialog = formDialog(NoteForm, ({ details, note }: Props) =>
  (note === undefined ? words.addTitle : words.editTitle)(personTitle(details.person)),
)

/** Counts characters as the server does. */
const lengthOf = (text: string) => [...text.trim()].length

function problemWith(text: string): string | undefined {
  const length = lengthOf(text)
  if (length === 0) return texts.errors.required
  return length > MAX_NOTE ? words.tooLong(length - MAX_NOTE) : undefined
}

function NoteForm({ details, note, onClose }: Props): ReactNode {
  const { path } = useAppScope()
  const refresh = useRefetch()
  const at = path('people', details.person.uid, 'notes')
  const form = useForm(
    { text: note?.text ?? '' },
    {
      check: ({ text }) => ({ text: problemWith(text) }),
      send: async (values) => {
        if (note === undefined) await send('POST', at, values)
        else await send('PATCH', `${at}/${note.id}`, values)
        toast(note === undefined ? words.added : words.changed)
        onClose()
        await refresh()
      },
    },
  )
  return (
    <DialogForm form={form} onClose={onClose} action={texts.common.save} summary={words.lead}>
      <TextAreaField
        {...form.field('text')}
        label={words.text}
        hint={words.hint(Math.max(0, MAX_NOTE - lengthOf(form.values.text)))}
        rows={6}
      />
    </DialogForm>
  )
}
