import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inProcessCli } from './cli.ts'
import type { TestDatabase, TestInstallation } from './databases.ts'

/** Restores a backup of another installation into a new one, which is therefore on hold. */
export async function restoreOnHold(
  database: TestDatabase,
  from: TestInstallation,
  env: Record<string, string>,
): Promise<TestInstallation> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-backup-'))
  const path = join(folder, 'all.backup')
  const installation = await database.createMigrated()
  try {
    await requireSuccess(inProcessCli({ ...from.env, ...env }).run('backup', path))
    await requireSuccess(inProcessCli({ ...installation.env, ...env }).run('restore', path))
    return installation
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function requireSuccess(run: Promise<{ code: number; stderr: string }>): Promise<void> {
  const { code, stderr } = await run
  if (code !== 0) throw new Error(stderr)
}
