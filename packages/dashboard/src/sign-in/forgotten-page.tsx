import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { ApiError, send } from '../api.ts'
import { PageForm } from '../components/forms/page-form.tsx'
import { EmailField } from '../components/forms/text-field.tsx'
import { emailProblem, useForm } from '../components/forms/use-form.ts'
import { texts } from '../texts.ts'
import { SignedOutFrame } from './signed-out-frame.tsx'

/** For somebody who has forgotten the password. What it says doesn't depend on whether the address is a member's. */
export function ForgottenPage(): ReactNode {
  const [sentTo, setSentTo] = useState<string>()
  if (sentTo === undefined) return <AskForLink onSent={setSentTo} />
  return (
    <SignedOutFrame title={texts.forgotten.sentTitle}>
      <p role="status">{texts.forgotten.sent(sentTo)}</p>
      <p className="text-soft">{texts.forgotten.nothing}</p>
      <BackToSignIn />
    </SignedOutFrame>
  )
}

function AskForLink({ onSent }: { onSent: (email: string) => void }): ReactNode {
  const form = useForm(
    { email: '' },
    {
      check: ({ email }) => ({ email: emailProblem(email) }),
      send: async (typed) => {
        const email = typed.email.trim()
        await send('POST', '/forgotten', { email }).catch((error) => {
          throw withOtherWays(error)
        })
        onSent(email)
      },
    },
  )
  return (
    <SignedOutFrame title={texts.forgotten.title} lead={texts.forgotten.lead}>
      <PageForm form={form} action={texts.forgotten.go} variant="primary" wide>
        <EmailField
          {...form.field('email')}
          label={texts.forgotten.email}
          autoComplete="username"
          autoFocus
        />
      </PageForm>
      <BackToSignIn />
    </SignedOutFrame>
  )
}

/** Where no email can be sent, the message says what else helps. */
function withOtherWays(error: unknown): unknown {
  if (!(error instanceof ApiError)) return error
  const { status, code } = error
  if (code === 'mail_not_set_up') return new ApiError(status, code, texts.forgotten.notSetUp)
  if (code === 'on_hold') return new ApiError(status, code, texts.forgotten.onHold)
  return error
}

function BackToSignIn(): ReactNode {
  return (
    <p className="text-center">
      <Link to="/sign-in" className="text-accent underline underline-offset-2">
        {texts.forgotten.back}
      </Link>
    </p>
  )
}
