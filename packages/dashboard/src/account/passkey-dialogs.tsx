import type { ReactNode } from 'react'
import type { Passkey } from '../../../server/src/doors/dashboard/shapes-staff.ts'
import { ApiError, send } from '../api.ts'
import { Button } from '../parts/button.tsx'
import { Dialog, DialogButtons } from '../parts/dialog.tsx'
import { Field } from '../parts/field.tsx'
import { Notice } from '../parts/notice.tsx'
import { TextInput } from '../parts/text-input.tsx'
import { toast } from '../parts/toast.tsx'
import { required, useForm } from '../parts/use-form.ts'
import { addPasskey } from '../sign-in/passkey.ts'
import { texts } from '../texts.ts'

interface Props {
  open: boolean
  onClose: () => void
  onDone: () => Promise<unknown>
}

export function AddPasskeyDialog({ open, onClose, onDone }: Props): ReactNode {
  async function add(name: string) {
    await addPasskey(name).catch((error) => {
      // The browser's own reasons tell people nothing.
      throw error instanceof ApiError
        ? error
        : new ApiError(0, 'passkey', texts.account.passkeyFailed)
    })
    await onDone()
    toast(texts.account.passkeyAdded)
    onClose()
  }
  return (
    <Dialog open={open} onClose={onClose} title={texts.account.addPasskey}>
      <NameForm initial="" action={texts.common.add} onClose={onClose} onName={add} />
    </Dialog>
  )
}

export function RenamePasskeyDialog({
  open,
  onClose,
  onDone,
  passkey,
}: Props & { passkey: Passkey }): ReactNode {
  async function rename(name: string) {
    await send('PATCH', `/passkeys/${passkey.id}`, { name })
    await onDone()
    toast(texts.account.renamed)
    onClose()
  }
  return (
    <Dialog open={open} onClose={onClose} title={texts.common.rename}>
      <NameForm
        initial={passkey.name}
        action={texts.common.rename}
        onClose={onClose}
        onName={rename}
      />
    </Dialog>
  )
}

interface NameProps {
  initial: string
  action: string
  onClose: () => void
  onName: (name: string) => Promise<void>
}

function NameForm({ initial, action, onClose, onName }: NameProps): ReactNode {
  const form = useForm(
    { name: initial },
    {
      check: ({ name }) => ({ name: required(name) }),
      send: ({ name }) => onName(name.trim()),
    },
  )
  return (
    <form onSubmit={form.onSubmit} noValidate className="grid gap-4">
      <Field
        label={texts.account.passkeyName}
        hint={texts.account.passkeyNameHint}
        error={form.errorOf('name')}
      >
        <TextInput autoComplete="off" maxLength={100} {...form.bind('name')} />
      </Field>
      {form.problem !== undefined && <Notice tone="failed">{form.problem}</Notice>}
      <DialogButtons>
        <Button onClick={onClose}>{texts.common.cancel}</Button>
        <Button type="submit" look="primary" busy={form.busy}>
          {action}
        </Button>
      </DialogButtons>
    </form>
  )
}
