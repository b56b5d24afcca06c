import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ControlDatabase } from './database.ts'
import { readMeta, setMeta } from './meta.ts'
import { controlMigrations } from './migrations.ts'
import { movedFile } from './moved.ts'
import { openDatabase } from './open.ts'
import { toOutageFailure } from './outage.ts'

describe('SQLite files whose data was moved', () => {
  let folder: string
  let database: ControlDatabase

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-test-'))
    database = await openDatabase({ engine: 'sqlite', folder }, 'control', controlMigrations)
  })
  afterEach(async () => {
    await database.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const read = () => readMeta(database.read, 'name')
  const write = () => database.write((trx) => setMeta(trx, 'name', 'value'))
  const mark = () => writeFileSync(movedFile(folder), '')

  it('take no write that waited for the move, though its process has just checkedAt', async () => {
    await read()
    const mover = new DatabaseSync(join(folder, 'control.sqlite'))
    mover.exec('begin immediate')
    const waiting = write().catch((error: unknown) => error)
    mark()
    mover.exec('commit')
    mover.close()
    const error = await waiting
    expect(error).toMatchObject({ name: 'FilesClosed' })
    expect(toOutageFailure(error)).toMatchObject({ code: 'database_unavailable', status: 503 })
    rmSync(movedFile(folder))
    expect(await database.snapshot((db) => readMeta(db, 'name'))).toBeUndefined()
  })

  it('are not read any more a moment later, and are again when the move was undone', async () => {
    await read()
    mark()
    await expect.poll(() => read().catch((error) => error.name)).toBe('FilesClosed')
    rmSync(movedFile(folder))
    await expect.poll(() => read().catch((error) => error.name)).toBeUndefined()
    await write()
    expect(await read()).toBe('value')
  })
})
