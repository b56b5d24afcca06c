import { EDITORS } from '@gatehouse/server/dashboard-api'
import { FlaskConical } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { formatMinute, formatTimestamp } from '../format.ts'
import { texts } from '../texts.ts'
import { AdvanceClockDialog } from './advance-clock-dialog.tsx'
import { useHasRole, useNow } from './me.ts'

/** Shown at the top of every sandbox page, and never in production. */
export function SandboxBanner(): ReactNode {
  const now = useNow()
  const canAdvance = useHasRole(EDITORS)
  const [open, setOpen] = useState(false)
  return (
    <section
      data-band
      aria-label={texts.frame.sandbox}
      className="sticky top-0 z-30 flex h-10 items-center justify-center gap-2 bg-band whitespace-nowrap max-sm:gap-1.5 px-4 text-on-band"
    >
      <FlaskConical size={16} className="shrink-0" aria-hidden />
      <strong className="font-semibold">{texts.frame.sandbox}</strong>
      <span aria-hidden className="max-sm:hidden">
        ·
      </span>
      <time
        dateTime={new Date(now).toISOString()}
        title={`${texts.sandbox.clock}: ${formatTimestamp(now)}`}
        className="truncate"
      >
        {formatMinute(now)}
      </time>
      {canAdvance && (
        <>
          <span aria-hidden className="max-sm:hidden">
            ·
          </span>
          <button
            type="button"
            onClick={() => setOpen(true)}
            className="min-h-6 font-medium underline underline-offset-2 outline-on-band hover:no-underline focus-visible:outline-on-band"
          >
            {texts.sandbox.advance}
            <span className="max-sm:sr-only"> {texts.sandbox.theClock}</span>
          </button>
          <AdvanceClockDialog open={open} onClose={() => setOpen(false)} />
        </>
      )}
    </section>
  )
}
