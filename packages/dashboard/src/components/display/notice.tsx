import { CircleAlert, Info, type LucideIcon, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { cx } from '../cx.ts'

type Tone = 'failed' | 'ending' | 'plain'

const TONES: Record<Tone, readonly [LucideIcon, string]> = {
  failed: [CircleAlert, 'bg-failed-tint text-failed'],
  ending: [TriangleAlert, 'bg-ending-tint text-ending'],
  plain: [Info, 'bg-tint text-accent-deep'],
}

/** A highlighted message inside a page or a dialog. */
export function Notice({
  tone = 'plain',
  children,
}: {
  tone?: Tone
  children: ReactNode
}): ReactNode {
  const [Icon, colours] = TONES[tone]
  return (
    <div
      role={tone === 'failed' ? 'alert' : undefined}
      className={cx('flex items-start gap-2 rounded-lg px-3 py-2', colours)}
    >
      <Icon size={16} className="mt-0.5 shrink-0" aria-hidden />
      <div className="min-w-0">{children}</div>
    </div>
  )
}
