import type { ReactNode } from 'react'
import { formatDay, formatMinute, formatRelative, formatTimestamp } from '../../format.ts'
import { cx } from '../cx.ts'

interface Props {
  /** Milliseconds since 1970. */
  at: number
  /** The time that the distance is relative to, such as the sandbox clock. Null leaves the distance out. */
  now?: number | null
  /** Shows only the day. */
  day?: boolean
}

/** A time and its distance from now; hovering shows the seconds. */
export function Time({ at, now = Date.now(), day = false }: Props): ReactNode {
  return (
    <time
      dateTime={new Date(at).toISOString()}
      title={formatTimestamp(at)}
      className={cx(now === null && 'whitespace-nowrap')}
    >
      {day ? formatDay(at) : formatMinute(at)}
      {now !== null && (
        <span className="text-soft max-sm:hidden"> · {formatRelative(at, now)}</span>
      )}
    </time>
  )
}
