import type { Kysely } from 'kysely'
import type { Lookup, LookupKey } from './sqlite/lookup.ts'
import type { ControlTables, Tables } from './tables.ts'

export type Engine = 'sqlite' | 'postgres'

/** A connection for reading or, inside a write, the transaction. Domain functions take it as their first argument. */
export type Db<T = Tables> = Kysely<T>

declare const writing: unique symbol
/** Only `write` creates one: a function that changes rows requires it. */
export type Trx<T = Tables> = Kysely<T> & { readonly [writing]: true }

export interface WriteOptions {
  batch: boolean
  /** Set by a migration that replaces tables: SQLite doesn't enforce foreign keys during this transaction. */
  replacesTables?: boolean
  /** Set by an import: sites hear nothing of what this transaction changes. */
  silent?: boolean
}

/** How many connections a pool has open, how many of them are idle, and how many it may open. */
export interface PoolUse {
  open: number
  idle: number
  limit: number
}

/** One database: an SQLite file, or a schema in PostgreSQL. */
export interface Database<T = Tables> {
  readonly engine: Engine
  /** Read-only on both engines. */
  readonly read: Db<T>
  /** The only way to change data: begins a transaction, runs `fn` and commits. `fn` may run more than once (after
   * losing a race), so it must have no effect outside the database. `batch` is for background work that no
   * request waits for: PostgreSQL then applies no timeout. */
  write<R>(fn: (trx: Trx<T>) => Promise<R>, options?: WriteOptions): Promise<R>
  /** Runs `fn` on one connection without a transaction, for statements that PostgreSQL doesn't allow in one. */
  outsideTransaction<R>(fn: (db: Db<T>) => Promise<R>): Promise<R>
  /** Looks up many keys in one batch. Each result reflects a state committed at or after the call. */
  lookUp(question: Lookup, keys: readonly LookupKey[]): Promise<(string | null)[]>
  /** A number that changes with every commit by any process: while it stays the same, earlier lookups are still
   * valid. Undefined where reading it would cost as much as a lookup. */
  dataVersion(): number | undefined
  /** A consistent snapshot, for long reads while others write. It includes everything committed before the call,
   * even when it comes from a standby. */
  snapshot<R>(fn: (db: Db<T>) => Promise<R>): Promise<R>
  /** Removes what deleted and changed rows of these tables have left behind in the database files. Returns false
   * if a transaction was still reading the old state: call it again later. */
  scrub(tables: readonly (keyof T & string)[]): Promise<boolean>
  /** Throws if the database does not respond. */
  ping(): Promise<void>
  /** The connections to the database server that requests use; undefined on SQLite, which has none. */
  connections(): PoolUse | undefined
  /** The engine and its version, in human-readable form. */
  version(): Promise<string>
  /** Reads the whole file and lists the damage. Always empty on PostgreSQL, which checks its own files. */
  findDamage(): Promise<string[]>
  close(): Promise<void>
}

export type EnvironmentDatabase = Database<Tables>
export type ControlDatabase = Database<ControlTables>
