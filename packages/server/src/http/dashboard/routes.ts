import { accessRoutes } from './access/routes.ts'
import { applicationsRoutes } from './applications/routes.ts'
import { connectionRoutes } from './connections/routes.ts'
import { copyRoutes } from './copy/routes.ts'
import { consoleRoutes } from './developers/console.ts'
import { eventRoutes } from './developers/events.ts'
import { keyRoutes } from './developers/keys.ts'
import { refusedRoutes } from './developers/refused-calls.ts'
import { webhookRoutes } from './developers/webhooks.ts'
import { filesRoutes } from './downloads/routes.ts'
import { imageRoutes } from './images/routes.ts'
import { mailRoutes } from './mail/routes.ts'
import { overviewRoutes } from './overview/routes.ts'
import { moneyRoutes } from './payments/routes.ts'
import { peopleRoutes } from './people/routes.ts'
import { resourcesRoutes } from './resources/routes.ts'
import type { Route } from './route.ts'
import { settingsRoutes } from './settings/routes.ts'
import { sandboxRoutes } from './settings/sandbox.ts'
import { auditRoutes } from './staff/audit.ts'
import { confirmationRoutes } from './staff/confirmation.ts'
import { meRoutes } from './staff/me.ts'
import { notificationRoutes } from './staff/notifications.ts'
import { passkeyRoutes } from './staff/passkeys.ts'
import { signInRoutes } from './staff/sign-in.ts'
import { teamRoutes } from './staff/team.ts'
import { tokenRoutes } from './staff/tokens.ts'
import { viewRoutes } from './staff/views.ts'

/** All routes of the dashboard's API. */
export const routes: readonly Route[] = [
  ...signInRoutes,
  ...confirmationRoutes,
  ...passkeyRoutes,
  ...meRoutes,
  ...notificationRoutes,
  ...teamRoutes,
  ...tokenRoutes,
  ...auditRoutes,
  ...viewRoutes,
  ...overviewRoutes,
  ...accessRoutes,
  ...peopleRoutes,
  ...resourcesRoutes,
  ...moneyRoutes,
  ...filesRoutes,
  ...imageRoutes,
  ...mailRoutes,
  ...keyRoutes,
  ...consoleRoutes,
  ...refusedRoutes,
  ...webhookRoutes,
  ...eventRoutes,
  ...settingsRoutes,
  ...applicationsRoutes,
  ...connectionRoutes,
  ...copyRoutes,
  ...sandboxRoutes,
]
