import { Link } from '@tanstack/react-router'
import { Search } from 'lucide-react'
import type { ReactNode } from 'react'
import { useOptionalScope } from '../app-scope.ts'
import { cx } from '../components/cx.ts'
import { appPages } from '../pages.tsx'
import { texts } from '../texts.ts'
import { AccountMenu } from './account-menu.tsx'
import { ApplicationSwitch } from './application-switch.tsx'
import { EnvironmentSwitch } from './environment-switch.tsx'
import { lastScope } from './last-scope.ts'
import { useMe } from './me.ts'
import { navEntryClass, navLabelClass } from './nav-style.ts'
import { FIND_KEYS } from './shortcuts-dialog.tsx'

interface Props {
  /** Shows labels on every screen width, as in the mobile menu. */
  expanded?: boolean
  onFind: () => void
  /** Called when an entry was chosen. */
  onLeave?: () => void
}

export function Sidebar({ expanded = false, onFind, onLeave = () => {} }: Props): ReactNode {
  const { has_sandbox: hasSandbox } = useMe()
  return (
    <div className={cx('flex h-full min-h-0 flex-col gap-3', expanded ? 'flex-1' : 'px-2.5 py-3')}>
      <ApplicationSwitch expanded={expanded} onLeave={onLeave} />
      <button type="button" onClick={onFind} className={cx(navEntryClass(expanded), 'text-soft')}>
        <Search size={16} className="shrink-0" aria-hidden />
        <span className={navLabelClass(expanded)}>{texts.frame.find}</span>
        <kbd
          className={cx(
            'rounded border border-line px-1 font-sans text-xs pointer-coarse:hidden',
            !expanded && 'max-lg:hidden',
          )}
        >
          {FIND_KEYS.join(' ')}
        </kbd>
      </button>
      <Navigation expanded={expanded} onLeave={onLeave} />
      <div className="mt-auto grid gap-3 border-t border-line pt-3">
        {hasSandbox && <EnvironmentSwitch expanded={expanded} onLeave={onLeave} />}
        <AccountMenu expanded={expanded} onLeave={onLeave} />
      </div>
    </div>
  )
}

function Navigation({ expanded, onLeave }: { expanded: boolean; onLeave: () => void }): ReactNode {
  const me = useMe()
  const here = useOptionalScope()
  const scope = here ?? lastScope(me)
  const entries = appPages.flatMap(({ path, nav, who }) =>
    nav && (who === undefined || who.includes(me.staff.role)) ? [{ path, ...nav }] : [],
  )
  if (scope === undefined || entries.length === 0) return null
  return (
    <nav aria-label={texts.frame.navigation} className="min-h-0 overflow-y-auto">
      <ul className="grid gap-0.5">
        {entries.map(({ path, label, icon: Icon }) => (
          <li key={path}>
            <Link
              to={scope.path(path)}
              title={label}
              onClick={onLeave}
              activeProps={{ className: 'bg-tint font-medium text-accent-deep' }}
              className={navEntryClass(expanded)}
            >
              <Icon size={16} className="shrink-0" aria-hidden />
              <span className={navLabelClass(expanded)}>{label}</span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
