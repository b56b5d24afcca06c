import type { PersonDetails } from '@gatehouse/server/dashboard-api'
import { type ReactNode, useState } from 'react'
import { send } from '../../api.ts'
import { useAppScope } from '../../app-scope.ts'
import { Checkbox } from '../../components/forms/checkbox.tsx'
import { DialogForm } from '../../components/forms/dialog-form.tsx'
import { formDialog } from '../../components/forms/form-dialog.tsx'
import { EmailField, TextField } from '../../components/forms/text-field.tsx'
import { emailProblem, useForm } from '../../components/forms/use-form.ts'
import { toast } from '../../components/overlays/toast.tsx'
import { texts } from '../../texts.ts'
import { withFieldError } from '../access/field-error.ts'
import { useRefetch, useUndo } from '../access/use-refetch.ts'
import { useSendsEmail } from '../mail/resend.tsx'
import type { PersonDialogProps } from './person-dialog.ts'
import { personTitle } from './person-labels.ts'

/** Changes the name or the email address of a person. */
export const EditPersonDialog = formDialog(EditPersonForm, ({ details }) =>
  texts.people.changeTitle(personTitle(details.person)),
)

function EditPersonForm({ details, onClose }: PersonDialogProps): ReactNode {
  const { path } = useAppScope()
  const refresh = useRefetch()
  const undo = useUndo()
  const { uid, email, contact_email, first_name, last_name } = details.person
  const before = { first_name, last_name, email }
  const [notify, setNotify] = useState(true)
  const sendsEmail = useSendsEmail()
  const change = (values: typeof before, notify: boolean) =>
    send<PersonDetails>('PATCH', path('people', uid), { ...values, notify })
  const isNewAddress = (text: string) =>
    text.trim().toLowerCase() !== (email || contact_email).toLowerCase()
  const form = useForm(before, {
    // A person without a verified address may stay without one.
    check: (values) => ({
      email: email === '' && values.email.trim() === '' ? undefined : emailProblem(values.email),
    }),
    send: async (values) => {
      const words = { email_taken: texts.people.emailTaken }
      const changed = await withFieldError(change(values, notify), 'email', words)
      const said = texts.people.changed(personTitle(changed.person))
      const isNotified = notify && sendsEmail && isNewAddress(values.email)
      // An added address can't be removed again, and an email can't be taken back.
      const canUndo = (email !== '' || values.email === '') && !isNotified
      toast(
        isNotified ? `${said} ${texts.people.notified}` : said,
        canUndo ? { undo: undo(() => change(before, false)) } : {},
      )
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
      <EmailField {...form.field('email')} {...texts.people.email} />
      {isNewAddress(form.values.email) && emailProblem(form.values.email) === undefined && (
        <AddressNotice
          hasOld={email !== '' || contact_email !== ''}
          notify={notify}
          onNotify={setNotify}
        />
      )}
    </DialogForm>
  )
}

/** The choice to notify the addresses of the change, or a note that no mail server is set up. */
function AddressNotice({
  hasOld,
  notify,
  onNotify,
}: {
  hasOld: boolean
  notify: boolean
  onNotify: (notify: boolean) => void
}): ReactNode {
  const { notifyBoth, notifyNew, notifyHint, notifyKept } = texts.people
  if (!useSendsEmail()) return <p className="text-soft">{notifyKept}</p>
  return (
    <Checkbox
      label={hasOld ? notifyBoth : notifyNew}
      {...(hasOld ? { hint: notifyHint } : {})}
      checked={notify}
      onCheckedChange={onNotify}
    />
  )
}
