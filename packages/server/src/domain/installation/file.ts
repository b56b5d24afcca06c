import {
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import type { Engine } from '../../db/database.ts'
import { OperatorError } from '../../errors.ts'
import type { PerDatabase, PerEnvironment } from './databases.ts'

/** What the data folder knows about the installation, besides the master key. It is in no backup and in no
 * database, so that a copied or restored database can be told apart from the one that ran here. */
export interface IdentityFile {
  engine: Engine
  installations: PerEnvironment<string>
  generations: PerDatabase<number>
  /** Hashed ids of the machines it ran on; empty if no machine has an id. */
  machines: string[]
}

export const identityPath = (folder: string) => join(folder, 'installation.json')

export function readIdentityFile(folder: string): IdentityFile | undefined {
  const path = identityPath(folder)
  if (!existsSync(path)) return undefined
  try {
    const { version, ...identity } = JSON.parse(readFileSync(path, 'utf8'))
    if (version === 1) return identity as IdentityFile
    throw new Error('it was written by a newer Gatehouse')
  } catch (error) {
    throw new OperatorError(
      `the file ${path} can't be read (${(error as Error).message}); bring back your copy of it, or ` +
        'move it away: the installation then starts on hold',
    )
  }
}

/** Replaces the file atomically: it is complete or absent, even after a power failure. */
export function writeIdentityFile(folder: string, identity: IdentityFile): void {
  const path = identityPath(folder)
  const part = `${path}.new`
  writeFileSync(part, `${JSON.stringify({ version: 1, ...identity }, null, 2)}\n`, {
    mode: 0o600,
    flush: true,
  })
  keepOwner(path, part)
  renameSync(part, path)
  flushFolder(folder)
}

/** A command run by root must not leave a file that the service's own account can't read. */
function keepOwner(path: string, part: string): void {
  const { uid, gid } = statSync(path, { throwIfNoEntry: false }) ?? statSync(join(path, '..'))
  if (process.getuid?.() === 0) chownSync(part, uid, gid)
}

function flushFolder(folder: string): void {
  // Windows can't flush a folder.
  if (process.platform === 'win32') return
  const handle = openSync(folder, 'r')
  fsyncSync(handle)
  closeSync(handle)
}
