import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createLookupThread, type Lookup } from './lookup.ts'

const question: Lookup = {
  sqlite: [
    `select 'first ' || a from t where a = ?1`,
    `select 'second ' || a from t where a || 'x' = ?1`,
  ],
  postgres: [],
}

let folder: string
let database: InstanceType<typeof DatabaseSync>

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-lookup-'))
  database = new DatabaseSync(join(folder, 'some.sqlite'))
  database.exec(`create table t (a text); insert into t values ('1'), ('2')`)
})
afterEach(() => {
  database.close()
  rmSync(folder, { recursive: true })
})

it('answers each key by the first query that finds it', async () => {
  const thread = createLookupThread(join(folder, 'some.sqlite'))
  const found = await thread.lookUp(question, [['1'], ['2x'], ['3']])
  expect(found).toEqual(['first 1', 'second 2', null])
  await thread.close()
})

it('looks up again after a database that was locked', async () => {
  const thread = createLookupThread(join(folder, 'some.sqlite'))
  database.exec('begin exclusive')
  await expect(thread.lookUp(question, [['1']])).rejects.toMatchObject({ errcode: 5 })
  database.exec('commit')
  expect(await thread.lookUp(question, [['1']])).toEqual(['first 1'])
  await thread.close()
})

it('tells of a database that is not there, and does not begin a thread for each question', async () => {
  const thread = createLookupThread(join(folder, 'none', 'some.sqlite'))
  await expect(thread.lookUp(question, [['1']])).rejects.toThrow()
  await expect(thread.lookUp(question, [['1']])).rejects.toThrow(/has ended/)
  await thread.close()
})
