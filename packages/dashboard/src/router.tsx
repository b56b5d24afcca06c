import { OWNERS, type Role } from '@gatehouse/server/dashboard-api'
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  notFound,
  Outlet,
  type RouteComponent,
  redirect,
} from '@tanstack/react-router'
import { createAppScope, isEnvironmentName } from './app-scope.ts'
import { BASE_PATH } from './base-path.ts'
import { Toasts } from './components/overlays/toast.tsx'
import { ErrorPage } from './frame/error-page.tsx'
import { Frame, Loading } from './frame/frame.tsx'
import { meQuery } from './frame/me.ts'
import { NotFoundPage } from './frame/not-found-page.tsx'
import { RestrictedPage } from './frame/restricted-page.tsx'
import { firstPagePath, startPath } from './frame/start-path.ts'
import { appPages } from './pages.tsx'
import { queryClient } from './query-client.ts'
import { ConfirmIdentityDialog } from './sign-in/confirm-identity.tsx'
import { SignOutPage } from './sign-in/sign-out-page.tsx'

const root = createRootRoute({
  component: () => (
    <Toasts>
      <Outlet />
      <ConfirmIdentityDialog />
    </Toasts>
  ),
  // Rendered outside the frame, which otherwise provides the `main` landmark.
  notFoundComponent: () => (
    <main className="mx-auto max-w-md p-8">
      <NotFoundPage />
    </main>
  ),
})

const linkPage = lazyRouteComponent(() => import('./sign-in/staff-link-page.tsx'), 'StaffLinkPage')
const guestPages = [
  createRoute({
    getParentRoute: () => root,
    path: 'sign-in',
    component: lazyRouteComponent(() => import('./sign-in/sign-in-page.tsx'), 'SignInPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: 'forgotten',
    component: lazyRouteComponent(() => import('./sign-in/forgotten-page.tsx'), 'ForgottenPage'),
  }),
  // Not loaded on demand: it is needed where there is no connection.
  createRoute({ getParentRoute: () => root, path: 'sign-out', component: SignOutPage }),
  ...['welcome', 'invite', 'reset'].map((path) =>
    createRoute({ getParentRoute: () => root, path, component: linkPage }),
  ),
]

/** Loaded before anything renders: React delays a page that was not ready by a third of a second. */
const whoIsThere = () => queryClient.ensureQueryData(meQuery)

const frame = createRoute({
  getParentRoute: () => root,
  id: 'frame',
  beforeLoad: whoIsThere,
  component: Frame,
  pendingComponent: Loading,
  pendingMs: 300,
  pendingMinMs: 0,
})

const shownTo = (who: readonly Role[] | undefined, Shown: RouteComponent) =>
  who === undefined ? Shown : () => <RestrictedPage to={who} page={Shown} />

const NewApplicationPage = lazyRouteComponent(
  () => import('./applications/new-application-page.tsx'),
  'NewApplicationPage',
)
const AccountPage = lazyRouteComponent(() => import('./account/account-page.tsx'), 'AccountPage')
const NotificationsPage = lazyRouteComponent(
  () => import('./account/notifications-page.tsx'),
  'NotificationsPage',
)
const TeamPage = lazyRouteComponent(() => import('./team/team-page.tsx'), 'TeamPage')
const TokensPage = lazyRouteComponent(() => import('./tokens/tokens-page.tsx'), 'TokensPage')
const AuditPage = lazyRouteComponent(() => import('./audit/audit-page.tsx'), 'AuditPage')

const start = createRoute({
  getParentRoute: () => frame,
  path: '/',
  beforeLoad: async () => {
    throw redirect({ to: startPath(await whoIsThere()), replace: true })
  },
})

const framedPages = (
  [
    ['new', NewApplicationPage],
    ['account', AccountPage],
    ['account/notifications', NotificationsPage],
    ['team', shownTo(OWNERS, TeamPage)],
    ['tokens', shownTo(OWNERS, TokensPage)],
    ['audit', shownTo(OWNERS, AuditPage)],
  ] as const
).map(([path, component]) => createRoute({ getParentRoute: () => frame, path, component }))

const application = createRoute({
  getParentRoute: () => frame,
  path: '$environment/$aid',
  beforeLoad: ({ params }) => {
    if (!isEnvironmentName(params.environment)) throw notFound()
  },
})
const applicationPages = [
  createRoute({
    getParentRoute: () => application,
    path: '/',
    beforeLoad: async ({ params: { environment, aid } }) => {
      const me = await whoIsThere()
      const to = isEnvironmentName(environment)
        ? firstPagePath(createAppScope(environment, aid), me)
        : '/'
      throw redirect({ to, replace: true })
    },
  }),
  ...appPages.map(({ path, component, who, prefetch }) =>
    createRoute({
      getParentRoute: () => application,
      path,
      component: shownTo(who, component),
      loader: ({ params, location: { search } }) => {
        const { environment, aid } = params
        if (isEnvironmentName(environment)) prefetch?.(createAppScope(environment, aid), search)
      },
    }),
  ),
]

const tree = root.addChildren([
  ...guestPages,
  frame.addChildren([start, ...framedPages, application.addChildren(applicationPages)]),
])

/** Keeps search parameters as text: an id of digits must not become a number. */
const parseSearch = (text: string) => Object.fromEntries(new URLSearchParams(text))

function stringifySearch(search: Record<string, unknown>): string {
  const entries = Object.entries(search).filter(([, value]) => value !== undefined)
  const text = new URLSearchParams(entries.map(([name, value]) => [name, String(value)])).toString()
  return text === '' ? '' : `?${text}`
}

export const router = createRouter({
  routeTree: tree,
  basepath: BASE_PATH,
  parseSearch,
  stringifySearch,
  scrollRestoration: true,
  defaultPreload: 'intent',
  defaultErrorComponent: ErrorPage,
  defaultNotFoundComponent: NotFoundPage,
})
