import type { Link } from '@gatehouse/server/dashboard-api'
import { useQuery } from '@tanstack/react-query'
import { Link as RouterLink } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { ApiError, send } from '../api.ts'
import { Button, buttonClass } from '../components/button.tsx'
import { Skeleton } from '../components/display/skeleton.tsx'
import { PageForm } from '../components/forms/page-form.tsx'
import { EmailField, PasswordField, TextField } from '../components/forms/text-field.tsx'
import { emailProblem, errorMessage, required, useForm } from '../components/forms/use-form.ts'
import { texts } from '../texts.ts'
import { answerChallenge } from './passkey.ts'
import { PasskeyStep } from './passkey-step.tsx'
import { passwordProblem } from './password-rules.ts'
import { SignedOutFrame } from './signed-out-frame.tsx'
import { useAfterSignIn } from './use-after-sign-in.ts'

/** Removes the token from the URL immediately, so that it stays in no history and is not visible on the screen. */
function takeToken(): string {
  const token = location.hash.slice(1)
  if (token !== '') history.replaceState(history.state, '', location.pathname)
  return token
}

let taken: string | undefined

/** For setup links, invitations and password resets. */
export function StaffLinkPage(): ReactNode {
  const [token] = useState(() => {
    // In development React calls this twice; the second time, the URL has no token any more.
    taken = takeToken() || taken
    return taken ?? ''
  })
  const { data, error } = useQuery({
    queryKey: ['link'],
    queryFn: () => send<Link>('POST', '/link/look', { token }),
    enabled: token !== '',
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (token === '') return <InvalidLink text={texts.link.missing} />
  if (error instanceof ApiError && error.status > 0) {
    return <InvalidLink text={error.status === 429 ? errorMessage(error) : texts.link.dead} />
  }
  if (error) return <InvalidLink text={errorMessage(error)} />
  if (data === undefined) {
    return (
      <SignedOutFrame title={texts.common.wait}>
        <Skeleton />
      </SignedOutFrame>
    )
  }
  return <UseLink link={data} token={token} />
}

function InvalidLink({ text }: { text: string }): ReactNode {
  return (
    <SignedOutFrame title={texts.link.deadTitle}>
      <p>{text}</p>
      <p className="text-soft">{texts.link.deadSetup}</p>
      <RouterLink to="/sign-in" className={buttonClass('primary')}>
        {texts.signIn.go}
      </RouterLink>
    </SignedOutFrame>
  )
}

function leadOf({ kind, role, needs_passkey, removes_passkeys }: Link): string {
  if (kind === 'invite') return texts.link.leads.invite(texts.roles[role])
  const more = needs_passkey
    ? [texts.link.needsPasskey]
    : removes_passkeys
      ? [texts.link.removesPasskeys]
      : []
  return [texts.link.leads[kind], ...more].join(' ')
}

function UseLink({ link, token }: { link: Link; token: string }): ReactNode {
  const { kind } = link
  const enter = useAfterSignIn()
  /** What was typed, until a passkey confirms it. */
  const [typed, setTyped] = useState<object>()
  const redeem = async (use: object) => {
    await send('POST', '/link/use', use)
    taken = undefined
    enter()
  }
  const form = useForm(
    { email: link.email ?? '', name: link.name, password: '' },
    {
      check: ({ email, name, password }) => ({
        email: emailProblem(email),
        name: kind === 'reset' ? undefined : required(name),
        password: passwordProblem(password, email),
      }),
      send: async ({ email, name, password }) => {
        const whose = link.email === null ? { email: email.trim() } : {}
        const use = { token, name: name.trim(), password, ...whose }
        await redeem(use).catch((error) => {
          if (!(error instanceof ApiError) || error.code !== 'passkey_required') throw error
          setTyped(use)
        })
      },
    },
  )
  if (typed !== undefined) {
    return (
      <SignedOutFrame title={texts.link.passkeyTitle} lead={texts.link.passkeyLead}>
        <PasskeyStep onUse={async () => redeem({ ...typed, ...(await answerChallenge()) })} />
        <Button variant="quiet" onClick={() => setTyped(undefined)}>
          {texts.common.back}
        </Button>
      </SignedOutFrame>
    )
  }
  return (
    <SignedOutFrame title={texts.link.titles[kind]} lead={leadOf(link)}>
      <PageForm form={form} action={texts.link.go[kind]} variant="primary" wide>
        <EmailField
          {...form.field('email')}
          label={texts.link.email}
          autoComplete="username"
          readOnly={link.email !== null}
          autoFocus={link.email === null}
        />
        {kind !== 'reset' && (
          <TextField
            {...form.field('name')}
            {...texts.link.name}
            autoComplete="name"
            autoFocus={link.email !== null}
          />
        )}
        <PasswordField
          {...form.field('password')}
          {...texts.link.password}
          autoComplete="new-password"
          autoFocus={kind === 'reset'}
        />
      </PageForm>
    </SignedOutFrame>
  )
}
