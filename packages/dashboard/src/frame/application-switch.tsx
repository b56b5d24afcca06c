import { DEVELOPERS } from '@gatehouse/server/dashboard-api'
import { useNavigate } from '@tanstack/react-router'
import { ChevronsUpDown, Plus } from 'lucide-react'
import type { ReactNode } from 'react'
import { createAppScope, useOptionalScope } from '../app-scope.ts'
import { cx } from '../components/cx.ts'
import { Menu, type MenuItem } from '../components/overlays/menu.tsx'
import { texts } from '../texts.ts'
import { lastScope } from './last-scope.ts'
import { environmentOf, useHasRole, useMe } from './me.ts'
import type { SwitchProps } from './nav-style.ts'

/** Two letters for an application where space is tight. */
const initials = (name: string) =>
  name
    .split(/\s+/)
    .slice(0, 2)
    .map((word) => [...word][0] ?? '')
    .join('')
    .toUpperCase()

export function ApplicationSwitch({ expanded, onLeave }: SwitchProps): ReactNode {
  const me = useMe()
  const scope = useOptionalScope() ?? lastScope(me)
  const canAdd = useHasRole(DEVELOPERS)
  const navigate = useNavigate()
  const environment = scope?.environment ?? 'production'
  const { applications } = environmentOf(me, environment)
  const current = applications.find(({ aid }) => aid === scope?.aid)
  const name = current?.name ?? texts.frame.noApplication

  const go = (to: string) => {
    onLeave()
    void navigate({ to })
  }
  const choices: MenuItem[] = applications.map((application) => ({
    label: application.name,
    detail: application.archived ? `${application.aid} · ${texts.frame.archived}` : application.aid,
    checked: application.aid === scope?.aid,
    onSelect: () => go(createAppScope(environment, application.aid).path()),
  }))
  const more: MenuItem[] = [
    { label: texts.frame.newApplication, icon: Plus, onSelect: () => go('/new') },
  ]
  const groups = [
    { heading: texts.frame[environment], items: choices },
    ...(canAdd ? [{ items: more }] : []),
  ].filter(({ items }) => items.length > 0)

  return (
    <Menu groups={groups} align="start">
      <button
        type="button"
        className={cx(
          'flex min-h-10 w-full items-center gap-2.5 rounded-lg px-1.5 text-left hover:bg-hover',
          !expanded && 'max-lg:justify-center max-lg:px-0',
        )}
      >
        <span
          aria-hidden
          className="grid size-7 shrink-0 place-items-center rounded-md bg-accent text-xs font-semibold text-on-accent"
        >
          {initials(name)}
        </span>
        <span
          className={cx('min-w-0 flex-1 truncate font-semibold', !expanded && 'max-lg:sr-only')}
        >
          {name}
        </span>
        <ChevronsUpDown
          size={14}
          aria-hidden
          className={cx('shrink-0 text-soft', !expanded && 'max-lg:hidden')}
        />
      </button>
    </Menu>
  )
}
