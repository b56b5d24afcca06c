import { useLocation, useNavigate } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState } from 'react'
import { Button } from '../components/button.tsx'
import { errorMessage } from '../components/forms/use-form.ts'
import { queryClient } from '../query-client.ts'
import { texts } from '../texts.ts'
import { endSessions } from './end-sessions.ts'
import { SignedOutFrame } from './signed-out-frame.tsx'

/** Marks that the member chose to sign out: a link of somebody else to this page must not do it. */
export const ASKED = { signsOut: true } as never

/** Takes the place of what was shown before the server is asked, so that nothing stays readable without a connection. The
 * session ends when the server answers. */
export function SignOutPage(): ReactNode {
  const isAsked = useLocation({
    select: ({ state }) => (state as { signsOut?: true }).signsOut === true,
  })
  const navigate = useNavigate()
  const [problem, setProblem] = useState<string>()

  const signOut = () =>
    endSessions('/sign-out').then(
      () => navigate({ to: '/sign-in', replace: true }),
      (error) => setProblem(errorMessage(error)),
    )

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the page opens
  useEffect(() => {
    if (!isAsked) {
      void navigate({ to: '/', replace: true })
      return
    }
    queryClient.clear()
    void signOut()
    addEventListener('online', signOut)
    return () => removeEventListener('online', signOut)
  }, [])

  if (problem === undefined)
    return <SignedOutFrame title={texts.signOut.title}>{null}</SignedOutFrame>
  return (
    <SignedOutFrame title={texts.signOut.notYet}>
      <p role="alert">{problem}</p>
      <p className="text-soft">{texts.signOut.cleared}</p>
      <Button onClick={() => void signOut()}>{texts.signOut.again}</Button>
    </SignedOutFrame>
  )
}
