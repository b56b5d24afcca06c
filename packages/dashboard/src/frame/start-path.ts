import type { Me } from '@gatehouse/server/dashboard-api'
import type { AppScope } from '../app-scope.ts'
import { appPages } from '../pages.tsx'
import { lastScope } from './last-scope.ts'

/** The first page of an application that this member may see. */
export function firstPagePath(scope: AppScope, { staff }: Me): string {
  const first = appPages.find(
    ({ nav, who }) => nav !== undefined && (who === undefined || who.includes(staff.role)),
  )
  return first === undefined ? '/account' : scope.path(first.path)
}

/** The first page of the application used last, or the page that creates the first application. */
export function startPath(me: Me): string {
  const scope = lastScope(me)
  return scope === undefined ? '/new' : firstPagePath(scope, me)
}
