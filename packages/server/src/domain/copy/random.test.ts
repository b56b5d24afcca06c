import { describe, expect, it } from 'vitest'
import { databases } from '../../testing/databases.ts'
import { addDownload, testActor } from '../../testing/downloads/downloads.ts'
import { seededRandom } from '../../testing/random.ts'
import type { TestApplication } from '../../testing/service.ts'
import { useApplication, useService } from '../../testing/use-service.ts'
import { describeDownload, publishDownload, removeDownload } from '../downloads/downloads.ts'
import { moveDownload } from '../downloads/order.ts'
import { listHistory } from '../history/history.ts'
import { setOpens } from '../passes/opens.ts'
import { archiveResource, changeResource } from '../resources/change.ts'
import { archivePrice, createPrice, restorePrice } from '../resources/prices.ts'
import type { Direction } from './context.ts'
import { copyItems, EVERYTHING, previewCopy } from './copy.ts'
import { getDirection, pairApplications } from './pairs.ts'
import { type ResourceState, readAppState, readResourceState, termsKey } from './state.ts'

const ROUNDS = Number(process.env.COPY_ROUNDS ?? 6)
const CHANGES = 8
const seed = Number(process.env.COPY_SEED ?? 20_261_117)

const RIDS = ['r1', 'r2', 'r3']
const AMOUNTS = [500, 900]
const NAMES = ['a.pdf', 'b.pdf']
const BYTES = ['one', 'two', 'three']

const OPENS = [
  { rids: ['x'], prefixes: [], all: false },
  { rids: ['y', 'x'], prefixes: ['magazine/'], all: false },
  { rids: [], prefixes: [], all: true },
  { rids: [], prefixes: [], all: false },
]

type Random = () => number
const pick = <T>(random: Random, from: readonly T[]): T =>
  from[Math.floor(random() * from.length)] as T

/** Changes something of one application, as staff would. */
async function change(app: TestApplication, random: Random): Promise<void> {
  const { environment, aid } = app
  const { database, clock } = environment
  const key = { aid, rid: pick(random, RIDS) }
  const now = clock()
  const doing = testActor(environment)
  const state = await readResourceState(database.read, aid, key.rid)
  if (!state) return await app.addResource(key.rid, { name: pick(random, NAMES) })
  const file = pick(random, state.files)
  const price = pick(random, state.prices)
  const of = { ...key, id: file?.id }
  const amount = pick(random, AMOUNTS)
  const terms = { currency: 'EUR', recurring: 0, period: null, trial_days: 0 } as const
  const changes: readonly (() => Promise<unknown>)[] = [
    () => addFile(app, key.rid, random),
    () => addFile(app, key.rid, random),
    () =>
      database.write((trx) => changeResource(trx, key, { name: pick(random, NAMES) }, now, 'test')),
    () => database.write((trx) => createPrice(trx, { ...key, ...terms, amount }, now, 'test')),
    async () =>
      price && database.write((trx) => archivePrice(trx, { aid, id: price.id }, now, 'test')),
    async () =>
      price && database.write((trx) => restorePrice(trx, { aid, id: price.id }, now, 'test')),
    async () => file && database.write((trx) => publishDownload(trx, of, random() < 0.5, doing)),
    async () => file && database.write((trx) => removeDownload(trx, of, doing)),
    async () =>
      file &&
      database.write((trx) => describeDownload(trx, of, { title: pick(random, NAMES) }, doing)),
    () => database.write((trx) => setOpens(trx, key, pick(random, OPENS), now, 'test')),
    async () => file && database.write((trx) => moveDownload(trx, of, 1, doing)),
    () => database.write((trx) => archiveResource(trx, key, random() < 0.3, now, 'test')),
  ]
  await pick(random, changes)()
}

const addFile = (app: TestApplication, rid: string, random: Random) =>
  addDownload(app, rid, Buffer.from(pick(random, BYTES)), {
    ...{ fileName: pick(random, NAMES), title: pick(random, NAMES), isAdditional: true },
    publish: random() < 0.7,
  })

