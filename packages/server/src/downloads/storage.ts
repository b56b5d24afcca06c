import type { FileTable, Seconds, StoreName } from '../db/tables.ts'

/** A file as a store knows it: all bytes are there. */
export interface StoredFile {
  id: string
  sha256: string
  size: number
}

/** Bytes of a file from the first to the last, both counted in. */
export interface Span {
  first: number
  last: number
}

export const lengthOf = ({ first, last }: Span) => last - first + 1

/** Resolves when the bytes are on their way: their memory may be used again. */
export type Write = (bytes: Uint8Array) => Promise<unknown>

/** A file that is being read. */
export interface OpenFile {
  /** Hands these bytes over in order, never faster than they are taken. */
  send(span: Span, write: Write): Promise<void>
  /** Nobody wants the rest: whoever waits for bytes from afar waits no longer. */
  abandon?(): void
  close(): Promise<void>
}

/** What a reader is told about the file by a server that delivers it in our place. */
export interface Label {
  disposition: string
  type: string
}

/** A reader who is sent elsewhere. */
export interface Visit {
  file: StoredFile
  method: 'GET' | 'HEAD'
  label: Label
  /** Not longer than that, in seconds. */
  life: Seconds
}

/** Keeps files. Which of them are named by a record is not its business. */
export interface Store {
  readonly name: StoreName
  /** Takes all bytes in, durably, or leaves nothing behind. They can't be read yet. */
  take(id: string, bytes: AsyncIterable<Uint8Array>): Promise<Pick<StoredFile, 'sha256' | 'size'>>
  /** Makes what was taken readable. Called inside the transaction that names it; may be repeated. */
  place(file: StoredFile): Promise<void>
  /** Rejects with `MissingFile` if it is not there, with `StoreTrouble` if nobody can tell. Whoever says
   * which bytes will be sent first spares a store that is far away the second question. */
  open(file: StoredFile, first?: Span): Promise<OpenFile>
  /** Clears away what is left of taking a file in; what was placed stays. */
  discard(id: string): Promise<void>
  /** Forgets a file. One that is gone already, or never was whole, is no error. */
  remove(file: Pick<FileTable, 'id' | 'sha256'>): Promise<void>
  /** Whether two files with the same bytes are one: the second may be placed while the first goes. */
  readonly sharesContent: boolean
  /** An address, good for a minute at most, where a reader can fetch the file without us. */
  addressOf?(visit: Visit): Promise<string>
  /** Where the file is below the store's folder, for a server that reads the same disk. */
  pathOf?(file: StoredFile): string
  /** Rejects, and says why, if files could not be taken in or read now. */
  check(): Promise<void>
  close(): Promise<void>
}

/** The store does not answer, or not as it should: nobody knows how it stands. */
export class StoreTrouble extends Error {
  override name = 'StoreTrouble'
}

/** The store has no such file, though it should. */
export class MissingFile extends Error {
  override name = 'MissingFile'
}

/** The stores of one environment. */
export interface Stores {
  /** Takes new files. */
  readonly current: Store
  /** Where a file of ours is; `StoreTrouble` for one that is not set up any more. */
  of(name: StoreName): Store
}
