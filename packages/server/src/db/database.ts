import type { Kysely } from 'kysely'
import type { Key, Lookup } from './lookup.ts'
import type { ControlTables, Tables } from './tables.ts'

export type Engine = 'sqlite' | 'postgres'

/** For reading; in a write, the transaction. Functions of the rooms take it first. */
export type Db<T = Tables> = Kysely<T>

declare const writing: unique symbol
/** Handed out by `write` alone: a function that changes rows asks for this. */
export type Trx<T = Tables> = Kysely<T> & { readonly [writing]: true }

/** One database: an SQLite file, or a schema in PostgreSQL. */
export interface Database<T = Tables> {
  readonly engine: Engine
  /** Refuses to write, on both engines. */
  readonly read: Db<T>
  /** The only way to change anything: begins, runs `fn`, commits. `fn` may run more than once
   * (after losing a race), so it must have no effect outside the database. `patient` is for what
   * nobody waits for at the other end of a request: PostgreSQL then sets it no limit of time. */
  write<R>(fn: (trx: Trx<T>) => Promise<R>, options?: { patient: boolean }): Promise<R>
  /** Answers for many keys at once, each as it stands now or a moment later. */
  lookUp(question: Lookup, keys: readonly Key[]): Promise<(string | null)[]>
  /** Another number after any commit, by whomever: what was looked up since it was last the same still
   * stands. Undefined where asking takes as long as looking up. */
  changeMark(): number | undefined
  /** A snapshot of one moment, for reading much while others write. It has all that was committed before
   * it was asked for, also where it comes from a standby. */
  snapshot<R>(fn: (db: Db<T>) => Promise<R>): Promise<R>
  /** Removes what deleted and changed rows of these tables have left behind in the files of the database.
   * False where somebody was still reading the old state: then it has to be called again later. */
  scrub(tables: readonly (keyof T & string)[]): Promise<boolean>
  /** Throws if the database does not answer. */
  ping(): Promise<void>
  /** The engine and its version, for people. */
  version(): Promise<string>
  /** Reads the whole file and tells what is damaged in it. PostgreSQL looks after its own. */
  findDamage(): Promise<string[]>
  close(): Promise<void>
}

export type EnvironmentDatabase = Database<Tables>
export type ControlDatabase = Database<ControlTables>
