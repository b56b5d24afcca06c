import { copyFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { readConfig } from '../../config/config.ts'
import { type Context, createContext } from '../../context.ts'
import { writeBackup } from '../../domain/backup/backup.ts'
import { restoreFile } from '../backups/restore-file.ts'
import type { TestDatabase, TestInstallation } from '../databases.ts'

const databasesOf = ({ control, environments: { production, sandbox } }: Context) => ({
  production: production.database,
  sandbox: sandbox.database,
  control,
})

/** Writes a backup of a running service into its own data folder; returns the path. */
export async function backUp(ctx: Context): Promise<string> {
  const file = join(ctx.config.dataFolder, `backup-${Date.now()}-${Math.random()}.gz`)
  await writeBackup(databasesOf(ctx), file)
  return file
}

/** Restores a backup of another home into a new one, with the same master key. The new home is not on hold: the hold
 * has its own tests, and these show what happens if nothing is compared with the provider first. */
export async function restoreInstallation(
  database: TestDatabase,
  old: Pick<TestInstallation, 'env'>,
  file: string,
): Promise<TestInstallation> {
  const installation = await database.createMigrated()
  const key = join(old.env.GATEHOUSE_DATA as string, 'master.key')
  if (existsSync(key))
    copyFileSync(key, join(installation.env.GATEHOUSE_DATA as string, 'master.key'))
  const ctx = await createContext(readConfig(installation.env))
  try {
    await restoreFile(databasesOf(ctx), file)
    await ctx.gate.resume()
  } finally {
    await ctx.close()
  }
  return installation
}
