import { useAppScope } from '../../app-scope.ts'
import { errorMessage } from '../../components/forms/use-form.ts'
import { toast } from '../../components/overlays/toast.tsx'
import { refetchApplication } from '../../components/refetch-application.ts'
import { texts } from '../../texts.ts'

/** Refetches all data of this application. */
export function useRefetch(): () => Promise<void> {
  const scope = useAppScope()
  return () => refetchApplication(scope)
}

/** For the `undo` of a toast: reverts an action and reports whether that worked. */
export function useUndo(): (work: () => Promise<unknown>) => () => void {
  const scope = useAppScope()
  return (work) => () =>
    void work()
      .then(async () => {
        await refetchApplication(scope)
        toast(texts.access.undone)
      })
      .catch((error) => toast(errorMessage(error), { failed: true }))
}
