import { errorMessage } from '../forms/use-form.ts'
import { toast } from './toast.tsx'

/** For actions without a dialog: shows a toast if the action fails. */
export function toastOnError(work: Promise<unknown>): void {
  void work.catch((error) => toast(errorMessage(error), { failed: true }))
}
