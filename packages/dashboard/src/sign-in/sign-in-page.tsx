import { Link, useSearch } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { ApiError, send } from '../api.ts'
import { Button } from '../components/button.tsx'
import { Notice } from '../components/display/notice.tsx'
import { PageForm } from '../components/forms/page-form.tsx'
import { EmailField, PasswordField } from '../components/forms/text-field.tsx'
import { emailProblem, required, useForm } from '../components/forms/use-form.ts'
import { texts } from '../texts.ts'
import { signInWithPasskey } from './passkey.ts'
import { PasskeyAlternative } from './passkey-alternative.tsx'
import { PasskeyStep } from './passkey-step.tsx'
import { SignedOutFrame } from './signed-out-frame.tsx'
import { useAfterSignIn } from './use-after-sign-in.ts'

export function SignInPage(): ReactNode {
  const { back } = useSearch({ strict: false }) as { back?: string }
  const enter = useAfterSignIn(back)
  const [isPasskeyNeeded, setPasskeyNeeded] = useState(false)
  const enterWithPasskey = async () => {
    await signInWithPasskey().catch((error) => {
      throw saidPlainly(error, texts.signIn.passkeyFailed)
    })
    enter()
  }
  const form = useForm(
    { email: '', password: '' },
    {
      check: ({ email, password }) => ({
        email: emailProblem(email),
        password: required(password),
      }),
      send: async (typed) => {
        try {
          await send('POST', '/sign-in', typed)
          enter()
        } catch (error) {
          if (!isCode(error, 'passkey_required')) throw saidPlainly(error, texts.signIn.failed)
          setPasskeyNeeded(true)
        }
      },
    },
  )
  if (isPasskeyNeeded) {
    return (
      <SignedOutFrame title={texts.passkeyStep.title} lead={texts.passkeyStep.lead}>
        <PasskeyStep onUse={enterWithPasskey} />
        <Button variant="quiet" onClick={() => setPasskeyNeeded(false)}>
          {texts.common.back}
        </Button>
      </SignedOutFrame>
    )
  }
  return (
    <SignedOutFrame title={texts.signIn.title}>
      {back !== undefined && form.problem === undefined && <Notice>{texts.signIn.ended}</Notice>}
      <PageForm form={form} action={texts.signIn.go} variant="primary" wide>
        <EmailField
          {...form.field('email')}
          label={texts.signIn.email}
          autoComplete="username webauthn"
          autoFocus
        />
        <PasswordField
          {...form.field('password')}
          label={texts.signIn.password}
          autoComplete="current-password"
        />
      </PageForm>
      <PasskeyAlternative label={texts.signIn.passkey} onUse={enterWithPasskey} />
      <p className="text-center">
        <Link to="/forgotten" className="text-accent underline underline-offset-2">
          {texts.signIn.lost}
        </Link>
      </p>
    </SignedOutFrame>
  )
}

const isCode = (error: unknown, code: string): error is ApiError =>
  error instanceof ApiError && error.code === code

function saidPlainly(error: unknown, text: string): unknown {
  if (!isCode(error, 'sign_in_failed')) return error
  return new ApiError(error.status, error.code, text)
}
