import type { FileTable, Seconds, StoreName } from '../../../db/tables.ts'
import { fail } from '../../../errors.ts'

/** A file that is completely in a store. */
export interface StoredFile {
  id: string
  sha256: string
  size: number
}

/** A byte range of a file, both ends inclusive. */
export interface Span {
  first: number
  last: number
}

export const lengthOf = ({ first, last }: Span) => last - first + 1

/** Resolves when the bytes have been handed to the connection and their memory may be reused. */
export type Write = (bytes: Uint8Array) => Promise<unknown>

/** A file open for reading. */
export interface OpenFile {
  /** Writes these bytes in order, no faster than they are accepted. */
  send(span: Span, write: Write): Promise<void>
  /** Cancels a pending wait for bytes from a remote store, because the rest is not needed. */
  cancel?(): void
  close(): Promise<void>
}

/** Values of Content-Disposition and Content-Type. */
export interface ContentHeaders {
  disposition: string
  type: string
}

/** A request that is redirected to the store's own URL. */
export interface RedirectRequest {
  file: StoredFile
  method: 'GET' | 'HEAD'
  contentHeaders: ContentHeaders
  /** Maximum lifetime of the URL, in seconds. */
  life: Seconds
}

/** What a check found in a store that works. */
export interface StoreRemark {
  status: 'failed' | 'warning'
  message: string
  todo: string
}

/** Stores files. It does not know which of them a record references. */
export interface Store {
  readonly name: StoreName
  /** Stores all bytes durably, or leaves nothing behind. They can't be read yet. */
  take(id: string, bytes: AsyncIterable<Uint8Array>): Promise<Pick<StoredFile, 'sha256' | 'size'>>
  /** Makes a stored file readable. Called inside the transaction that references it; may be repeated. */
  place(file: StoredFile): Promise<void>
  /** Rejects with `MissingFile` if the file does not exist, with `StoreUnavailable` if that can't be determined.
   * Passing the span that will be sent first saves a remote store a second request. */
  open(file: StoredFile, first?: Span): Promise<OpenFile>
  /** Removes what an upload of this process left when it ended; a placed file stays. */
  release(id: string): Promise<void>
  /** Removes what an upload of a process that crashed left; a placed file stays. */
  discard(id: string): Promise<void>
  /** Removes a file. A file that is already gone or incomplete is not an error. */
  remove(file: Pick<FileTable, 'id' | 'sha256'>): Promise<void>
  /** Whether files with the same bytes share one copy, which a second file may need while the first is removed. */
  readonly sharesContent: boolean
  /** Returns a URL, valid for at most a minute, from which a reader can fetch the file without us. */
  addressOf?(visit: RedirectRequest): Promise<string>
  /** Returns the path relative to the store's folder, for a server that reads the same disk. */
  pathOf?(file: StoredFile): string
  /** Rejects with the reason if files can't be stored or read now; otherwise returns what else an operator should know. */
  check(): Promise<StoreRemark[]>
  close(): Promise<void>
}

/** The store did not respond, or not as expected, so the state of the file is unknown. */
export class StoreUnavailable extends Error {
  override name = 'StoreUnavailable'
}

/** The store can't be reached at all, so that all other files would fail too. */
export class StoreUnreachable extends StoreUnavailable {
  override name = 'StoreUnreachable'
}

/** Turns an error of the disk into one that callers understand. */
export function refuseToStore(error: NodeJS.ErrnoException): never {
  if (error.code === 'ENOSPC' || error.code === 'EDQUOT')
    throw Object.assign(fail('storage_full'), { cause: error })
  throw new StoreUnavailable(error.message, { cause: error })
}

/** The store does not have a file it should have. */
export class MissingFile extends Error {
  override name = 'MissingFile'
}

/** The stores of one environment. */
export interface Stores {
  /** The store for new files. */
  readonly current: Store
  /** Returns the store of a file; throws `StoreUnavailable` if it is no longer configured. */
  of(name: StoreName): Store
}
