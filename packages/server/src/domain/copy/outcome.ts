import { Failure } from '../../errors.ts'
import { MissingFile, StoreUnavailable } from '../downloads/storage/storage.ts'
import type { CopyItem } from './compare.ts'

/** Somebody changed what is copied, or what it is copied to, since it was looked at. */
export class CopyChanged extends Error {
  override name = 'CopyChanged'
}

/** Why an item was not copied: `changed` meanwhile, a file that is damaged or gone, or a store that doesn't answer. */
export type CopyProblem = 'changed' | 'file_missing' | 'storage_unavailable' | 'storage_full'

/** Whether one item (a resource, the brand or the email templates) was copied to the other environment. */
export interface CopyItemResult {
  item: CopyItem
  outcome: 'copied' | 'failed'
  problem: CopyProblem | null
}

/** Returns why an item could not be copied, if the others may still be. */
export function problemOf(error: unknown): CopyProblem | undefined {
  if (error instanceof CopyChanged) return 'changed'
  if (error instanceof MissingFile) return 'file_missing'
  if (error instanceof StoreUnavailable) return 'storage_unavailable'
  if (error instanceof Failure && error.code === 'resource_exists') return 'changed'
  if (error instanceof Failure && error.code === 'storage_full') return 'storage_full'
  return undefined
}
