import { SUPPORT } from '../../../../server/src/http/dashboard/route.ts'
import { useApplication, useMay } from '../../frame/me.ts'

/** Whether the signed-in member may grant, revoke and change people here. An archived application is read-only. */
export function useMayHelp(): boolean {
  const may = useMay(SUPPORT)
  const application = useApplication()
  return may && application?.archived === false
}
