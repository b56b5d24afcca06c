import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Context } from '../../context.ts'
import { scanFile } from '../../domain/downloads/intake/scan.ts'
import { type Finding, failed, ok } from './checks.ts'

const CHECK = 'scanner'

/** Lets the scanner for uploads look at a harmless file, if there is a scanner. */
export async function checkScanner({ config }: Context): Promise<Finding[]> {
  const { scan } = config.uploads
  if (!scan) return []
  const folder = await mkdtemp(join(config.dataFolder, 'scan-'))
  try {
    const path = join(folder, 'harmless.txt')
    await writeFile(path, 'This file is harmless.\n', { mode: 0o600 })
    await scanFile(scan, path)
    return [ok(CHECK, `${scan.command[0]} can look at uploads`)]
  } catch (error) {
    const { message } = error as Error
    const todo = 'see docs/files/uploads.md, “Scan files”; uploads are refused until it works'
    return [failed(CHECK, `a harmless file was not found clean: ${message}`, todo)]
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
