import type { PersonDetails } from '@gatehouse/server/dashboard-api'
import type { ReactNode } from 'react'
import { send } from '../../api.ts'
import { useAppScope } from '../../app-scope.ts'
import { DialogForm } from '../../components/forms/dialog-form.tsx'
import { Field } from '../../components/forms/field.tsx'
import { TextInput } from '../../components/forms/text-input.tsx'
import { emailProblem, useForm } from '../../components/forms/use-form.ts'
import { Dialog } from '../../components/overlays/dialog.tsx'
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
export function EditPersonDialog({ details, onClose }: Props): ReactNode {
  return (
    <Dialog open onClose={onClose} title={texts.people.changeTitle(personTitle(details.person))}>
      <EditPersonForm details={details} onClose={onClose} />
    </Dialog>
  )
}

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
        <Field label={texts.access.firstName} optional error={form.errorOf('first_name')}>
          <TextInput autoComplete="off" {...form.bind('first_name')} />
        </Field>
        <Field label={texts.access.lastName} optional error={form.errorOf('last_name')}>
          <TextInput autoComplete="off" {...form.bind('last_name')} />
        </Field>
      </div>
      <Field label={texts.people.email} hint={texts.people.emailHint} error={form.errorOf('email')}>
        <TextInput type="email" autoComplete="off" {...form.bind('email')} />
      </Field>
    </DialogForm>
  )
}
