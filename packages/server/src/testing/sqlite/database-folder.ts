import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect } from 'vitest'
import type { EnvironmentDatabase } from '../../db/database.ts'
import { environmentMigrations } from '../../db/migrations.ts'
import { openDatabase } from '../../db/open.ts'
import type { Tables } from '../../db/tables.ts'
import { OperatorError } from '../../errors.ts'

export const fileIn = (where: string) => join(where, 'production.sqlite')

/** Creates an empty folder for each test, in which a database can be opened, and passes its path to `onCreated`. */
export function useDatabaseFolder(onCreated: (path: string) => void) {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-sqlite-'))
    onCreated(folder)
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  const open = (where = folder): Promise<EnvironmentDatabase> =>
    openDatabase<Tables>({ engine: 'sqlite', folder: where }, 'production', environmentMigrations)

  async function refusalOf(opening: Promise<EnvironmentDatabase>): Promise<string> {
    const error = await opening.then(
      (database) => database.close(),
      (reason: unknown) => reason,
    )
    expect(error).toBeInstanceOf(OperatorError)
    const { message } = error as OperatorError
    expect(message).toContain(fileIn(folder))
    expect(message).not.toMatch(/[\r\n]/)
    return message
  }
  return { open, refusalOf }
}
