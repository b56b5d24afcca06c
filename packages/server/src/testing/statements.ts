import type { Kysely } from 'kysely'
import type { Database } from '../db/database.ts'

/** Notes the text of each statement that goes through a database, until the returned function is called. */
export function watchStatements<T>(database: Database<T>, note: (sql: string) => void): () => void {
  const undo: (() => void)[] = []
  const known = new WeakSet<object>()
  function watch(db: Kysely<T>): void {
    const executor = db.getExecutor()
    if (known.has(executor)) return
    known.add(executor)
    const { executeQuery } = executor
    executor.executeQuery = (query) => {
      note(query.sql)
      return executeQuery.call(executor, query) as never
    }
    undo.push(() => {
      executor.executeQuery = executeQuery
    })
  }
  watch(database.read)
  const { write } = database
  database.write = (fn, options) =>
    write.call(
      database,
      (trx) => {
        watch(trx)
        return fn(trx as never)
      },
      options,
    ) as never
  undo.push(() => {
    database.write = write
  })
  return () => {
    for (const one of undo) one()
  }
}
