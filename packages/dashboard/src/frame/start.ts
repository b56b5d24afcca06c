import type { Me } from '../../../server/src/http/dashboard/staff/schemas.ts'
import { appPages } from '../pages.tsx'
import type { Place } from '../place.ts'
import { lastPlace } from './last-place.ts'

/** The first page of an application that this member may see. */
export function firstPageOf(place: Place, { staff }: Me): string {
  const first = appPages.find(
    ({ nav, who }) => nav !== undefined && (who === undefined || who.includes(staff.role)),
  )
  return first === undefined ? '/account' : place.path(first.path)
}

/** The first page of the application used last, or the page that creates the first application. */
export function startOf(me: Me): string {
  const place = lastPlace(me)
  return place === undefined ? '/new' : firstPageOf(place, me)
}
