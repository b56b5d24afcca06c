import type { Passkey } from '@gatehouse/server/dashboard-api'
import type { ReactNode } from 'react'
import { ApiError, send } from '../api.ts'
import { DialogForm } from '../components/forms/dialog-form.tsx'
import { Field } from '../components/forms/field.tsx'
import { TextInput } from '../components/forms/text-input.tsx'
import { type Form, required, useForm } from '../components/forms/use-form.ts'
import { Dialog } from '../components/overlays/dialog.tsx'
import { toast } from '../components/overlays/toast.tsx'
import { addPasskey } from '../sign-in/passkey.ts'
import { texts } from '../texts.ts'

interface Props {
  open: boolean
  onClose: () => void
  onDone: () => Promise<unknown>
}

export function AddPasskeyDialog({ open, onClose, onDone }: Props): ReactNode {
  return (
    <Dialog open={open} onClose={onClose} title={texts.account.addPasskey}>
      <AddForm onClose={onClose} onDone={onDone} />
    </Dialog>
  )
}

function AddForm({ onClose, onDone }: Omit<Props, 'open'>): ReactNode {
  const form = useForm(
    { name: '', password: '' },
    {
      check: ({ name, password }) => ({ name: required(name), password: required(password) }),
      send: async ({ name, password }) => {
        await addPasskey(name.trim(), password).catch((error) => {
          // The browser's own error messages don't help people.
          throw error instanceof ApiError
            ? error
            : new ApiError(0, 'passkey', texts.account.passkeyFailed)
        })
        await onDone()
        toast(texts.account.passkeyAdded)
        onClose()
      },
    },
  )
  return (
    <DialogForm form={form} onClose={onClose} action={texts.common.add}>
      <NameField form={form} />
      <Field
        label={texts.account.current}
        hint={texts.account.passkeyPasswordHint}
        error={form.errorOf('password')}
      >
        <TextInput type="password" autoComplete="current-password" {...form.bind('password')} />
      </Field>
    </DialogForm>
  )
}

export function RenamePasskeyDialog({
  open,
  onClose,
  passkey,
  onDone,
}: Props & { passkey: Passkey }): ReactNode {
  return (
    <Dialog open={open} onClose={onClose} title={texts.common.rename}>
      <RenameForm passkey={passkey} onClose={onClose} onDone={onDone} />
    </Dialog>
  )
}

function RenameForm({
  passkey,
  onClose,
  onDone,
}: Omit<Props, 'open'> & { passkey: Passkey }): ReactNode {
  const form = useForm(
    { name: passkey.name },
    {
      check: ({ name }) => ({ name: required(name) }),
      send: async ({ name }) => {
        await send('PATCH', `/passkeys/${passkey.id}`, { name: name.trim() })
        await onDone()
        toast(texts.account.renamed)
        onClose()
      },
    },
  )
  return (
    <DialogForm form={form} onClose={onClose} action={texts.common.rename}>
      <NameField form={form} />
    </DialogForm>
  )
}

function NameField({
  form,
}: {
  form: Pick<Form<{ name: string }>, 'errorOf' | 'bind'>
}): ReactNode {
  return (
    <Field
      label={texts.account.passkeyName}
      hint={texts.account.passkeyNameHint}
      error={form.errorOf('name')}
    >
      <TextInput autoComplete="off" maxLength={100} {...form.bind('name')} />
    </Field>
  )
}
