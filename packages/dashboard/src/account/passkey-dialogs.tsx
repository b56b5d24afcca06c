import type { Passkey } from '@gatehouse/server/dashboard-api'
import type { ReactNode } from 'react'
import { ApiError, send } from '../api.ts'
import { DialogForm } from '../components/forms/dialog-form.tsx'
import { formDialog } from '../components/forms/form-dialog.tsx'
import { TextField } from '../components/forms/text-field.tsx'
import { type Form, required, useForm } from '../components/forms/use-form.ts'
import { toast } from '../components/overlays/toast.tsx'
import { addPasskey } from '../sign-in/passkey.ts'
import { texts } from '../texts.ts'

interface Props {
  onClose: () => void
  onDone: () => Promise<unknown>
}

async function finish({ onClose, onDone }: Props, said: string): Promise<void> {
  await onDone()
  toast(said)
  onClose()
}

export const AddPasskeyDialog = formDialog(AddForm, () => texts.account.addPasskey)

function AddForm(props: Props): ReactNode {
  const form = useForm(
    { name: '' },
    {
      check: ({ name }) => ({ name: required(name) }),
      send: async ({ name }) => {
        await addPasskey(name.trim()).catch((error) => {
          // The browser's own error messages don't help people.
          throw error instanceof ApiError
            ? error
            : new ApiError(0, 'passkey', texts.account.passkeyFailed)
        })
        await finish(props, texts.account.passkeyAdded)
      },
    },
  )
  return (
    <DialogForm form={form} onClose={props.onClose} action={texts.common.add}>
      <NameField form={form} />
    </DialogForm>
  )
}

export const RenamePasskeyDialog = formDialog(RenameForm, () => texts.common.rename)

function RenameForm({ passkey, ...props }: Props & { passkey: Passkey }): ReactNode {
  const form = useForm(
    { name: passkey.name },
    {
      check: ({ name }) => ({ name: required(name) }),
      send: async ({ name }) => {
        await send('PATCH', `/passkeys/${passkey.id}`, { name: name.trim() })
        await finish(props, texts.account.renamed)
      },
    },
  )
  return (
    <DialogForm form={form} onClose={props.onClose} action={texts.common.rename}>
      <NameField form={form} />
    </DialogForm>
  )
}

function NameField({ form }: { form: Pick<Form<{ name: string }>, 'field'> }): ReactNode {
  return <TextField {...form.field('name')} {...texts.account.passkeyName} maxLength={100} />
}
