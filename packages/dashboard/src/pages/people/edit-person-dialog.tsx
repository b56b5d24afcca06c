import type { PersonDetails } from '@gatehouse/server/dashboard-api'
import { type ReactNode, useState } from 'react'
import { send } from '../../api.ts'
import { useAppScope } from '../../app-scope.ts'
import { Checkbox } from '../../components/forms/checkbox.tsx'
import { DialogForm } from '../../components/forms/dialog-form.tsx'
import { formDialog } from '../../components/forms/form-dialog.tsx'
import { RadioList } from '../../components/forms/radio-list.tsx'
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
  const [oldAddress, setOldAddress] = useState<OldAddress>('theirs')
  const sendsEmail = useSendsEmail()
  const change = (values: typeof before, more: { notify: boolean; never_theirs: boolean }) =>
    send<PersonDetails>('PATCH', path('people', uid), { ...values, ...more })
  const old = email || contact_email
  const isNewAddress = (text: string) => text.trim().toLowerCase() !== old.toLowerCase()
  const form = useForm(before, {
    // A person without a verified address may stay without one.
    check: (values) => ({
      email: email === '' && values.email.trim() === '' ? undefined : emailProblem(values.email),
    }),
    send: async (values) => {
      const words = { email_taken: texts.people.emailTaken }
      const isNew = isNewAddress(values.email)
      const never_theirs = isNew && old !== '' && oldAddress === 'never theirs'
      const sent = change(values, { notify, never_theirs })
      const changed = await withFieldError(sent, 'email', words)
      const isNotified = notify && sendsEmail && isNew
      const said = [
        texts.people.changed(personTitle(changed.person)),
        ...(never_theirs ? [texts.people.linksEnded] : []),
        ...(isNotified ? [texts.people.notified] : []),
      ]
      // An added address can't be removed again, and neither an email nor the end of links can be taken back.
      const canUndo = (email !== '' || values.email === '') && !isNotified && !never_theirs
      const back = () => change(before, { notify: false, never_theirs: false })
      toast(said.join(' '), canUndo ? { undo: undo(back) } : {})
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
        <>
          {old !== '' && (
            <OldAddressChoice address={old} value={oldAddress} onChange={setOldAddress} />
          )}
          <AddressNotice
            hasOld={old !== ''}
            isNeverTheirs={oldAddress === 'never theirs'}
            notify={notify}
            onNotify={setNotify}
          />
        </>
      )}
    </DialogForm>
  )
}

type OldAddress = 'theirs' | 'never theirs'

/** Whose the old address is, which decides about the links that were sent there. */
function OldAddressChoice({
  address,
  value,
  onChange,
}: {
  address: string
  value: OldAddress
  onChange: (value: OldAddress) => void
}): ReactNode {
  const { oldAddress, wasTheirs, wasTheirsHint, wasNeverTheirs, wasNeverTheirsHint } = texts.people
  const name = oldAddress(address)
  return (
    <div className="grid gap-1.5">
      <span className="font-medium wrap-anywhere" aria-hidden>
        {name}
      </span>
      <RadioList
        label={name}
        options={[
          { value: 'theirs', label: wasTheirs, hint: wasTheirsHint },
          { value: 'never theirs', label: wasNeverTheirs, hint: wasNeverTheirsHint },
        ]}
        value={value}
        onChange={(chosen) => onChange(chosen === 'theirs' ? chosen : 'never theirs')}
      />
    </div>
  )
}

/** The choice to notify the addresses of the change, or a note that no mail server is set up. */
function AddressNotice({
  hasOld,
  isNeverTheirs,
  notify,
  onNotify,
}: {
  hasOld: boolean
  isNeverTheirs: boolean
  notify: boolean
  onNotify: (notify: boolean) => void
}): ReactNode {
  const { notifyBoth, notifyNew, notifyHint, notifyKept } = texts.people
  if (!useSendsEmail()) return <p className="text-soft">{notifyKept}</p>
  return (
    <Checkbox
      label={hasOld ? notifyBoth : notifyNew}
      {...(hasOld && isNeverTheirs ? { hint: notifyHint } : {})}
      checked={notify}
      onCheckedChange={onNotify}
    />
  )
}
