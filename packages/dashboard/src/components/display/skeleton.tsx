import { type ReactNode, useEffect, useState } from 'react'
import { texts } from '../../texts.ts'
import { cx } from '../cx.ts'

/** True after a delay, so that quick loads don't flicker. */
function useLate(milliseconds = 200): boolean {
  const [late, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), milliseconds)
    return () => clearTimeout(timer)
  }, [milliseconds])
  return late
}

const WIDTHS = ['w-3/4', 'w-1/2', 'w-2/3', 'w-5/6']

/** Gray placeholder lines; nothing for the first 200 ms. */
export function Skeleton({ lines = 4 }: { lines?: number }): ReactNode {
  const late = useLate()
  return (
    <div role="status" className="grid gap-3 py-2">
      <span className="sr-only">{texts.common.loading}</span>
      {late &&
        Array.from({ length: lines }, (_, at) => (
          <span
            // biome-ignore lint/suspicious/noArrayIndexKey: the lines are all alike.
            key={at}
            aria-hidden
            className={cx('block h-4 animate-pulse rounded bg-hover', WIDTHS[at % WIDTHS.length])}
          />
        ))}
    </div>
  )
}
