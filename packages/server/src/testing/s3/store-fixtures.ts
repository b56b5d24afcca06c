import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDiskStore } from '../../domain/downloads/storage/disk.ts'
import { S3_LIMITS, type S3Limits } from '../../domain/downloads/storage/s3/client.ts'
import { createS3Store } from '../../domain/downloads/storage/s3/store.ts'
import type { Span, Store, StoredFile, Write } from '../../domain/downloads/storage/storage.ts'
import { newId } from '../../ids.ts'
import { startS3, type TestS3 } from './s3.ts'

/** A file store for tests, on disk or on S3, with ways to inspect and damage its files behind its back. */
export interface StoreFixture {
  store: Store
  /** Lists what is left besides the stored files, such as unfinished uploads. */
  leftovers(): Promise<string[]>
  /** The number of open files or responses that a client must release. */
  held(): number
  /** Removes a file without the store's knowledge. */
  lose(file: StoredFile): Promise<void>
  stop(): Promise<void>
}

export interface DiskFixture extends StoreFixture {
  folder: string
}

export interface S3Fixture extends StoreFixture {
  s3: TestS3
}

export async function openDiskFixture(): Promise<DiskFixture> {
  const outer = mkdtempSync(join(tmpdir(), 'gatehouse-store-'))
  const folder = join(outer, 'production')
  const store = createDiskStore(folder)
  return {
    store,
    folder,
    leftovers: async () => readdirSync(join(folder, 'uploads')),
    held: () => openFilesBelow(outer),
    lose: async ({ sha256 }) => rmSync(join(folder, sha256)),
    async stop() {
      await store.close()
      rmSync(outer, { recursive: true })
    },
  }
}

/** The number of files below a folder that this process has open. */
function openFilesBelow(folder: string): number {
  return readdirSync('/proc/self/fd').filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).startsWith(folder)
    } catch {
      // The file was closed after the list was read.
      return false
    }
  }).length
}

/** Uses the smallest part size that S3 allows, so that few bytes make several parts. */
const SMALL_PARTS: S3Limits = { ...S3_LIMITS, partSize: 5 * 1024 * 1024 }

export async function openS3Fixture(delivery: 'proxy' | 'redirect' = 'proxy'): Promise<S3Fixture> {
  const s3 = await startS3(delivery)
  const store = createS3Store(s3.options, 'production', SMALL_PARTS)
  return {
    store,
    s3,
    leftovers: async () => s3.uploads(),
    held: () => s3.busy,
    lose: ({ id }) => s3.removeObject(`gatehouse/production/${id}`),
    async stop() {
      await store.close()
      await s3.stop()
    },
  }
}

/** Names that are neither an id nor a checksum. */
export const ODD_NAMES = [
  '',
  '.',
  '..',
  '../canary',
  '..%2fcanary',
  '/etc/passwd',
  'a/b',
  'a\\b',
  'a\0',
  'ä',
  'ａ'.repeat(16),
  `${'0'.repeat(63)}/`,
  `${'0'.repeat(64)}\n`,
  '0'.repeat(65),
]

export const sha256Of = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** Uploads a file and moves it to its final place, as the code that uses a store does. */
export async function addFile(store: Store, bytes: AsyncIterable<Uint8Array>): Promise<StoredFile> {
  const id = newId()
  const file = { id, ...(await store.take(id, bytes)) }
  await store.place(file)
  await store.discard(id)
  return file
}

/** Yields chunks of these sizes, in turn, and reuses one buffer for all of them. */
export async function* inPieces(
  bytes: Uint8Array,
  ...sizes: readonly number[]
): AsyncGenerator<Uint8Array> {
  const memory = Buffer.alloc(Math.max(...sizes))
  for (let [at, turn] = [0, 0]; at < bytes.length; turn++) {
    const piece = bytes.subarray(at, at + (sizes[turn % sizes.length] as number))
    memory.set(piece)
    yield memory.subarray(0, piece.length)
    at += piece.length
  }
}

export const readAll = ({ size }: StoredFile): Span => ({ first: 0, last: size - 1 })

/** Reads all of a file, or a part of it. */
export async function readFile(store: Store, file: StoredFile, span = readAll(file)) {
  const pieces: Buffer[] = []
  await sendFile(store, file, span, async (bytes) => pieces.push(Buffer.from(bytes)))
  return Buffer.concat(pieces)
}

export async function sendFile(store: Store, file: StoredFile, span: Span, write: Write) {
  const opened = await store.open(file)
  await opened.send(span, write).finally(() => opened.close())
}
