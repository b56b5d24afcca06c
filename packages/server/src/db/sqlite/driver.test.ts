import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { useDatabaseFolder } from '../../testing/sqlite/database-folder.ts'
import type { Db } from '../database.ts'

const { open } = useDatabaseFolder(() => {})

/** Takes about a millisecond. */
const count = (db: Db) =>
  sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < 10000) select count(*) from n`.execute(
    db,
  )

it('reads that are asked for together leave turns of the event loop to others', async () => {
  const { read, close } = await open()
  let inTurn = 0
  let most = 0
  let isOver = false
  async function countTurns(): Promise<void> {
    for (; !isOver; inTurn = 0) {
      await setImmediate()
      most = Math.max(most, inTurn)
    }
  }
  const counting = countTurns()
  async function readOnce(): Promise<void> {
    await count(read)
    inTurn++
  }
  await Promise.all(Array.from({ length: 200 }, readOnce))
  isOver = true
  await counting
  await close()
  expect(most).toBeGreaterThan(0)
  expect(most).toBeLessThan(50)
})

it('a transaction does not wait for all the reads of others between its statements', async () => {
  const { read, write, close } = await open()
  let reads = 0
  let isOver = false
  async function keepReading(): Promise<void> {
    for (; !isOver; reads++) await count(read)
  }
  const reading = Array.from({ length: 100 }, keepReading)
  // All of them wait by now.
  while (reads < 150) await setImmediate()
  const before = reads
  await write(async (trx) => {
    for (let n = 0; n < 20; n++) await count(trx)
  })
  const during = reads - before
  isOver = true
  await Promise.all(reading)
  await close()
  expect(during).toBeLessThan(400)
})
