import { accessRoutes } from './access.ts'
import { consoleRoutes } from './console.ts'
import { filesRoutes } from './files.ts'
import { keysRoutes } from './keys.ts'
import { mailRoutes } from './mail.ts'
import { moneyRoutes } from './money.ts'
import { overviewRoutes } from './overview.ts'
import { peopleRoutes } from './people.ts'
import { resourcesRoutes } from './resources.ts'
import type { Route } from './route.ts'
import { settingsRoutes } from './settings.ts'

/** All that the dashboard's API answers. */
export const routes: readonly Route[] = [
  ...overviewRoutes,
  ...accessRoutes,
  ...peopleRoutes,
  ...resourcesRoutes,
  ...moneyRoutes,
  ...filesRoutes,
  ...mailRoutes,
  ...keysRoutes,
  ...consoleRoutes,
  ...settingsRoutes,
]
