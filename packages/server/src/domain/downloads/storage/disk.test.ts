import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  linkSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { newId } from '../../../ids.ts'
import { FaultPlan } from '../../../testing/faults/fault-plan.ts'
import { injectFileFaults } from '../../../testing/faults/file-faults.ts'
import {
  addFile,
  type DiskFixture,
  inPieces,
  ODD_NAMES,
  openDiskFixture,
  readAll,
  readFile,
  sendFile,
} from '../../../testing/s3/store-fixtures.ts'
import { createDiskStore } from './disk.ts'
import { MissingFile, type Store, type StoredFile, StoreUnavailable } from './storage.ts'

const BYTES = randomBytes(12 * 1024 * 1024)

describe('files on disk', () => {
  let fixture: DiskFixture
  let store: Store
  let file: StoredFile
  let path: string

  beforeAll(async () => {
    fixture = await openDiskFixture()
    store = fixture.store
  })
  beforeEach(async () => {
    file = await addFile(store, inPieces(BYTES, 1_000_000))
    path = join(fixture.folder, file.sha256)
  })
  afterAll(() => fixture.stop())

  const modeOf = (at: string) => statSync(at).mode & 0o777

  it('shows nothing of what was taken in before it is placed: a crash leaves an upload', async () => {
    const id = newId()
    const taken = await store.take(id, inPieces(Buffer.from('not yet'), 3))
    expect(readdirSync(fixture.folder).sort()).toEqual([file.sha256, 'uploads'].sort())
    expect(readdirSync(join(fixture.folder, 'uploads'))).toEqual([id])
    await expect(store.open({ id, ...taken })).rejects.toThrow(MissingFile)
    await store.discard(id)
    expect(await fixture.leftovers()).toEqual([])
  })

  it('discards an upload that was stopped in the middle of getting its place', async () => {
    const id = newId()
    await store.take(id, inPieces(Buffer.from('half placed'), 3))
    const upload = join(fixture.folder, 'uploads', id)
    linkSync(upload, `${upload}.placed`)
    await store.discard(id)
    expect(await fixture.leftovers()).toEqual([])
  })

  it('keeps files for their owner alone', async () => {
    const id = newId()
    await store.take(id, inPieces(Buffer.from('mine'), 3))
    expect(modeOf(join(fixture.folder, 'uploads', id))).toBe(0o600)
    expect(modeOf(path)).toBe(0o600)
    expect(modeOf(fixture.folder)).toBe(0o700)
    expect(modeOf(join(fixture.folder, 'uploads'))).toBe(0o700)
    await store.discard(id)
  })

  it('lets the group read where another server delivers from the same disk', async () => {
    const folder = join(fixture.folder, 'shared')
    const shared = createDiskStore(folder, { groupReads: true })
    const { sha256 } = await addFile(shared, inPieces(BYTES, 77_777))
    expect(modeOf(join(folder, sha256))).toBe(0o640)
    expect(modeOf(folder)).toBe(0o750)
    rmSync(folder, { recursive: true })
  })

  it('keeps the same bytes once', async () => {
    await addFile(store, inPieces(BYTES, 77_777))
    expect(readdirSync(fixture.folder).sort()).toEqual([file.sha256, 'uploads'].sort())
  })

  it('mends a file that was damaged when the same bytes come again', async () => {
    writeFileSync(path, 'damaged')
    await expect(store.open(file)).rejects.toThrow(MissingFile)
    const again = await addFile(store, inPieces(BYTES, 1_000_000))
    expect((await readFile(store, again)).equals(BYTES)).toBe(true)
  })

  it('goes on reading a file that is removed or placed again meanwhile', async () => {
    const opened = await store.open(file)
    await addFile(store, inPieces(BYTES, 1_000_000))
    await store.remove(file)
    const pieces: Buffer[] = []
    await opened.send(readAll(file), async (bytes) => pieces.push(Buffer.from(bytes)))
    await opened.close()
    expect(Buffer.concat(pieces).equals(BYTES)).toBe(true)
  })

  it.each<[string, string, (canary: string, path: string) => void]>([
    ['a link', 'is a link', (canary, path) => symlinkSync(canary, path)],
    ['a link to itself', 'is a link', (_, path) => symlinkSync(path, path)],
    ['a folder', 'is not the file', (_, path) => mkdirSync(path)],
    ['a pipe', 'is not the file', (_, path) => execFileSync('mkfifo', [path])],
  ])('does not take %s for a file', async (_, words, put) => {
    // An empty file has the same size as a pipe, so its size does not give the pipe away.
    const empty = await addFile(store, inPieces(Buffer.alloc(0), 1))
    const at = join(fixture.folder, empty.sha256)
    const canary = join(fixture.folder, '..', 'canary')
    renameSync(at, canary)
    put(canary, at)
    try {
      const failure = await store.open(empty).catch((error) => error)
      expect(failure).toBeInstanceOf(MissingFile)
      expect(failure.message).toContain(words)
      expect(fixture.held()).toBe(0)
    } finally {
      rmSync(at, { recursive: true })
    }
  })

  it('reads what is below a data folder that is a link itself', async () => {
    const elsewhere = join(fixture.folder, '..', 'elsewhere')
    symlinkSync(fixture.folder, elsewhere)
    const opened = await createDiskStore(elsewhere).open(file)
    await opened.close()
  })

  it("says that it can't read what it may not read, or what is no folder", async () => {
    const nowhere = createDiskStore(join(path, 'below-a-file'))
    await expect(nowhere.open(file)).rejects.toThrow(StoreUnavailable)
    await expect(nowhere.check()).rejects.toThrow('ENOTDIR')
  })

  it('tells when a file becomes shorter while it is read, having read only a little ahead', async () => {
    let taken = 0
    const sent = sendFile(store, file, readAll(file), async (bytes) => {
      taken += bytes.length
      // Only what has been read ahead by now is still delivered.
      truncateSync(path, 0)
    })
    await expect(sent).rejects.toThrow(StoreUnavailable)
    expect(taken).toBeLessThanOrEqual(2 * 1024 * 1024)
    expect(fixture.held()).toBe(0)
  })

  it('refuses to place, or to name the path of, what has an odd name', async () => {
    for (const name of ODD_NAMES) {
      expect(() => store.pathOf?.({ ...file, sha256: name }), name).toThrow(StoreUnavailable)
      for (const odd of [
        { ...file, id: name },
        { ...file, sha256: name },
      ]) {
        await expect(store.place(odd), name).rejects.toThrow(StoreUnavailable)
      }
    }
  })

  it('does not mind that there is nothing to remove, not even a folder', async () => {
    const empty = createDiskStore(join(fixture.folder, '..', 'never-made'))
    await empty.remove(file)
    await empty.discard(newId())
  })
})

