import { setTimeout as sleep } from 'node:timers/promises'
import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import { sql } from 'kysely'
import { readTurns, transactionTurns } from '../../event-loop.ts'
import type { Database, Db, Trx } from '../database.ts'
import { SQLITE, sqliteCodeOf } from '../outage.ts'
import { createKysely } from './driver.ts'
import { connect, findDamageIn, openConnections, versionOf } from './file.ts'
import { createFileGate, type FileGate } from './file-gate.ts'
import { createLookupThread } from './lookup.ts'
import { createSerialQueue } from './write-queue.ts'
import { createWriterCache } from './writer-cache.ts'

/** How long a write waits for another process that is writing. */
const BUSY_LIMIT_MS = 15_000

async function beginImmediate(database: DatabaseSyncInstance, deadline: number): Promise<void> {
  for (let pause = 1; ; pause = Math.min(pause * 2, 20)) {
    try {
      database.exec('begin immediate')
      return
    } catch (error) {
      // The driver is synchronous: waiting inside it would block every other request.
      if (sqliteCodeOf(error) !== SQLITE.BUSY || performance.now() > deadline) throw error
      await sleep(pause + Math.random() * pause)
    }
  }
}

async function transact<R>(
  database: DatabaseSyncInstance,
  gate: FileGate,
  deadline: number,
  fn: () => Promise<R>,
): Promise<R> {
  await beginImmediate(database, deadline)
  try {
    gate.requireOpen()
    const result = await fn()
    database.exec('commit')
    return result
  } catch (error) {
    // A full disk or an I/O error has already rolled the transaction back.
    if (database.isTransaction) database.exec('rollback')
    throw error
  }
}

/** SQLite can switch foreign keys off only between transactions. */
async function withoutForeignKeys<R>(
  database: DatabaseSyncInstance,
  run: () => Promise<R>,
): Promise<R> {
  database.exec('pragma foreign_keys = off')
  try {
    return await run()
  } finally {
    database.exec('pragma foreign_keys = on')
  }
}

/** Checkpoints the log before closing. SQLite doesn't do that by itself, because statements keep a connection half open
 * until they are garbage collected; but a copy of a stopped service's file should be complete. */
function checkpointBeforeClose(writer: DatabaseSyncInstance): void {
  try {
    truncateLog(writer)
  } catch {
    // For example on a full disk. The log is just as safe where it is, and the next start reads it.
  }
}

/** Copies the log into the file and truncates it; returns false while another connection reads from it. */
function truncateLog(writer: DatabaseSyncInstance): boolean {
  const [done] = writer.prepare('pragma wal_checkpoint(truncate)').all() as { busy: number }[]
  return done?.busy === 0
}

/** Uses a separate connection, so that its long transaction blocks nobody. */
async function readSnapshot<T, R>(path: string, fn: (db: Db<T>) => Promise<R>): Promise<R> {
  const connection = connect(path, 'pragma busy_timeout = 100; pragma query_only = on; begin')
  try {
    return await fn(createKysely<T>(connection, readTurns))
  } finally {
    // Statements that are not garbage collected yet keep a closed connection alive, and with it an open
    // transaction, which would block every checkpoint.
    if (connection.isTransaction) connection.exec('rollback')
    connection.close()
  }
}

/** Attempts to empty the write-ahead log, which may contain erased data. An attempt fails while somebody reads from the
 * log; reads that start after it use the main file and don't block the next attempt. */
const SCRUB_TRIES = 20
const SCRUB_PAUSE_MS = 25

export function openSqlite<T>(path: string, { isRestore = false } = {}): Database<T> {
  const { writer, reader } = openConnections(path)
  const cache = createWriterCache(writer)
  const gate = createFileGate(path, isRestore)
  const read = createKysely<T>(reader, readTurns, gate)
  const trx = createKysely<T>(writer, transactionTurns) as Trx<T>
  const queue = createSerialQueue()
  const thread = createLookupThread(path)
  // A separate connection: inside an open read transaction the number would not change.
  const watcher = connect(path, 'pragma busy_timeout = 100; pragma query_only = on')
  const dataVersion = watcher.prepare('pragma data_version')
  dataVersion.setReturnArrays(true)
  return {
    engine: 'sqlite',
    read,
    async write(fn, options) {
      // Counted from the call, not from the turn in the queue: queued writes must not each wait the full time.
      const deadline = performance.now() + BUSY_LIMIT_MS
      const run = () => {
        if (options?.batch) cache.growForBatch()
        return transact(writer, gate, deadline, () => fn(trx))
      }
      return await queue.run(options?.replacesTables ? () => withoutForeignKeys(writer, run) : run)
    },
    outsideTransaction: (fn) => queue.run(() => fn(trx)),
    async lookUp(question, keys) {
      gate.requireOpenCached()
      return await thread.lookUp(question, keys)
    },
    dataVersion() {
      gate.requireOpenCached()
      return (dataVersion.get() as unknown as [number])[0]
    },
    snapshot: (fn) => readSnapshot(path, fn),
    connections: () => undefined,
    async scrub() {
      for (let tries = 0; tries < SCRUB_TRIES; tries++) {
        if (await queue.run(async () => truncateLog(writer))) return true
        await sleep(SCRUB_PAUSE_MS)
      }
      return false
    },
    async ping() {
      await sql`select 1`.execute(read)
    },
    version: async () => `SQLite ${versionOf(writer)}`,
    findDamage: async () => findDamageIn(reader),
    async close() {
      await queue.drained()
      if (!writer.isOpen) return
      await thread.close()
      cache.close()
      checkpointBeforeClose(writer)
      for (const connection of [watcher, reader, writer]) connection.close()
    },
  }
}
