import { OWNERS } from '@gatehouse/server/dashboard-api'
import { useNavigate } from '@tanstack/react-router'
import {
  Bell,
  CircleUser,
  KeyRound,
  LogOut,
  Monitor,
  Moon,
  ScrollText,
  Sun,
  Users,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { Menu, type MenuItem } from '../components/overlays/menu.tsx'
import { ASKED } from '../sign-in/sign-out-page.tsx'
import { texts } from '../texts.ts'
import { useHasRole, useMe } from './me.ts'
import { navEntryClass, navLabelClass } from './nav-style.ts'
import { setTheme, type Theme, useTheme } from './theme.ts'

const THEMES = [
  ['system', Monitor],
  ['light', Sun],
  ['dark', Moon],
] as const satisfies readonly (readonly [Theme, unknown])[]

function themeItems(current: Theme): MenuItem[] {
  return THEMES.map(([name, icon]) => ({
    label: texts.frame.themes[name],
    icon,
    checked: current === name,
    onSelect: () => setTheme(name),
  }))
}

export function AccountMenu({
  expanded,
  onLeave,
}: {
  expanded: boolean
  onLeave: () => void
}): ReactNode {
  const { staff, version } = useMe()
  const isOwner = useHasRole(OWNERS)
  const theme = useTheme()
  const navigate = useNavigate()
  const go = (to: string) => () => {
    onLeave()
    void navigate({ to })
  }
  const ownerItems = [
    { label: texts.frame.team, icon: Users, onSelect: go('/team') },
    { label: texts.frame.tokens, icon: KeyRound, onSelect: go('/tokens') },
    { label: texts.frame.audit, icon: ScrollText, onSelect: go('/audit') },
  ]
  return (
    <Menu
      side="top"
      align="start"
      groups={[
        {
          heading: `${staff.email} · ${texts.roles[staff.role]}`,
          items: [
            { label: texts.frame.yourAccount, icon: CircleUser, onSelect: go('/account') },
            {
              label: texts.frame.notifications,
              icon: Bell,
              onSelect: go('/account/notifications'),
            },
            ...(isOwner ? ownerItems : []),
          ],
        },
        { heading: texts.frame.theme, items: themeItems(theme) },
        {
          heading: texts.frame.version(version),
          items: [
            {
              label: texts.frame.signOut,
              icon: LogOut,
              onSelect: () => void navigate({ to: '/sign-out', state: ASKED }),
            },
          ],
        },
      ]}
    >
      <button
        type="button"
        aria-label={texts.frame.account(staff.name)}
        className={navEntryClass(expanded)}
      >
        <CircleUser size={16} className="shrink-0" aria-hidden />
        <span className={navLabelClass(expanded)}>{staff.name}</span>
      </button>
    </Menu>
  )
}
