import { EDITORS, type Me, SUPPORT } from '@gatehouse/server/dashboard-api'
import type { AppScope } from '../app-scope.ts'
import { texts } from '../texts.ts'
import { environmentOf } from './me.ts'
import { setTheme, type Theme } from './theme.ts'

/** Something that the search box does, or the page that does it. */
export interface SearchAction {
  key: string
  title: string
  /** The page to open, and the action that it starts with. */
  to?: string
  hash?: string
  run?: () => void
}

const THEMES: readonly Theme[] = ['dark', 'light', 'system']

/** The actions of an application that the member may take. An archived application is read-only. */
export function applicationActions(me: Me, scope: AppScope | undefined): SearchAction[] {
  if (scope === undefined) return []
  const { applications } = environmentOf(me, scope.environment)
  if (applications.find(({ aid }) => aid === scope.aid)?.archived !== false) return []
  const { role } = me.staff
  const { actions } = texts.find
  return [
    ...(SUPPORT.includes(role)
      ? [
          { key: 'grant', title: actions.grant, to: scope.path('access'), hash: 'grant' },
          { key: 'refund', title: actions.refund, to: scope.path('payments'), hash: 'refund' },
        ]
      : []),
    ...(EDITORS.includes(role)
      ? [{ key: 'resource', title: actions.resource, to: scope.path('resources'), hash: 'new' }]
      : []),
  ]
}

/** The actions that need no application. */
export function generalActions(showShortcuts: () => void): SearchAction[] {
  const { actions } = texts.find
  return [
    ...THEMES.map((theme) => ({
      key: `theme ${theme}`,
      title: actions.themes[theme],
      run: () => setTheme(theme),
    })),
    { key: 'shortcuts', title: actions.shortcuts, run: showShortcuts },
  ]
}
