import { SUPPORT } from '@gatehouse/server/dashboard-api'
import { useApplication, useHasRole } from './me.ts'

/** Whether the signed-in member may grant, revoke and change people here. An archived application is read-only. */
export function useCanChangeAccess(): boolean {
  const hasRole = useHasRole(SUPPORT)
  const application = useApplication()
  return hasRole && application?.archived === false
}
