import type { Overview } from '@gatehouse/server/dashboard-api'
import type { ReactNode } from 'react'
import { Notice } from '../../components/display/notice.tsx'
import { texts } from '../../texts.ts'

/** How much of Stripe's allowance of reads is used up. */
export function StripeReads({ usage }: { usage: NonNullable<Overview['reads']> }): ReactNode {
  const text = texts.overview.reads(usage.reads, usage.allowed)
  if (!usage.isHigh) return <p className="text-soft">{text}</p>
  return (
    <Notice tone="ending">
      <p className="font-medium">{text}</p>
      <p>{texts.overview.readsHint}</p>
    </Notice>
  )
}
