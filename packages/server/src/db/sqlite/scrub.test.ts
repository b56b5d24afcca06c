import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { EnvironmentDatabase } from '../database.ts'
import { environmentMigrations } from '../migrations.ts'
import { openDatabase } from '../open.ts'
import type { Tables } from '../tables.ts'

const WORD = 'kanarienvogel'

describe('the files of SQLite', () => {
  let folder: string
  let database: EnvironmentDatabase
  const file = () => join(folder, 'production.sqlite')
  const log = () => `${file()}-wal`
  const open = () =>
    openDatabase<Tables>({ engine: 'sqlite', folder }, 'production', environmentMigrations)
  const hasWord = (path: string) => readFileSync(path).includes(WORD)
  const fill = (rows: number) =>
    database.write(async (trx) => {
      for (let i = 0; i < rows; i++) {
        const name = `${(i * 7_919) % 10_007} ${WORD}`
        await trx
          .insertInto('meta')
          .values({ name, value: WORD.repeat(1 + (i % 40)) })
          .execute()
      }
    })
  const empty = () =>
    database.write(async (trx) => {
      await trx.deleteFrom('meta').where('name', 'like', `%${WORD}`).execute()
    })

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-scrub-'))
    database = await open()
  })
  afterEach(async () => {
    await database.close()
    rmSync(folder, { recursive: true, force: true })
  })

  it('have no trace of deleted rows once they were scrubbed, in the file or the log', async () => {
    await fill(2_000)
    expect([hasWord(file()), hasWord(log())]).toContain(true)
    await empty()
    expect(await database.scrub([])).toBe(true)
    expect([hasWord(file()), statSync(log()).size]).toEqual([false, 0])
  })

  it('are scrubbed when whoever reads an old state has finished', async () => {
    await fill(10)
    await database.snapshot(async (db) => {
      expect(await db.selectFrom('meta').selectAll().execute()).not.toEqual([])
      await empty()
      expect(await database.scrub([])).toBe(false)
    })
    expect(await database.scrub([])).toBe(true)
    expect(hasWord(file())).toBe(false)
  })

  it('of an earlier version are written anew, once', async () => {
    await database.close()
    const older = new DatabaseSync(file())
    older.exec('pragma secure_delete = off; pragma user_version = 0')
    const insert = older.prepare('insert into meta (name, value) values (?, ?)')
    for (let i = 0; i < 2_000; i++) insert.run(`${(i * 7_919) % 10_007}`, WORD.repeat(5))
    older.exec(`delete from meta where value like '${WORD}%'`)
    older.exec('pragma wal_checkpoint(truncate)')
    older.close()
    expect(hasWord(file())).toBe(true)
    database = await open()
    expect(await database.scrub([])).toBe(true)
    expect(hasWord(file())).toBe(false)
    const { rows } = await sql<{ user_version: number }>`pragma user_version`.execute(database.read)
    expect(rows).toEqual([{ user_version: 1 }])
  })
})
