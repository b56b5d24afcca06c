import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import { useAppScope } from '../../app-scope.ts'
import { useMe } from '../../frame/me.ts'
import { Page } from '../../frame/page.tsx'
import { texts } from '../../texts.ts'
import { SETTINGS_TABS, type SettingsTab, TAB_ROLES } from './settings-tabs.ts'

interface Props {
  current: SettingsTab
  lead?: ReactNode
  beside?: ReactNode
  children: ReactNode
}

/** A page of the settings, with links to the others. */
export function SettingsFrame({ current, lead, beside, children }: Props): ReactNode {
  const { path } = useAppScope()
  const { tabs, tabsLabel } = texts.connections
  const { role } = useMe().staff
  const shown = SETTINGS_TABS.filter((tab) => TAB_ROLES[tab]?.includes(role) ?? true)
  const list = useRef<HTMLUListElement>(null)
  // On a phone, the current tab may be out of sight.
  useEffect(() => {
    const link = list.current?.querySelector('[aria-current=page]')
    link?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [])
  return (
    <Page title={texts.pages.settings} lead={lead} beside={beside}>
      <nav
        aria-label={tabsLabel}
        className="overflow-x-auto overflow-y-hidden border-b border-line"
      >
        <ul ref={list} className="flex gap-1">
          {shown.map((tab) => (
            <li key={tab}>
              <Link
                to={tab === 'general' ? path('settings') : path('settings', tab)}
                activeOptions={{ exact: true }}
                className="block border-b-2 border-transparent px-3 py-2 font-medium whitespace-nowrap text-soft -outline-offset-2 hover:text-ink aria-[current=page]:border-accent aria-[current=page]:text-ink"
                {...(tab === current ? { 'aria-current': 'page' } : {})}
              >
                {tabs[tab]}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      {children}
    </Page>
  )
}
