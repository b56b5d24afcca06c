import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useSyncExternalStore } from 'react'
import { onConfirmationRequired, send } from '../api.ts'
import { Button } from '../components/button.tsx'
import { DialogForm } from '../components/forms/dialog-form.tsx'
import { PasswordField } from '../components/forms/text-field.tsx'
import { required, useForm } from '../components/forms/use-form.ts'
import { Dialog, DialogButtons } from '../components/overlays/dialog.tsx'
import { meQuery } from '../frame/me.ts'
import { texts } from '../texts.ts'
import { confirmWithPasskey } from './passkey.ts'
import { PasskeyAlternative } from './passkey-alternative.tsx'
import { PasskeyStep } from './passkey-step.tsx'

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
      <Proof />
    </Dialog>
  )
}

function Proof(): ReactNode {
  const { data } = useQuery(meQuery)
  return data === undefined || data.passkey_only === 'no' ? <PasswordProof /> : <PasskeyProof />
}

async function answerWithPasskey(): Promise<void> {
  await confirmWithPasskey()
  answer?.(true)
}

/** For a member whose password alone is not enough. */
function PasskeyProof(): ReactNode {
  return (
    <>
      <PasskeyStep onUse={answerWithPasskey} />
      <DialogButtons>
        <Button onClick={() => answer?.(false)}>{texts.common.cancel}</Button>
      </DialogButtons>
    </>
  )
}

function PasswordProof(): ReactNode {
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
      <PasskeyAlternative label={texts.confirmIdentity.passkey} onUse={answerWithPasskey} />
    </DialogForm>
  )
}
