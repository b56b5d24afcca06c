import type { Trx } from '../../db/database.ts'
import type { UnrecordedAction } from './actions.ts'
import type { Change } from './history.ts'

/** A change of the history, or something else that events tell. */
export type CollectedChange = Omit<Change, 'action'> & {
  action: Change['action'] | UnrecordedAction
}

/** The changes of each transaction. An `AsyncLocalStorage` would need no transaction, but in Node.js 20 it makes every
 * `await` of the process take three times as long. */
const collecting = new WeakMap<Trx, CollectedChange[]>()

/** Runs `fn` in a transaction, and adds to the list what it records. */
export async function collectChanges<R>(
  trx: Trx,
  changes: CollectedChange[],
  fn: () => Promise<R>,
): Promise<R> {
  collecting.set(trx, changes)
  try {
    return await fn()
  } finally {
    // On SQLite, one object stands for all transactions, one after the other.
    collecting.delete(trx)
  }
}

/** Hands changes to the collector of the transaction. */
export function reportChanges(trx: Trx, changes: readonly CollectedChange[]): void {
  collecting.get(trx)?.push(...changes)
}
