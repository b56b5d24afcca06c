import type { ReactNode } from 'react'
import { texts } from '../texts.ts'
import { hasPasskeys } from './passkey.ts'
import { PasskeyButton } from './passkey-button.tsx'

interface Props {
  label: string
  onUse: () => Promise<void>
}

/** “or”, and a button that uses a passkey instead of the password above it. Nothing in a browser without passkeys. */
export function PasskeyAlternative({ label, onUse }: Props): ReactNode {
  if (!hasPasskeys()) return null
  return (
    <div className="grid gap-3">
      <div className="flex items-center gap-3 text-xs text-soft before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        {texts.signIn.or}
      </div>
      <PasskeyButton label={label} onUse={onUse} />
    </div>
  )
}
