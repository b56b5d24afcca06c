import { DatabaseSync, type StatementSyncInstance } from '@photostructure/sqlite'
import pg from 'pg'
import { SQLITE } from '../../db/outage.ts'
import { connector } from '../../db/sqlite/file.ts'
import type { FaultPlan } from './fault-plan.ts'

const sqliteError = (message: string, errcode: number) =>
  Object.assign(new Error(message), { code: 'ERR_SQLITE_ERROR', errcode })

const kindOf = (text: string) => (/^\s*commit\b/i.test(text) ? 'commit' : 'statement')
const isRollback = (text: string) => /^\s*rollback\b/i.test(text)
const shorten = (text: string) => text.replace(/\s+/g, ' ').slice(0, 90)

/** Lets statements of SQLite fail; returns a function that ends that. */
export function injectSqliteFaults(plan: FaultPlan): () => void {
  class FaultyConnection extends DatabaseSync {
    override exec(text: string): void {
      this.#run(text, () => super.exec(text))
    }

    override prepare(text: string): StatementSyncInstance {
      const statement = super.prepare(text)
      const faulty = Object.create(statement) as StatementSyncInstance
      for (const name of ['all', 'get', 'run', 'iterate'] as const) {
        const own = statement[name].bind(statement) as (...values: unknown[]) => never
        Object.defineProperty(faulty, name, {
          value: (...values: unknown[]) => this.#run(text, () => own(...values)),
        })
      }
      for (const name of ['columns', 'setReturnArrays'] as const) {
        Object.defineProperty(faulty, name, { value: statement[name].bind(statement) })
      }
      return faulty
    }

    #run<R>(text: string, run: () => R): R {
      // A rollback is the reaction to a fault, and there is one fault at a time.
      const mode = isRollback(text) ? undefined : plan.next(kindOf(text), shorten(text))
      if (mode === undefined) return run()
      if (mode === 'lost') run()
      if (mode !== 'full') throw sqliteError('disk I/O error', SQLITE.IO_ERROR)
      // SQLite itself rolls back when the disk is full.
      if (this.isTransaction) super.exec('rollback')
      throw sqliteError('database or disk is full', SQLITE.FULL)
    }
  }
  const { open } = connector
  connector.open = (path) => new FaultyConnection(path)
  return () => {
    connector.open = open
  }
}

interface Query {
  text?: string
}

/** Lets statements of PostgreSQL fail; returns a function that ends that. */
export function injectPostgresFaults(plan: FaultPlan): () => void {
  const { prototype } = pg.Client as unknown as {
    prototype: { query(this: pg.Client, ...args: unknown[]): unknown }
  }
  const { query } = prototype
  const cut = (client: pg.Client) =>
    (
      client as unknown as { connection: { stream: { destroy(): void } } }
    ).connection.stream.destroy()
  prototype.query = function (...args) {
    const text = typeof args[0] === 'string' ? args[0] : ((args[0] as Query).text ?? '')
    const mode = isRollback(text) ? undefined : plan.next(kindOf(text), shorten(text))
    if (mode === undefined) return query.apply(this, args)
    if (mode === 'timeout') {
      const message = 'canceling statement due to statement timeout'
      return Promise.reject(Object.assign(new Error(message), { code: '57014' }))
    }
    if (mode === 'cut') {
      cut(this)
      return query.apply(this, args)
    }
    return (query.apply(this, args) as Promise<unknown>).then(() => {
      cut(this)
      throw new Error('Connection terminated unexpectedly')
    })
  }
  return () => {
    prototype.query = query
  }
}
