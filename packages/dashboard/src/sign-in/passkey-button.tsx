import { KeyRound } from 'lucide-react'
import type { ReactNode } from 'react'
import { ApiError } from '../api.ts'
import { Button, type ButtonProps } from '../components/button.tsx'
import { Notice } from '../components/display/notice.tsx'
import { useAction } from '../components/use-action.ts'

interface Props extends Pick<ButtonProps, 'variant'> {
  label: string
  /** Whether it is the only answer, which gets the focus. */
  isAnswer?: boolean
  onUse: () => Promise<void>
}

/** A button that uses a passkey, and the server's answer if it refuses it. */
export function PasskeyButton({
  label,
  isAnswer = false,
  onUse,
  variant = 'plain',
}: Props): ReactNode {
  const { busy, problem, run } = useAction(() =>
    onUse().catch((error) => {
      // Ignores errors of the browser, such as a dialog that the user has closed.
      if (error instanceof ApiError) throw error
    }),
  )
  return (
    <>
      <Button
        variant={variant}
        icon={KeyRound}
        busy={busy}
        onClick={run}
        className="h-10"
        {...(isAnswer ? { autoFocus: true, 'data-answer': true } : {})}
      >
        {label}
      </Button>
      {problem !== undefined && <Notice tone="failed">{problem}</Notice>}
    </>
  )
}
