import { accessRoutes } from './access.ts'
import { applicationsRoutes } from './applications.ts'
import { auditRoutes } from './audit.ts'
import { consoleRoutes } from './console.ts'
import { filesRoutes } from './files.ts'
import { keysRoutes } from './keys.ts'
import { mailRoutes } from './mail.ts'
import { meRoutes } from './me.ts'
import { moneyRoutes } from './money.ts'
import { overviewRoutes } from './overview.ts'
import { passkeyRoutes } from './passkeys.ts'
import { peopleRoutes } from './people.ts'
import { refusedRoutes } from './refused.ts'
import { resourcesRoutes } from './resources.ts'
import type { Route } from './route.ts'
import { sandboxRoutes } from './sandbox.ts'
import { settingsRoutes } from './settings.ts'
import { signInRoutes } from './sign-in.ts'
import { teamRoutes } from './team.ts'

/** All routes of the dashboard's API. */
export const routes: readonly Route[] = [
  ...signInRoutes,
  ...passkeyRoutes,
  ...meRoutes,
  ...teamRoutes,
  ...auditRoutes,
  ...overviewRoutes,
  ...accessRoutes,
  ...peopleRoutes,
  ...resourcesRoutes,
  ...moneyRoutes,
  ...filesRoutes,
  ...mailRoutes,
  ...keysRoutes,
  ...consoleRoutes,
  ...refusedRoutes,
  ...settingsRoutes,
  ...applicationsRoutes,
  ...sandboxRoutes,
]
