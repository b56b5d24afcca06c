import { useAppScope } from '../../app-scope.ts'
import { toast } from '../../components/overlays/toast.tsx'
import { refetchApplication } from '../../components/refetch-application.ts'
import { texts } from '../../texts.ts'

/** What follows when a dialog has saved something: the page shows it, a toast says so, and the dialog closes. */
export function useAfterSave(onClose: () => void): (said?: string) => Promise<void> {
  const scope = useAppScope()
  return async (said = texts.common.saved) => {
    await refetchApplication(scope)
    toast(said)
    onClose()
  }
}
