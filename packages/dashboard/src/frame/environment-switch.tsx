import { Link, useLocation, useNavigate } from '@tanstack/react-router'
import { FlaskConical, Globe } from 'lucide-react'
import type { MouseEvent, ReactNode } from 'react'
import { type EnvironmentName, useOptionalScope } from '../app-scope.ts'
import { cx } from '../components/cx.ts'
import { toast } from '../components/overlays/toast.tsx'
import { texts } from '../texts.ts'
import { applicationName, counterpartScope, lastScope } from './last-scope.ts'
import { useMe } from './me.ts'
import { navLabelClass, type SwitchProps } from './nav-style.ts'

const CURRENT = {
  production: 'bg-raised font-medium shadow-card',
  sandbox: 'bg-band font-medium text-on-band shadow-card',
} as const
const ICONS = { production: Globe, sandbox: FlaskConical } as const

/** Where a switch to the other environment leads, from the current page. */
function useSwitchTargets() {
  const me = useMe()
  const navigate = useNavigate()
  const here = useOptionalScope()
  const from = here ?? lastScope(me)
  const current = from?.environment ?? 'production'
  const { pathname, search } = useLocation()
  const page = pathname.split('/')[3]

  function targetIn(environment: EnvironmentName) {
    const scope = counterpartScope(me, from, environment)
    if (scope === undefined) return { to: '/new', search: { environment } as never }
    // Opens the same page there, but not the same record, which would not exist in the other environment.
    return { to: here === undefined || page === undefined ? scope.path() : scope.path(page) }
  }

  /** Notifies when the switch leads to an application of another name, so that nobody mistakes it for the last one. */
  function announceApplication(environment: EnvironmentName) {
    const [left, found] = [
      applicationName(me, from),
      applicationName(me, counterpartScope(me, from, environment)),
    ]
    if (left === undefined || found === undefined || left === found) return
    const undo = () => void navigate({ to: pathname, search: search as never })
    toast(texts.frame.otherApplication(left, environment, found), { undo })
  }

  return { current, targetIn, announceApplication }
}

export function EnvironmentSwitch({ expanded, onLeave }: SwitchProps): ReactNode {
  const { current, targetIn, announceApplication } = useSwitchTargets()

  function leave(environment: EnvironmentName, { ctrlKey, metaKey, shiftKey }: MouseEvent) {
    onLeave()
    // With one of these keys, the link opens in another tab or window.
    if (!ctrlKey && !metaKey && !shiftKey) announceApplication(environment)
  }

  return (
    <nav aria-label={texts.frame.environment}>
      <ul
        className={cx(
          'grid gap-1 rounded-lg bg-paper p-1',
          expanded ? 'grid-cols-2' : 'lg:grid-cols-2',
        )}
      >
        {(['production', 'sandbox'] as const).map((environment) => {
          const Icon = ICONS[environment]
          return (
            <li key={environment}>
              <Link
                {...targetIn(environment)}
                title={`${texts.frame[environment]}: ${texts.frame.environmentHint[environment]}`}
                aria-current={environment === current ? 'true' : undefined}
                onClick={(event) => leave(environment, event)}
                className={cx(
                  'flex h-8 items-center justify-center gap-1.5 rounded-md px-1.5 text-xs pointer-coarse:h-10',
                  environment === current ? CURRENT[environment] : 'text-soft hover:text-ink',
                )}
              >
                <Icon size={14} className="shrink-0" aria-hidden />
                <span className={cx(navLabelClass(expanded), 'flex-none')}>
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
