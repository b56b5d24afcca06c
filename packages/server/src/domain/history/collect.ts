import { AsyncLocalStorage } from 'node:async_hooks'
import type { UnrecordedAction } from './actions.ts'
import type { Change } from './history.ts'

/** A change of the history, or something else that events tell. */
export type CollectedChange = Omit<Change, 'action'> & {
  action: Change['action'] | UnrecordedAction
}

const collecting = new AsyncLocalStorage<CollectedChange[]>()

/** Runs `fn`, and adds to the list what it records. */
export const collectChanges = <R>(changes: CollectedChange[], fn: () => Promise<R>): Promise<R> =>
  collecting.run(changes, fn)

/** Hands changes to whoever collects those of the current transaction. */
export function reportChanges(changes: readonly CollectedChange[]): void {
  collecting.getStore()?.push(...changes)
}
