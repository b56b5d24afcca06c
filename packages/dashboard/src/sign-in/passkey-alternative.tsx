import { KeyRound } from 'lucide-react'
import type { ReactNode } from 'react'
import { ApiError } from '../api.ts'
import { Button } from '../components/button.tsx'
import { Notice } from '../components/display/notice.tsx'
import { useAction } from '../components/use-action.ts'
import { texts } from '../texts.ts'
import { hasPasskeys } from './passkey.ts'

interface Props {
  label: string
  onUse: () => Promise<void>
}

/** “or”, and a button that uses a passkey instead of the password above it. Nothing in a browser without passkeys. */
export function PasskeyAlternative({ label, onUse }: Props): ReactNode {
  const { busy, problem, run } = useAction(() =>
    onUse().catch((error) => {
      // Ignores errors of the browser, such as a dialog that the user has closed.
      if (error instanceof ApiError) throw error
    }),
  )
  if (!hasPasskeys()) return null
  return (
    <div className="grid gap-3">
      <div className="flex items-center gap-3 text-xs text-soft before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        {texts.signIn.or}
      </div>
      <Button icon={KeyRound} busy={busy} onClick={run} className="h-10">
        {label}
      </Button>
      {problem !== undefined && <Notice tone="failed">{problem}</Notice>}
    </div>
  )
}
