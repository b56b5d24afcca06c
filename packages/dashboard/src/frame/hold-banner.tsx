import type { ReactNode } from 'react'
import { Notice } from '../components/display/notice.tsx'
import { formatMinute } from '../format.ts'
import { texts } from '../texts.ts'
import { useMe } from './me.ts'

/** Shown above every page, to every member, while the installation sends nothing out. */
export function HoldBanner(): ReactNode {
  const { hold, detached } = useMe()
  if (hold === null && !detached) return null
  return (
    <section aria-label={texts.hold.label} className="mb-5 grid gap-2">
      {hold && (
        <Notice tone="ending">
          <strong className="font-semibold">{texts.hold.since(formatMinute(hold.since))}</strong>{' '}
          {texts.hold.means} {hold.why} {texts.hold.todo}
        </Notice>
      )}
      {detached && <Notice tone="ending">{texts.hold.detached}</Notice>}
    </section>
  )
}
