import { SUPPORT } from '../../../../server/src/http/dashboard/route.ts'
import { useApplication, useHasRole } from '../../frame/me.ts'

/** Whether the signed-in member may grant, revoke and change people here. An archived application is read-only. */
export function useCanSupport(): boolean {
  const may = useHasRole(SUPPORT)
  const application = useApplication()
  return may && application?.archived === false
}
