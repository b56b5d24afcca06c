import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Engine } from '../../db/database.ts'
import { DatabaseUnavailable, errorReasonOf } from '../../db/outage.ts'
import { writeDurably } from '../../durable-file.ts'
import { OperatorError } from '../../errors.ts'
import type { PerDatabase, PerEnvironment } from './databases.ts'

/** The identity of the installation as the data folder knows it, besides the master key. It is in no backup and in no
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

export function writeIdentityFile(folder: string, identity: IdentityFile): void {
  const path = identityPath(folder)
  try {
    writeDurably(path, `${JSON.stringify({ version: 1, ...identity }, null, 2)}\n`)
  } catch (error) {
    const reason = errorReasonOf(error)
    throw new DatabaseUnavailable(`the file ${path} can't be written (${reason})`, { cause: error })
  }
}
