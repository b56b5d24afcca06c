import type { LucideIcon } from 'lucide-react'
import type { ComponentType } from 'react'
import type { Role } from '../../server/src/staff/staff.ts'

/** A page of an application, below `/:environment/:aid/`. */
export interface AppPage {
  /** `access`, or `people/$uid` with what `useParams` gives the page. */
  path: string
  /** Loaded when it is opened: `lazyRouteComponent(() => import('./access/access-page.tsx'), 'AccessPage')`. */
  component: ComponentType
  /** In the rail and the find box; records have none. */
  nav?: { label: string; icon: LucideIcon }
  /** Who may see it; everybody without. */
  who?: readonly Role[]
}

/** In the order of the rail. The first with an entry there is where an application opens. */
export const appPages: readonly AppPage[] = []
