import { Link, useSearch } from '@tanstack/react-router'
import { KeyRound } from 'lucide-react'
import type { ReactNode } from 'react'
import { ApiError, send } from '../api.ts'
import { Button } from '../components/button.tsx'
import { Notice } from '../components/display/notice.tsx'
import { PageForm } from '../components/forms/page-form.tsx'
import { EmailField, PasswordField } from '../components/forms/text-field.tsx'
import { emailProblem, required, useForm } from '../components/forms/use-form.ts'
import { useAction } from '../components/use-action.ts'
import { texts } from '../texts.ts'
import { hasPasskeys, signInWithPasskey } from './passkey.ts'
import { SignedOutFrame } from './signed-out-frame.tsx'
import { useAfterSignIn } from './use-after-sign-in.ts'

export function SignInPage(): ReactNode {
  const { back } = useSearch({ strict: false }) as { back?: string }
  const enter = useAfterSignIn(back)
  const form = useForm(
    { email: '', password: '' },
    {
      check: ({ email, password }) => ({
        email: emailProblem(email),
        password: required(password),
      }),
      send: async (typed) => {
        await send('POST', '/sign-in', typed).catch((error) => {
          throw saidPlainly(error, texts.signIn.failed)
        })
        enter()
      },
    },
  )
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
      {hasPasskeys() && <PasskeySignIn onDone={enter} />}
      <p className="text-center">
        <Link to="/forgotten" className="text-accent underline underline-offset-2">
          {texts.signIn.lost}
        </Link>
      </p>
    </SignedOutFrame>
  )
}

function saidPlainly(error: unknown, text: string): unknown {
  if (!(error instanceof ApiError) || error.code !== 'sign_in_failed') return error
  return new ApiError(error.status, error.code, text)
}

function PasskeySignIn({ onDone }: { onDone: () => void }): ReactNode {
  const { busy, problem, run } = useAction(async () => {
    try {
      await signInWithPasskey()
      onDone()
    } catch (error) {
      const plain = saidPlainly(error, texts.signIn.passkeyFailed)
      // Ignores errors of the browser, such as a dialog that the user has closed.
      if (plain instanceof ApiError) throw plain
    }
  })
  return (
    <div className="grid gap-3">
      <div className="flex items-center gap-3 text-xs text-soft before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        {texts.signIn.or}
      </div>
      <Button icon={KeyRound} busy={busy} onClick={run} className="h-10">
        {texts.signIn.passkey}
      </Button>
      {problem !== undefined && <Notice tone="failed">{problem}</Notice>}
    </div>
  )
}
