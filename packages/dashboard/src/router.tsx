import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  type RouteComponent,
} from '@tanstack/react-router'
import { OWNERS } from '../../server/src/doors/dashboard/route.ts'
import type { Role } from '../../server/src/staff/staff.ts'
import { BASE } from './base.ts'
import { Broken } from './frame/broken.tsx'
import { Frame } from './frame/frame.tsx'
import { NotFound } from './frame/not-found.tsx'
import { Restricted } from './frame/restricted.tsx'
import { FirstPage, Start } from './frame/start.tsx'
import { appPages } from './pages.tsx'
import { Toasts } from './parts/toast.tsx'

const root = createRootRoute({
  component: () => (
    <Toasts>
      <Outlet />
    </Toasts>
  ),
  notFoundComponent: NotFound,
})

const linkPage = lazyRouteComponent(() => import('./sign-in/link-page.tsx'), 'LinkPage')
const guestPages = [
  createRoute({
    getParentRoute: () => root,
    path: 'sign-in',
    component: lazyRouteComponent(() => import('./sign-in/sign-in-page.tsx'), 'SignInPage'),
  }),
  ...['welcome', 'invite', 'reset'].map((path) =>
    createRoute({ getParentRoute: () => root, path, component: linkPage }),
  ),
]

const frame = createRoute({ getParentRoute: () => root, id: 'frame', component: Frame })

const shownTo = (who: readonly Role[] | undefined, Shown: RouteComponent) =>
  who === undefined ? Shown : () => <Restricted to={who} page={Shown} />

const NewApplicationPage = lazyRouteComponent(
  () => import('./first/new-application-page.tsx'),
  'NewApplicationPage',
)
const AccountPage = lazyRouteComponent(() => import('./account/account-page.tsx'), 'AccountPage')
const TeamPage = lazyRouteComponent(() => import('./team/team-page.tsx'), 'TeamPage')
const AuditPage = lazyRouteComponent(() => import('./audit/audit-page.tsx'), 'AuditPage')

const framedPages = (
  [
    ['/', Start],
    ['new', NewApplicationPage],
    ['account', AccountPage],
    ['team', shownTo(OWNERS, TeamPage)],
    ['audit', shownTo(OWNERS, AuditPage)],
  ] as const
).map(([path, component]) => createRoute({ getParentRoute: () => frame, path, component }))

const application = createRoute({ getParentRoute: () => frame, path: '$environment/$aid' })
const applicationPages = [
  createRoute({ getParentRoute: () => application, path: '/', component: FirstPage }),
  ...appPages.map(({ path, component, who }) =>
    createRoute({ getParentRoute: () => application, path, component: shownTo(who, component) }),
  ),
]

const tree = root.addChildren([
  ...guestPages,
  frame.addChildren([...framedPages, application.addChildren(applicationPages)]),
])

/** What the address says stays text: an id of digits is no number. */
const parseSearch = (text: string) => Object.fromEntries(new URLSearchParams(text))

function stringifySearch(search: Record<string, unknown>): string {
  const entries = Object.entries(search).filter(([, value]) => value !== undefined)
  const text = new URLSearchParams(entries.map(([name, value]) => [name, String(value)])).toString()
  return text === '' ? '' : `?${text}`
}

export const router = createRouter({
  routeTree: tree,
  basepath: BASE,
  parseSearch,
  stringifySearch,
  scrollRestoration: true,
  defaultPreload: 'intent',
  defaultErrorComponent: Broken,
  defaultNotFoundComponent: NotFound,
})
