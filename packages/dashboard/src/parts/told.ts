import { toast } from './toast.tsx'
import { problemOf } from './use-form.ts'

/** For what is done without a dialog: if it fails, one is told. */
export function told(work: Promise<unknown>): void {
  void work.catch((error) => toast(problemOf(error), { failed: true }))
}
