import { Link, useLocation } from '@tanstack/react-router'
import { FlaskConical, Globe } from 'lucide-react'
import type { ReactNode } from 'react'
import { cx } from '../parts/cx.ts'
import { type EnvironmentName, useMaybePlace } from '../place.ts'
import { texts } from '../texts.ts'
import { labelClass } from './entry.ts'
import { lastPlace, lastPlaceIn } from './last-place.ts'
import { useMe } from './me.ts'

const CURRENT = {
  production: 'bg-raised font-medium shadow-card',
  sandbox: 'bg-band font-medium text-on-band shadow-card',
} as const
const ICONS = { production: Globe, sandbox: FlaskConical } as const

export function EnvironmentSwitch({
  full,
  onLeave,
}: {
  full: boolean
  onLeave: () => void
}): ReactNode {
  const me = useMe()
  const here = useMaybePlace()
  const current = (here ?? lastPlace(me))?.environment ?? 'production'
  const page = useLocation().pathname.split('/')[3]

  function target(environment: EnvironmentName) {
    const place = lastPlaceIn(me, environment)
    if (place === undefined) return { to: '/new', search: { environment } as never }
    // The same page over there; a record of here would not be there.
    return { to: here === undefined || page === undefined ? place.path() : place.path(page) }
  }

  return (
    <nav aria-label={texts.frame.environment}>
      <ul
        className={cx(
          'grid gap-1 rounded-lg bg-paper p-1',
          full ? 'grid-cols-2' : 'lg:grid-cols-2',
        )}
      >
        {(['production', 'sandbox'] as const).map((environment) => {
          const Icon = ICONS[environment]
          return (
            <li key={environment}>
              <Link
                {...target(environment)}
                title={`${texts.frame[environment]}: ${texts.frame.environmentHint[environment]}`}
                aria-current={environment === current ? 'true' : undefined}
                onClick={onLeave}
                className={cx(
                  'flex h-8 items-center justify-center gap-1.5 rounded-md px-1.5 text-xs pointer-coarse:h-10',
                  environment === current ? CURRENT[environment] : 'text-soft hover:text-ink',
                )}
              >
                <Icon size={14} className="shrink-0" aria-hidden />
                <span className={cx(labelClass(full), 'flex-none')}>
                  {texts.frame[environment]}
                </span>
              </Link>
            </li>
          )
        })}
      </ul>
    </nav>
  )
}
