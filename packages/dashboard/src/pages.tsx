import { DEVELOPERS, type Role, SUPPORT } from '@gatehouse/server/dashboard-api'
import { lazyRouteComponent, type RouteComponent } from '@tanstack/react-router'
import {
  FileDown,
  KeyRound,
  LayoutDashboard,
  type LucideIcon,
  Mail,
  Package,
  Repeat,
  Settings,
  SquareTerminal,
  Users,
  Wallet,
} from 'lucide-react'
import type { AppScope } from './app-scope.ts'
import { OverviewPage } from './pages/overview/overview-page.tsx'
import { figuresQuery, overviewQuery } from './pages/overview/overview-query.ts'
import { queryClient } from './query-client.ts'
import { texts } from './texts.ts'

/** A page of an application, below `/:environment/:aid/`. */
export interface AppPage {
  /** `access`, or `people/$uid` with a parameter that the page gets from `useParams`. */
  path: string
  /** Loaded on demand: `lazyRouteComponent(() => import('./access/access-page.tsx'), 'AccessPage')`. */
  component: RouteComponent
  /** The entry in the navigation and the search box; pages of single records have none. */
  nav?: { label: string; icon: LucideIcon }
  /** The roles that may see it; everybody if missing. */
  who?: readonly Role[]
  /** Starts loading the data while the page itself is still loading. */
  prefetch?: (scope: AppScope, search: Record<string, string>) => void
}

/** In navigation order. An application opens with the first page that has an entry there. */
export const appPages: readonly AppPage[] = [
  {
    path: 'overview',
    // Not loaded on demand: nearly every session starts here.
    component: OverviewPage,
    nav: { label: texts.pages.overview, icon: LayoutDashboard },
    prefetch: (scope, search) => {
      void queryClient.prefetchQuery(overviewQuery(scope))
      void queryClient.prefetchQuery(figuresQuery(scope, search))
    },
  },
  {
    path: 'access',
    component: lazyRouteComponent(() => import('./pages/access/access-page.tsx'), 'AccessPage'),
    nav: { label: texts.pages.access, icon: KeyRound },
  },
  {
    path: 'access/import',
    component: lazyRouteComponent(
      () => import('./pages/access/import/import-page.tsx'),
      'ImportPage',
    ),
    who: SUPPORT,
  },
  {
    path: 'people',
    component: lazyRouteComponent(() => import('./pages/people/people-page.tsx'), 'PeoplePage'),
    nav: { label: texts.pages.people, icon: Users },
  },
  {
    path: 'people/$uid',
    component: lazyRouteComponent(() => import('./pages/people/person-page.tsx'), 'PersonPage'),
  },
  {
    path: 'resources',
    component: lazyRouteComponent(
      () => import('./pages/resources/resources-page.tsx'),
      'ResourcesPage',
    ),
    nav: { label: texts.pages.resources, icon: Package },
  },
  {
    path: 'resources/$rid',
    component: lazyRouteComponent(
      () => import('./pages/resources/resource-page.tsx'),
      'ResourcePage',
    ),
  },
  {
    path: 'subscriptions',
    component: lazyRouteComponent(
      () => import('./pages/subscriptions/subscriptions-page.tsx'),
      'SubscriptionsPage',
    ),
    nav: { label: texts.pages.subscriptions, icon: Repeat },
  },
  {
    path: 'subscriptions/$id',
    component: lazyRouteComponent(
      () => import('./pages/subscriptions/subscription-page.tsx'),
      'SubscriptionPage',
    ),
  },
  {
    path: 'payments',
    component: lazyRouteComponent(
      () => import('./pages/payments/payments-page.tsx'),
      'PaymentsPage',
    ),
    nav: { label: texts.pages.payments, icon: Wallet },
  },
  {
    path: 'payments/$id',
    component: lazyRouteComponent(() => import('./pages/payments/payment-page.tsx'), 'PaymentPage'),
  },
  {
    path: 'downloads',
    component: lazyRouteComponent(
      () => import('./pages/downloads/downloads-page.tsx'),
      'DownloadsPage',
    ),
    nav: { label: texts.pages.downloads, icon: FileDown },
  },
  {
    path: 'downloads/deliveries',
    component: lazyRouteComponent(
      () => import('./pages/downloads/deliveries-page.tsx'),
      'DeliveriesPage',
    ),
  },
  {
    path: 'downloads/$id',
    component: lazyRouteComponent(
      () => import('./pages/downloads/download-page.tsx'),
      'DownloadPage',
    ),
  },
  {
    path: 'mail',
    component: lazyRouteComponent(() => import('./pages/mail/mails-page.tsx'), 'MailsPage'),
    nav: { label: texts.pages.mail, icon: Mail },
  },
  {
    path: 'mail/$id',
    component: lazyRouteComponent(() => import('./pages/mail/mail-page.tsx'), 'MailPage'),
  },
  {
    path: 'developers',
    component: lazyRouteComponent(
      () => import('./pages/developers/developers-page.tsx'),
      'DevelopersPage',
    ),
    nav: { label: texts.pages.developers, icon: SquareTerminal },
    who: DEVELOPERS,
  },
  {
    path: 'developers/webhooks/$id',
    component: lazyRouteComponent(
      () => import('./pages/developers/webhooks/webhook-page.tsx'),
      'WebhookPage',
    ),
    who: DEVELOPERS,
  },
  {
    path: 'developers/webhooks/$id/$event',
    component: lazyRouteComponent(
      () => import('./pages/developers/webhooks/delivery-page.tsx'),
      'DeliveryPage',
    ),
    who: DEVELOPERS,
  },
  {
    path: 'settings',
    component: lazyRouteComponent(
      () => import('./pages/settings/settings-page.tsx'),
      'SettingsPage',
    ),
    nav: { label: texts.pages.settings, icon: Settings },
  },
  {
    path: 'settings/brand',
    component: lazyRouteComponent(
      () => import('./pages/settings/brand/brand-page.tsx'),
      'BrandPage',
    ),
  },
  {
    path: 'settings/emails',
    component: lazyRouteComponent(() => import('./pages/settings/emails-page.tsx'), 'EmailsPage'),
  },
  {
    path: 'settings/payments',
    component: lazyRouteComponent(
      () => import('./pages/settings/connections/payments-page.tsx'),
      'PaymentsSettingsPage',
    ),
  },
  {
    path: 'settings/mail',
    component: lazyRouteComponent(
      () => import('./pages/settings/connections/mail-page.tsx'),
      'MailSettingsPage',
    ),
  },
  {
    path: 'settings/copy',
    component: lazyRouteComponent(() => import('./pages/settings/copy/copy-page.tsx'), 'CopyPage'),
    who: DEVELOPERS,
  },
  {
    path: 'settings/set-up',
    component: lazyRouteComponent(() => import('./pages/settings/set-up-page.tsx'), 'SetUpPage'),
  },
]
