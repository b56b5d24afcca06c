import { Tooltip } from 'radix-ui'
import type { ReactNode } from 'react'
import { formatMinute, formatRelative, formatTimestamp } from '../../format.ts'

interface Props {
  /** Milliseconds since 1970. */
  at: number
  /** The time that the distance is relative to. */
  now: number
}

const WEEK_MS = 7 * 86_400_000

/** `3 hours ago`, or the day if it is longer ago; the exact time is shown on hover and on focus. */
export function TimeInWords({ at, now }: Props): ReactNode {
  const words = Math.abs(now - at) < WEEK_MS ? formatRelative(at, now) : formatMinute(at)
  return (
    <Tooltip.Provider delayDuration={200}>
      <Tooltip.Root>
        <Tooltip.Trigger asChild>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the exact time must be reachable by keyboard. */}
          <time tabIndex={0} dateTime={new Date(at).toISOString()} className="whitespace-nowrap">
            {words}
          </time>
        </Tooltip.Trigger>
        <Tooltip.Portal>
          <Tooltip.Content
            sideOffset={4}
            collisionPadding={8}
            className="z-50 rounded-md border border-line bg-raised px-2 py-1 text-xs shadow-float"
          >
            {formatTimestamp(at)}
          </Tooltip.Content>
        </Tooltip.Portal>
      </Tooltip.Root>
    </Tooltip.Provider>
  )
}
