import type { Databases } from '../../domain/backup/databases.ts'
import { checkBackup, type RestoreResult, restoreBackup } from '../../domain/backup/restore.ts'

/** Restores a backup as the command does. */
export const restoreFile = async (databases: Databases, path: string): Promise<RestoreResult> =>
  await restoreBackup(databases, await checkBackup(path))
