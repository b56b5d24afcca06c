import type { PersonDetails } from '@gatehouse/server/dashboard-api'
import type { ReactNode } from 'react'
import { send } from '../../api.ts'
import { useAppScope } from '../../app-scope.ts'
import { DialogForm } from '../../components/forms/dialog-form.tsx'
import { formDialog } from '../../components/forms/form-dialog.tsx'
import { TextField } from '../../components/forms/text-field.tsx'
import { emailProblem, useForm } from '../../components/forms/use-form.ts'
import { toast } from '../../components/overlays/toast.tsx'
import { texts } from '../../texts.ts'
import { withFieldError } from '../access/field-error.ts'
import { useRefetch, useUndo } from '../access/use-refetch.ts'
import { personTitle } from './person-labels.ts'

interface Props {
  details: PersonDetails
  onClose: () => void
}

/** Changes the name or the email address of a person. */
export const EditPersonDialog = formDialog(EditPersonForm, ({ details }) =>
  texts.people.changeTitle(personTitle(details.person)),
)

function EditPersonForm({ details, onClose }: Props): ReactNode {
  const { path } = useAppScope()
  const refresh = useRefetch()
  const undo = useUndo()
  const { uid, email, first_name, last_name } = details.person
  const before = { first_name, last_name, email }
  const change = (values: typeof before) =>
    send<PersonDetails>('PATCH', path('people', uid), values)
  const form = useForm(before, {
    // A person without a verified address may stay without one.
    check: (values) => ({
      email: email === '' && values.email.trim() === '' ? undefined : emailProblem(values.email),
    }),
    send: async (values) => {
      const words = { email_taken: texts.people.emailTaken }
      const changed = await withFieldError(change(values), 'email', words)
      // An added address can't be removed again.
      const canUndo = email !== '' || values.email === ''
      const said = texts.people.changed(personTitle(changed.person))
      toast(said, canUndo ? { undo: undo(() => change(before)) } : {})
      onClose()
      await refresh()
    },
  })
  return (
    <DialogForm form={form} onClose={onClose} action={texts.common.save}>
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField {...form.field('first_name')} label={texts.access.firstName} optional />
        <TextField {...form.field('last_name')} label={texts.access.lastName} optional />
      </div>
      <TextField
        {...form.field('email')}
        label={texts.people.email}
        hint={texts.people.emailHint}
        type="email"
      />
    </DialogForm>
  )
}
