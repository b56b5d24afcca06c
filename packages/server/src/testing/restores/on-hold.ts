import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inProcessCli } from '../cli.ts'
import type { TestDatabase, TestInstallation } from '../databases.ts'

/** A backup in a folder of its own. */
export interface TestBackup {
  /** Restores it into a new installation, which is therefore on hold. */
  restore(database: TestDatabase): Promise<TestInstallation>
  remove(): void
}

export async function createBackup(
  from: TestInstallation,
  env: Record<string, string>,
): Promise<TestBackup> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-backup-'))
  const path = join(folder, 'all.backup')
  await requireSuccess(inProcessCli({ ...from.env, ...env }).run('backup', path))
  return {
    async restore(database) {
      const installation = await database.createMigrated()
      if (existsSync(keyOf(from))) copyFileSync(keyOf(from), keyOf(installation))
      await requireSuccess(inProcessCli({ ...installation.env, ...env }).run('restore', path))
      return installation
    },
    remove: () => rmSync(folder, { recursive: true }),
  }
}

const keyOf = ({ env }: TestInstallation) => join(env.GATEHOUSE_DATA as string, 'master.key')

async function requireSuccess(run: Promise<{ code: number; stderr: string }>): Promise<void> {
  const { code, stderr } = await run
  if (code !== 0) throw new Error(stderr)
}
