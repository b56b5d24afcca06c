import { type ReactNode, useSyncExternalStore } from 'react'
import { onConfirmationRequired, send } from '../api.ts'
import { DialogForm } from '../components/forms/dialog-form.tsx'
import { PasswordField } from '../components/forms/text-field.tsx'
import { required, useForm } from '../components/forms/use-form.ts'
import { Dialog } from '../components/overlays/dialog.tsx'
import { texts } from '../texts.ts'
import { confirmWithPasskey } from './passkey.ts'
import { PasskeyAlternative } from './passkey-alternative.tsx'

/** Ends the question with whether the member gave a proof of identity; undefined while nothing is asked. */
let answer: ((isConfirmed: boolean) => void) | undefined
let asked: Promise<boolean> | undefined
const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Several requests that need a confirmation at a time share one question. */
function confirmIdentity(): Promise<boolean> {
  asked ??= new Promise((resolve) => {
    answer = (isConfirmed) => {
      asked = undefined
      answer = undefined
      resolve(isConfirmed)
      for (const listener of listeners) listener()
    }
    for (const listener of listeners) listener()
  })
  return asked
}

onConfirmationRequired(confirmIdentity)

/** Rendered once, around the whole app: asks for the password or a passkey before an action that gives lasting access. */
export function ConfirmIdentityDialog(): ReactNode {
  const isOpen = useSyncExternalStore(subscribe, () => answer !== undefined)
  return (
    <Dialog
      open={isOpen}
      onClose={() => answer?.(false)}
      title={texts.confirmIdentity.title}
      lead={texts.confirmIdentity.lead}
    >
      <ConfirmIdentityForm />
    </Dialog>
  )
}

function ConfirmIdentityForm(): ReactNode {
  const form = useForm(
    { password: '' },
    {
      check: ({ password }) => ({ password: required(password) }),
      send: async (typed) => {
        await send('POST', '/confirmation', typed)
        answer?.(true)
      },
    },
  )
  return (
    <DialogForm form={form} onClose={() => answer?.(false)} action={texts.confirmIdentity.action}>
      <PasswordField
        {...form.field('password')}
        label={texts.signIn.password}
        autoComplete="current-password"
      />
      <PasskeyAlternative
        label={texts.confirmIdentity.passkey}
        onUse={async () => {
          await confirmWithPasskey()
          answer?.(true)
        }}
      />
    </DialogForm>
  )
}