const toFile = (file: ResourceState['files'][number]) =>
  [file.file_name, file.sha256, file.title, file.published !== null].join(' ')

/** Returns a resource as its readers see it: its name, its prices and its files. */
const shown = ({ row, prices, files }: ResourceState) => ({
  name: row.name,
  prices: [...new Set(prices.filter((one) => one.archived === null).map(termsKey))].sort(),
  files: files.map(toFile),
})

/** Requires the result that a copy must have, without calling any code that copies. */
function requireCopied(from: ResourceState, before: ResourceState | undefined, to: ResourceState) {
  if (before?.row.archived != null) return expect(to).toEqual(before)
  const [source, target] = [shown(from), shown(to)]
  expect([target.name, target.prices]).toEqual([source.name, source.prices])
  expect(to.opens).toEqual(from.opens)
  const keys = from.files.map(({ file_name, sha256 }) => `${file_name} ${sha256}`)
  const wanted = source.files.filter((_, i) => keys.indexOf(keys[i] as string) === i)
  expect(target.files.slice(0, wanted.length)).toEqual(wanted)
  expect(to.files.slice(wanted.length).filter(({ published }) => published !== null)).toEqual([])
  // No file and no price is ever lost.
  const ids = (state: ResourceState | undefined) =>
    [...(state?.files ?? []), ...(state?.prices ?? [])].map(({ id }) => id)
  expect(ids(to)).toEqual(expect.arrayContaining(ids(before)))
}

describe.each(databases)('random copies on $name', (database) => {
  const service = useService(database)
  const draft = useApplication(service, { environment: 'sandbox' })
  const live = useApplication(service)
  const copiedAppOf = ({ environment, aid }: TestApplication) => ({ env: environment, aid })
  const stateOf = ({ environment, aid }: TestApplication) =>
    readAppState(environment.database.read, aid)

  async function copy(direction: Direction, version?: string): Promise<string[]> {
    const done: string[] = []
    const { results } = await copyItems(direction, EVERYTHING, { actor: 'test', version })
    for await (const { item, outcome } of results) done.push(`${item.rid || item.kind} ${outcome}`)
    return done
  }

  it('make both sides alike, lose nothing, and change nothing when they are repeated', async () => {
    console.info(`COPY_SEED=${seed}`)
    const random = seededRandom(seed)
    await pairApplications(service.ctx, copiedAppOf(draft), live.aid, 1)
    for (let round = 0; round < ROUNDS; round++) {
      for (let i = 0; i < CHANGES; i++) await change(random() < 0.6 ? draft : live, random)
      const [from, to] = random() < 0.7 ? [draft, live] : [live, draft]
      const direction = await getDirection(service.ctx, copiedAppOf(from))
      const [source, before] = [await stateOf(from), await stateOf(to)]
      const { items, version } = await previewCopy(direction)
      const due = items.filter(({ status }) => status === 'new' || status === 'changed')
      expect(await copy(direction, version)).toEqual(due.map(({ rid }) => `${rid} copied`))
      const after = await stateOf(to)
      const find = ({ resources }: typeof after, rid: string) =>
        resources.find(({ row }) => row.rid === rid)
      for (const one of source.resources.filter(({ row }) => row.archived === null)) {
        const found = find(after, one.row.rid) as ResourceState
        requireCopied(one, find(before, one.row.rid), found)
      }
      for (const one of before.resources) {
        const same = find(source, one.row.rid)
        if (same && same.row.archived === null) continue
        expect(find(after, one.row.rid)).toEqual(one)
      }
      expect(await stateOf(from)).toEqual(source)
      const history = await listHistory(to.environment.database.read, to.aid)
      expect(await copy(direction)).toEqual([])
      expect(await listHistory(to.environment.database.read, to.aid)).toEqual(history)
      expect(await stateOf(to)).toEqual(after)
    }
  })
})
