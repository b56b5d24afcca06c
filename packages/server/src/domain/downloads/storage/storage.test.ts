import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../../ids.ts'
import { seededRandom } from '../../../testing/random.ts'
import {
  addFile,
  inPieces,
  ODD_NAMES,
  openDiskFixture,
  openS3Fixture,
  readAll,
  readFile,
  type StoreFixture,
  sendFile,
  sha256Of,
} from '../../../testing/s3/store-fixtures.ts'
import { MissingFile, type Store, type StoredFile } from './storage.ts'

const MIB = 1024 * 1024

/** More than two S3 parts, and not a multiple of any buffer size. */
const LARGE = randomBytes(11 * MIB + 13)

const stores = [
  { name: 'disk', rig: openDiskFixture },
  { name: 'S3', rig: openS3Fixture },
]

describe.each(stores)('a store on $name', ({ rig: makeRig }) => {
  let fixture: StoreFixture
  let store: Store
  let large: StoredFile

  beforeAll(async () => {
    fixture = await makeRig()
    store = fixture.store
    large = await addFile(store, inPieces(LARGE, 70_001, 3, 1_000_000))
  })
  afterAll(() => fixture.stop())

  it('gives back what it took in, with its size and checksum, however the pieces came', async () => {
    expect(large).toMatchObject({ size: LARGE.length, sha256: sha256Of(LARGE) })
    expect((await readFile(store, large)).equals(LARGE)).toBe(true)
    for (const size of [1, 65_535, 65_536, 65_537]) {
      const bytes = LARGE.subarray(0, size)
      const file = await addFile(store, inPieces(bytes, 1, 40_000))
      expect(file).toMatchObject({ size, sha256: sha256Of(bytes) })
      expect((await readFile(store, file)).equals(bytes)).toBe(true)
    }
    expect(await fixture.leftovers()).toEqual([])
  })

  it('takes in a file whose last part is full', async () => {
    const bytes = LARGE.subarray(0, 10 * MIB)
    const file = await addFile(store, inPieces(bytes, MIB))
    expect((await readFile(store, file)).equals(bytes)).toBe(true)
  })

  it('gives any part of a file, and no byte more', async () => {
    const seed = Date.now() % 1_000_000
    console.info(`parts by seed ${seed}`)
    const random = seededRandom(seed)
    const end = LARGE.length - 1
    const spans = [
      [0, 0],
      [end, end],
      [0, end],
      [MIB - 1, MIB],
      ...Array.from({ length: 20 }, () => {
        const first = Math.floor(random() * LARGE.length)
        return [first, first + Math.floor(random() ** 4 * (LARGE.length - first))]
      }),
    ] as [number, number][]
    for (const [first, last] of spans) {
      const read = await readFile(store, large, { first, last })
      expect(read.equals(LARGE.subarray(first, last + 1)), `${first}-${last}`).toBe(true)
    }
  })

  it('gives several parts of one open file, also others than those announced', async () => {
    const opened = await store.open(large, { first: 5, last: 9 })
    const pieces: Buffer[] = []
    const spans = [
      { first: 1, last: 3 },
      { first: 5, last: 9 },
      { first: 5, last: 9 },
    ]
    for (const span of spans) {
      await opened.send(span, async (bytes) => pieces.push(Buffer.from(bytes)))
    }
    await opened.close()
    const expected = spans.map(({ first, last }) => LARGE.subarray(first, last + 1))
    expect(Buffer.concat(pieces)).toEqual(Buffer.concat(expected))
    await expect.poll(fixture.held).toBe(0)
  })

  it('lets go of a file that was opened and never read', async () => {
    const opened = await store.open(large, readAll(large))
    await opened.close()
    await expect.poll(fixture.held).toBe(0)
  })

  it('keeps a file without bytes', async () => {
    const empty = await addFile(store, inPieces(Buffer.alloc(0), 1))
    expect(empty).toMatchObject({ size: 0, sha256: sha256Of(Buffer.alloc(0)) })
    expect(await readFile(store, empty)).toHaveLength(0)
  })

  it.each([
    ['at once', 0],
    ['after a few bytes', 10],
    ['after some parts', 10 * MIB + 1],
  ])('leaves nothing of a source that fails %s, and says what it said', async (_, size) => {
    const failure = new Error('the reader of the disk has stumbled')
    const id = newId()
    const source = (async function* () {
      yield* inPieces(LARGE.subarray(0, size), 900_000)
      throw failure
    })()
    await expect(store.take(id, source)).rejects.toBe(failure)
    expect(await fixture.leftovers()).toEqual([])
    await expect(store.open({ ...large, id, sha256: '0'.repeat(64) })).rejects.toThrow(MissingFile)
  })

  it('ends a read with the failure of the one who takes it, and lets go of the file', async () => {
    const failure = new Error('the reader has hung up')
    let calls = 0
    const write = async () => {
      if (++calls === 3) throw failure
    }
    await expect(sendFile(store, large, readAll(large), write)).rejects.toBe(failure)
    expect(calls).toBe(3)
    await expect.poll(fixture.held).toBe(0)
  })

  it('never hands over a piece before the one before it was taken', async () => {
    let [pending, most] = [0, 0]
    await sendFile(store, large, readAll(large), async () => {
      most = Math.max(most, ++pending)
      await new Promise(setImmediate)
      pending--
    })
    expect(most).toBe(1)
  })

  it('serves the next reader while sixty others stand still', async () => {
    let arrived = 0
    let goOn = () => {}
    const going = new Promise<void>((resolve) => {
      goOn = resolve
    })
    const others = Array.from({ length: 60 }, async () => {
      let isFirst = true
      await sendFile(store, large, { first: 0, last: 300_000 }, async () => {
        if (isFirst) arrived++
        isFirst = false
        await going
      })
    })
    await expect.poll(() => arrived).toBe(60)
    expect(await readFile(store, large, { first: 7, last: 9 })).toHaveLength(3)
    goOn()
    await Promise.all(others)
  })

  it('tells when a file is not there, or not the file that it was', async () => {
    const lost = await addFile(store, inPieces(Buffer.from('soon gone'), 100))
    await fixture.lose(lost)
    await expect(store.open(lost)).rejects.toThrow(MissingFile)
    await expect(store.open(lost, readAll(lost))).rejects.toThrow(MissingFile)
    for (const size of [LARGE.length - 1, LARGE.length + 1]) {
      const other = { ...large, size }
      await expect(store.open(other)).rejects.toThrow(MissingFile)
      await expect(store.open(other, readAll(other))).rejects.toThrow(MissingFile)
      const end = { first: size - 1, last: size - 1 }
      await expect(store.open(other, end)).rejects.toThrow(MissingFile)
    }
    await expect.poll(fixture.held).toBe(0)
  })

  it('forgets a file, and does not mind to be told so again', async () => {
    const file = await addFile(store, inPieces(Buffer.from('to be forgotten'), 100))
    await store.remove(file)
    await expect(store.open(file)).rejects.toThrow(MissingFile)
    await store.remove(file)
    await store.remove({ id: newId(), sha256: null })
  })

  it('keeps what was placed when the rest of an upload is discarded, also twice', async () => {
    const bytes = Buffer.from('here to stay')
    const file = await addFile(store, inPieces(bytes, 5))
    await store.discard(file.id)
    await store.discard(newId())
    expect(await readFile(store, file)).toEqual(bytes)
  })

  it('places a file again, as a transaction that is run again does', async () => {
    const id = newId()
    const bytes = Buffer.from('twice in its place')
    const file = { id, ...(await store.take(id, inPieces(bytes, 4))) }
    await store.place(file)
    await store.place(file)
    await store.discard(id)
    expect(await readFile(store, file)).toEqual(bytes)
  })

  it('keeps two files with the same bytes, taken in at the same time', async () => {
    const bytes = LARGE.subarray(0, 100_000)
    const files = await Promise.all([1, 2].map(() => addFile(store, inPieces(bytes, 999))))
    for (const file of files) expect((await readFile(store, file)).equals(bytes)).toBe(true)
    const [one, other] = files as [StoredFile, StoredFile]
    if (store.sharesContent) return
    await store.remove(one)
    expect((await readFile(store, other)).equals(bytes)).toBe(true)
  })

  it('refuses names that no file of ours has', async () => {
    for (const name of ODD_NAMES) {
      const file = { id: name, sha256: name, size: 1 }
      const works = {
        take: () => store.take(name, inPieces(Buffer.from('x'), 1)),
        open: () => store.open(file),
        discard: () => store.discard(name),
        remove: () => store.remove(file),
      }
      for (const [work, start] of Object.entries(works)) {
        const refused = expect(Promise.resolve().then<unknown>(start), `${work} ${name}`)
        await refused.rejects.toThrow('a name that no file of ours has')
      }
    }
  })

  it('says that all is well, and leaves no trace of having looked', async () => {
    await store.check()
    expect(await fixture.leftovers()).toEqual([])
  })
})
