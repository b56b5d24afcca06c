import type { ReactNode } from 'react'
import type { PersonDetails } from '../../../../server/src/http/dashboard/people/schemas.ts'
import { send } from '../../api.ts'
import { DialogForm } from '../../parts/forms/dialog-form.tsx'
import { Field } from '../../parts/forms/field.tsx'
import { TextInput } from '../../parts/forms/text-input.tsx'
import { emailProblem, useForm } from '../../parts/forms/use-form.ts'
import { Dialog } from '../../parts/overlays/dialog.tsx'
import { toast } from '../../parts/overlays/toast.tsx'
import { usePlace } from '../../place.ts'
import { texts } from '../../texts.ts'
import { atField } from '../access/at-field.ts'
import { useRefresh, useUndo } from '../access/use-refresh.ts'
import { titleOf } from './names.ts'

interface Props {
  details: PersonDetails
  onClose: () => void
}

/** Changes the name or the email address of a person. */
export function ChangeDialog({ details, onClose }: Props): ReactNode {
  return (
    <Dialog open onClose={onClose} title={texts.people.changeTitle(titleOf(details.person))}>
      <ChangeForm details={details} onClose={onClose} />
    </Dialog>
  )
}

function ChangeForm({ details, onClose }: Props): ReactNode {
  const { path } = usePlace()
  const refresh = useRefresh()
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
      const changed = await atField(change(values), 'email', words)
      // An added address can't be removed again.
      const canUndo = email !== '' || values.email === ''
      const said = texts.people.changed(titleOf(changed.person))
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
