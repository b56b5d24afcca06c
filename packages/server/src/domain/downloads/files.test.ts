import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Environment } from '../../context.ts'
import { newId } from '../../ids.ts'
import { databases } from '../../testing/databases.ts'
import { addDownload, testActor, uploadBytes } from '../../testing/downloads/downloads.ts'
import { recordUpload, TOO_LATE, useUploads } from '../../testing/downloads/uploads.ts'
import { seededRandom } from '../../testing/random.ts'
import { inPieces, readFile } from '../../testing/s3/store-fixtures.ts'
import { DAY } from '../../testing/time.ts'
import { createDownload, removeDownload, replaceFile } from './downloads.ts'
import type { Store } from './storage/storage.ts'
import { sweepDownloads } from './sweep.ts'

const HOUR = 3600
const houses = databases.flatMap((database) => [
  { name: `${database.name}, disk`, database, inS3: false },
  { name: `${database.name}, S3`, database, inS3: true },
])

/** Returns a promise and the function that resolves it. */
function gate() {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open, opened }
}

describe.each(houses)('files on $name', ({ database, inS3 }) => {
  let env: Environment
  const uploads = useUploads(database, inS3)
  const { app, sweep, later, kept, rows, clean, newResource, find, bytesOf, wishFor } = uploads
  const { create } = uploads
  beforeAll(() => {
    env = app.environment
  })

  it('shows a file when its record is committed, all of it, and nothing before', async () => {
    const rid = await newResource()
    const bytes = randomBytes(300_000)
    const half = gate()
    const seen: unknown[] = []
    const source = (async function* () {
      yield bytes.subarray(0, 100_000)
      half.open()
      seen.push(await find(rid))
      yield bytes.subarray(100_000)
    })()
    const taken = uploadBytes(app, source, async (file) => {
      seen.push(await find(rid))
      await env.database.write(async (trx) => {
        await createDownload(trx, wishFor(rid), file, testActor(env))
        seen.push(await find(rid))
      })
      seen.push((await bytesOf(rid)).equals(bytes))
    })
    await half.opened
    await taken
    expect(seen).toEqual([undefined, undefined, undefined, true])
  })

  it('clears up behind itself: nothing is left but the file', async () => {
    const before = await clean()
    const rid = await newResource()
    await addDownload(app, rid, randomBytes(10))
    const added = (await rows()).filter(({ id }) => !before.rows.some((row) => row.id === id))
    expect(added).toMatchObject([{ size: 10, dropped: null }])
    expect(await kept()).toHaveLength(before.files.length + 1)
  })

  it('leaves nothing of an upload that breaks off', async () => {
    const before = await clean()
    const source = (async function* () {
      yield randomBytes(10_000)
      throw new Error('unplugged')
    })()
    await expect(uploadBytes(app, source, () => expect.unreachable())).rejects.toThrow('unplugged')
    expect(await kept()).toEqual(before.files)
    expect(await clean()).toEqual(before)
  })

  it.each(['before', 'after'])(
    'sweeps a file after a day, and not before, whose record failed %s it was named',
    async (when) => {
      const before = await clean()
      const rid = await newResource()
      const failing = uploadBytes(app, randomBytes(10), async (file) => {
        await env.database.write(async (trx) => {
          if (when === 'after') await createDownload(trx, wishFor(rid), file, testActor(env))
          throw new Error('no record')
        })
      })
      await expect(failing).rejects.toThrow('no record')
      expect(await find(rid)).toBeUndefined()
      const isLeft = when === 'after' || inS3
      later(DAY)
      expect(await sweep()).toBe(0)
      expect(await kept()).toHaveLength(before.files.length + (isLeft ? 1 : 0))
      later(1)
      expect(await sweep()).toBe(1)
      expect(await kept()).toEqual(before.files)
      expect(await rows()).toEqual(before.rows)
    },
  )

  it('keeps a file that was replaced or removed for a day, for whoever is fetching it', async () => {
    const before = await clean()
    const rid = await newResource()
    const key = { aid: app.aid, rid }
    const second = randomBytes(20)
    const names = { fileName: 'b.bin', type: 'text/plain' }
    await addDownload(app, rid, randomBytes(10))
    const first = (await find(rid)) ?? expect.unreachable()
    const old = { ...first, id: first.file_id }
    await uploadBytes(app, second, (file) =>
      env.database.write((trx) => replaceFile(trx, key, file, names, testActor(env))),
    )
    later(DAY)
    expect(await sweep()).toBe(0)
    expect(await readFile(env.stores.current, old)).toHaveLength(10)
    later(1)
    expect(await sweep()).toBe(1)
    await expect(env.stores.current.open(old)).rejects.toThrow('is not there')
    expect(await bytesOf(rid)).toEqual(second)

    await env.database.write((trx) => removeDownload(trx, key, testActor(env)))
    later(DAY)
    expect(await sweep()).toBe(0)
    later(1)
    expect(await sweep()).toBe(1)
    expect(await kept()).toEqual(before.files)
  })

  it('keeps bytes that another record names too', async () => {
    const bytes = randomBytes(10)
    const [one, other] = [await newResource(), await newResource()]
    for (const rid of [one, other]) await addDownload(app, rid, bytes)
    await env.database.write((trx) =>
      removeDownload(trx, { aid: app.aid, rid: one }, testActor(env)),
    )
    later(DAY + 1)
    expect(await sweep()).toBe(1)
    expect(await bytesOf(other)).toEqual(bytes)
  })

  it('does not sweep an upload that goes on for days, however slowly', async () => {
    const rid = await newResource()
    const bytes = randomBytes(30)
    const source = (async function* () {
      for await (const chunk of inPieces(bytes, 1)) {
        yield chunk
        later(HOUR)
        await sweep()
      }
    })()
    await uploadBytes(app, source, (file) => create(rid, file))
    expect(await bytesOf(rid)).toEqual(bytes)
  })

  it('sweeps an upload that stands still for a day, and refuses what comes then', async () => {
    const before = await clean()
    const source = (async function* () {
      yield randomBytes(10)
      later(DAY + 1)
      expect(await sweep()).toBe(1)
      yield randomBytes(10)
    })()
    await expect(uploadBytes(app, source, () => expect.unreachable())).rejects.toThrow(TOO_LATE)
    expect(await clean()).toEqual(before)
  })

  it('leaves a day for naming a file from when it came in', async () => {
    const rid = await newResource()
    const source = (async function* () {
      yield randomBytes(10)
      later(DAY)
    })()
    await uploadBytes(app, source, async (file) => {
      later(DAY)
      await sweep()
      await create(rid, file)
    })
    expect(await bytesOf(rid)).toHaveLength(10)
  })

  it('sweeps a file that nobody names for a day, and refuses to name it then', async () => {
    const before = await clean()
    const rid = await newResource()
    const naming = uploadBytes(app, randomBytes(10), async (file) => {
      later(DAY + 1)
      expect(await sweep()).toBe(1)
      await create(rid, file)
    })
    await expect(naming).rejects.toThrow(TOO_LATE)
    expect(await find(rid)).toBeUndefined()
    expect(await clean()).toEqual(before)
  })

  it('sweeps what a crash has left of an upload', async () => {
    const before = await clean()
    const id = newId()
    const created = env.realTime()
    const { name } = env.stores.current
    await recordUpload(app, { id, store: name, created })
    await env.stores.current.take(id, inPieces(randomBytes(10), 3))
    expect(await kept()).toHaveLength(before.files.length + 1)
    expect(await clean()).toEqual(before)
  })

  // Only the disk store keeps files with the same bytes as one.
  if (inS3) return

  /** Leaves bytes that the next sweep removes, and a resource that can have them again. */
  const leaveBytes = async () => {
    const bytes = randomBytes(10)
    const [old, rid] = [await newResource(), await newResource()]
    await addDownload(app, old, bytes)
    await env.database.write((trx) =>
      removeDownload(trx, { aid: app.aid, rid: old }, testActor(env)),
    )
    later(DAY + 1)
    return { bytes, rid }
  }

  it('keeps the file of a record that is made while the same bytes are swept', async () => {
    const seed = Date.now() % 1_000_000
    console.info(`races of the sweep by seed ${seed}`)
    const random = seededRandom(seed)
    for (let round = 0; round < 6; round++) {
      const { bytes, rid } = await leaveBytes()
      const pauses = [random() * 10, random() * 10]
      await Promise.all([
        sleep(pauses[0]).then(sweep),
        sleep(pauses[1]).then(() => addDownload(app, rid, bytes)),
      ])
      expect(await bytesOf(rid), `round ${round}`).toEqual(bytes)
    }
  })

  it('lets a record wait that is about to name bytes which are being removed', async () => {
    const { bytes, rid } = await leaveBytes()
    const { current } = env.stores
    let added: Promise<unknown> | undefined
    const slow: Store = {
      ...current,
      async remove(file) {
        added ??= addDownload(app, rid, bytes)
        // Gives the concurrent upload time to get as far as it can.
        await sleep(200)
        await current.remove(file)
      },
    }
    expect(await sweepDownloads({ ...env, stores: { current: slow, of: () => slow } })).toBe(1)
    await added
    expect(await bytesOf(rid)).toEqual(bytes)
  })

  it('waits with the sweep for a record that is about to name the same bytes', async () => {
    const { bytes, rid } = await leaveBytes()
    let swept: Promise<number> | undefined
    await uploadBytes(app, bytes, (file) =>
      env.database.write(async (trx) => {
        await createDownload(trx, wishFor(rid), file, testActor(env))
        swept ??= sweep()
        // Gives the concurrent sweep time to get as far as it can.
        await sleep(50)
      }),
    )
    expect(await swept).toBe(1)
    expect(await bytesOf(rid)).toEqual(bytes)
  })
})
