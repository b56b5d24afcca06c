import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { quickLine } from './command.ts'
import type { Home, TestDatabase } from './databases.ts'

/** Restores a backup of another installation into a new one, which is therefore on hold. */
export async function restoredHome(
  database: TestDatabase,
  from: Home,
  env: Record<string, string>,
): Promise<Home> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-backup-'))
  const path = join(folder, 'all.backup')
  const home = await database.makeHome()
  try {
    await requireGood(quickLine({ ...from.env, ...env }).run('backup', path))
    await requireGood(quickLine({ ...home.env, ...env }).run('restore', path))
    return home
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function requireGood(run: Promise<{ code: number; stderr: string }>): Promise<void> {
  const { code, stderr } = await run
  if (code !== 0) throw new Error(stderr)
}
