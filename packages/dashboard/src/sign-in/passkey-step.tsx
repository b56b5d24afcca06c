import type { ReactNode } from 'react'
import { Notice } from '../components/display/notice.tsx'
import { texts } from '../texts.ts'
import { hasPasskeys } from './passkey.ts'
import { PasskeyButton } from './passkey-button.tsx'

/** Asks for a passkey where a password is not enough, and says what helps somebody who has none at hand. */
export function PasskeyStep({ onUse }: { onUse: () => Promise<void> }): ReactNode {
  if (!hasPasskeys()) return <Notice tone="ending">{texts.passkeyStep.noSupport}</Notice>
  return (
    <div className="grid gap-4">
      <PasskeyButton label={texts.passkeyStep.use} variant="primary" isAnswer onUse={onUse} />
      <p className="text-soft">{texts.passkeyStep.lost}</p>
    </div>
  )
}
