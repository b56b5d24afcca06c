import { Navigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { appPages } from '../pages.tsx'
import { usePlace } from '../place.ts'
import { lastPlace } from './last-place.ts'
import { useMe } from './me.ts'

/** To the application that was used last, or to the page that makes the first one. */
export function Start(): ReactNode {
  const place = lastPlace(useMe())
  return <Navigate to={place === undefined ? '/new' : place.path()} replace />
}

/** To the first page of an application that this member may see. */
export function FirstPage(): ReactNode {
  const { staff } = useMe()
  const place = usePlace()
  const first = appPages.find(
    ({ nav, who }) => nav !== undefined && (who === undefined || who.includes(staff.role)),
  )
  return <Navigate to={first === undefined ? '/account' : place.path(first.path)} replace />
}
