import { useAppScope } from '../../app-scope.ts'
import { toast } from '../../components/overlays/toast.tsx'
import { refetchApplication } from '../../components/refetch-application.ts'
import { texts } from '../../texts.ts'

/** Returns a function to call after a dialog has saved: it updates the page, shows a toast and closes the dialog. */
export function useAfterSave(onClose: () => void): (said?: string) => Promise<void> {
  const scope = useAppScope()
  return async (said = texts.common.saved) => {
    await refetchApplication(scope)
    toast(said)
    onClose()
  }
}