describe('a disk that fails', () => {
  it('is reported as such, whichever call fails, and the upload succeeds when it is repeated', async () => {
    const plan = new FaultPlan('sqlite')
    const stopFaults = await injectFileFaults(plan)
    const fixture = await openDiskFixture()
    const refusals: unknown[] = []
    try {
      for (let number = 1; ; number++) {
        const upload = async () => {
          const id = newId()
          const taken = await fixture.store.take(id, inPieces(Buffer.from(`file ${number}`), 3))
          const file: StoredFile = { ...taken, id }
          await fixture.store.place(file)
          await fixture.store.discard(id)
          return file
        }
        plan.arm(number, 0)
        const failure = await plan.watch(upload).then(
          () => undefined,
          (error: unknown) => error,
        )
        plan.disarm()
        expect(failure === undefined).toBe(plan.fired === undefined)
        if (failure === undefined) break
        refusals.push(failure)
        expect(await readFile(fixture.store, await upload())).toEqual(Buffer.from(`file ${number}`))
      }
    } finally {
      stopFaults()
      await fixture.stop()
    }
    expect(refusals.length).toBeGreaterThan(10)
    for (const refusal of refusals) {
      const isFull = (refusal as { code?: string }).code === 'storage_full'
      expect(isFull || refusal instanceof StoreUnavailable).toBe(true)
    }
  })
})
