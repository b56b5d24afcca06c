import type { ReactNode } from 'react'
import { formatDay, formatMinute, formatRelative, formatTimestamp } from '../../format.ts'
import { useServerTime } from '../../server-clock.ts'
import { cx } from '../cx.ts'

interface Props {
  /** Milliseconds since 1970. */
  at: number
  /** The time that the distance is relative to, such as the sandbox clock; real time by default. Null leaves the
   * distance out. */
  now?: number | null
  /** Shows only the day. */
  day?: boolean
  /** What is shown instead, such as the day in another time zone than the browser's. */
  text?: string
}

/** A time and its distance from now; hovering shows the seconds. */
export function Time({ at, now: given, day = false, text }: Props): ReactNode {
  const realTime = useServerTime('production')
  const now = given === undefined ? realTime : given
  return (
    <time
      dateTime={new Date(at).toISOString()}
      title={formatTimestamp(at)}
      className={cx(now === null && 'sm:whitespace-nowrap')}
    >
      {text ?? (day ? formatDay(at) : formatMinute(at))}
      {now !== null && (
        <span className="text-soft max-sm:hidden"> · {formatRelative(at, now)}</span>
      )}
    </time>
  )
}
