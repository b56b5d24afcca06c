import { problemOf } from '../forms/use-form.ts'
import { toast } from './toast.tsx'

/** For actions without a dialog: shows a toast if the action fails. */
export function told(work: Promise<unknown>): void {
  void work.catch((error) => toast(problemOf(error), { failed: true }))
}
