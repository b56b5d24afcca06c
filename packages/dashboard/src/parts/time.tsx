import type { ReactNode } from 'react'
import { formatDay, formatExactly, formatMinute, formatRelative } from '../format.ts'
import { cx } from './cx.ts'

interface Props {
  /** Milliseconds since 1970. */
  at: number
  /** In the sandbox: its own time, so that the distance is right. Null leaves the distance out. */
  now?: number | null
  /** The day alone. */
  day?: boolean
}

/** When, and how far from now; to the second when pointed at. */
export function Time({ at, now = Date.now(), day = false }: Props): ReactNode {
  return (
    <time
      dateTime={new Date(at).toISOString()}
      title={formatExactly(at)}
      className={cx(now === null && 'whitespace-nowrap')}
    >
      {day ? formatDay(at) : formatMinute(at)}
      {now !== null && (
        <span className="text-soft max-sm:hidden"> · {formatRelative(at, now)}</span>
      )}
    </time>
  )
}
