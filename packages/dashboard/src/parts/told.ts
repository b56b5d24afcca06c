import { toast } from './toast.tsx'
import { problemOf } from './use-form.ts'

/** For actions without a dialog: shows a toast if the action fails. */
export function told(work: Promise<unknown>): void {
  void work.catch((error) => toast(problemOf(error), { failed: true }))
}
