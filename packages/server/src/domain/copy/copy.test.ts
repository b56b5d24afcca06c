import { writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { databases } from '../../testing/databases.ts'
import { addDownload, testActor } from '../../testing/downloads/downloads.ts'
import { startS3 } from '../../testing/s3/s3.ts'
import type { TestApplication } from '../../testing/service.ts'
import { useFreshApplication, useService } from '../../testing/use-service.ts'
import { changeSettings } from '../apps/applications.ts'
import { findDamagedFiles } from '../downloads/damage.ts'
import { type DownloadRow, listDownloadsOf, removeDownload } from '../downloads/downloads.ts'
import { createS3Store } from '../downloads/storage/s3/store.ts'
import type { Stores } from '../downloads/storage/storage.ts'
import { sweepDownloads } from '../downloads/sweep.ts'
import { listHistory } from '../history/history.ts'
import { type ImageOwner, setImage } from '../images/attach.ts'
import { storeConverted } from '../images/images.ts'
import { OPENS_NOTHING } from '../passes/opens.ts'
import { archiveResource, changeResource } from '../resources/change.ts'
import {
  archivePrice,
  createPrice,
  listOffers,
  listPrices,
  type Terms,
} from '../resources/prices.ts'
import { getResource, type ResourceRow } from '../resources/resources.ts'
import type { CopyItem } from './compare.ts'
import { type CopySelection, copyItems, EVERYTHING, previewCopy } from './copy.ts'
import type { CopyResult } from './outcome.ts'
import { getDirection, pairApplications } from './pairs.ts'
import { planResource } from './plan.ts'
import type { Direction } from './sides.ts'
import type { ResourceState } from './state.ts'

const ONCE: Terms = {
  ...{ amount: 999, currency: 'EUR', recurring: 0, period: null, trial_days: 0 },
}
const MONTHLY: Terms = { ...ONCE, recurring: 1, period: '1 month' }

const sideOf = ({ environment, aid }: TestApplication) => ({ side: environment, aid })

async function run(
  direction: Direction,
  selection: CopySelection = EVERYTHING,
  version?: string,
): Promise<CopyResult[]> {
  const results: CopyResult[] = []
  const copy = await copyItems(direction, selection, { actor: 'test', version })
  for await (const result of copy.results) results.push(result)
  expect(results).toHaveLength(copy.total)
  return results
}

const outcomes = (results: readonly CopyResult[]) =>
  results.map(({ item, outcome, problem }) => `${item.rid || item.kind} ${problem ?? outcome}`)

describe('a plan', () => {
  it('has an obstacle where a resource would have more than 100 files', () => {
    const row = { archived: null } as ResourceRow
    const stateWith = (name: string, count: number): ResourceState => ({
      row,
      ...{ prices: [], opens: OPENS_NOTHING },
      files: Array.from({ length: count }, (_, i) => {
        const own = `${name}${i}`
        return { id: own, file_name: own, sha256: own } as DownloadRow
      }),
    })
    expect(planResource(stateWith('a', 50), stateWith('b', 50)).obstacle).toBeUndefined()
    expect(planResource(stateWith('a', 51), stateWith('b', 50)).obstacle).toBe('too_many_files')
    expect(planResource(stateWith('a', 100), stateWith('a', 100)).obstacle).toBeUndefined()
  })
})

describe.each(databases)('copying between environments on $name', (database) => {
  const service = useService(database)
  const draft = useFreshApplication(service, { environment: 'sandbox', resources: ['issue'] })
  const live = useFreshApplication(service)
  let toLive: Direction
  beforeEach(async () => {
    await pairApplications(service.ctx, sideOf(draft), live.aid, 1)
    toLive = await getDirection(service.ctx, sideOf(draft))
  })

  const doing = ({ environment }: TestApplication) => testActor(environment)
  const addPrice = (app: TestApplication, terms: Terms, rid = 'issue') =>
    app.environment.database.write((trx) =>
      createPrice(trx, { aid: app.aid, rid, ...terms }, app.environment.clock(), 'test'),
    )
  const offers = async (app: TestApplication) =>
    (await listOffers(app.environment.database.read, app.aid, 'issue')).map(
      ({ amount, period }) => `${amount} ${period}`,
    )
  const files = (app: TestApplication, rid = 'issue') =>
    listDownloadsOf(app.environment.database.read, { aid: app.aid, rid })
  /** Shows an image in two sizes, without converting a real one. */
  const show = async (app: TestApplication, owner: ImageOwner, color: string) => {
    const sizes = [10, 20].map((width) => {
      return { width, height: 5, bytes: Buffer.from(`${color} ${width}`) }
    })
    const image = { type: 'image/png' as const, sizes }
    return await storeConverted(app.environment, app.aid, image, async (stored) => {
      await app.environment.database.write((trx) => setImage(trx, owner, stored, doing(app)))
      return stored.id
    })
  }
  const itemOf = async (rid = 'issue') =>
    (await previewCopy(toLive)).items.find((item) => item.rid === rid) as CopyItem
  const damaged = async ({ environment, aid }: TestApplication, stores = environment.stores) =>
    (await findDamagedFiles(environment.database.read, stores, () => {})).filter(
      (file) => file.aid === aid,
    )

  it('creates a resource with its prices, files and image, and repeating it changes nothing', async () => {
    const { database: db } = draft.environment
    const about = { description: 'Maps of *winter*', url: 'https://example.com/7' }
    const key = { aid: draft.aid, rid: 'issue' }
    await db.write((trx) => changeResource(trx, key, about, draft.environment.clock(), 'test'))
    await addPrice(draft, ONCE)
    await addPrice(draft, { ...MONTHLY, trial_days: 14 })
    const old = await addPrice(draft, { ...ONCE, amount: 1 })
    await db.write((trx) =>
      archivePrice(trx, { aid: draft.aid, id: old.id }, draft.environment.clock(), 'test'),
    )
    await addDownload(draft, 'issue', Buffer.from('the issue'), { fileName: 'issue.pdf' })
    const more = { fileName: 'empty.txt', publish: false, isAdditional: true, title: 'Nothing' }
    const { id } = await addDownload(draft, 'issue', Buffer.alloc(0), more)
    const red = await show(draft, { kind: 'resource', ...key }, 'red')
    const blue = await show(draft, { kind: 'download', aid: draft.aid, id }, 'blue')

    const preview = await previewCopy(toLive)
    expect(preview).toMatchObject({ onlyInTarget: 0, currencies: null })
    expect(preview.items.map(({ kind, status }) => [kind, status])).toEqual([
      ['resource', 'new'],
      ['brand', 'same'],
      ['templates', 'same'],
    ])
    expect(preview.items[0]?.changes).toEqual([
      { kind: 'image', change: 'added' },
      { kind: 'price', before: null, after: ONCE },
      { kind: 'price', before: null, after: { ...MONTHLY, trial_days: 14 } },
      { kind: 'file', change: 'added', name: 'Download of issue', bytes: 9 },
      { kind: 'file', change: 'added', name: 'Nothing', bytes: 0 },
    ])
    expect(outcomes(await run(toLive, EVERYTHING, preview.version))).toEqual(['issue copied'])

    const { read } = live.environment.database
    expect(await getResource(read, live.aid, 'issue')).toMatchObject({ ...about, image_id: red })
    expect((await offers(live)).sort()).toEqual(['999 1 month', '999 null'])
    // The checkout offers them in the same order.
    expect(await offers(live)).toEqual(await offers(draft))
    expect(await files(live)).toMatchObject([
      { file_name: 'issue.pdf', image_id: null, published: expect.any(Number) },
      { file_name: 'empty.txt', image_id: blue, published: null, size: 0 },
    ])
    expect(await damaged(live)).toEqual([])
    const history = await listHistory(read, live.aid)
    expect(history.map(({ action }) => action)).toContain('resource created')

    expect(await run(toLive)).toEqual([])
    expect(await listHistory(read, live.aid)).toEqual(history)
    expect((await itemOf()).status).toBe('same')
  })

  it('says what changes: texts, a price in place of another, files by their likeness', async () => {
    await addPrice(draft, ONCE)
    await addDownload(draft, 'issue', Buffer.from('one'), { fileName: 'a.pdf', title: 'A' })
    const b = { fileName: 'b.pdf', title: 'B', isAdditional: true }
    await addDownload(draft, 'issue', Buffer.from('two'), b)
    await run(toLive)
    const [a0, b0] = await files(live)

    const { database: db, clock } = draft.environment
    const key = { aid: draft.aid, rid: 'issue' }
    const [price] = await listPrices(db.read, draft.aid, 'issue')
    const [a] = await files(draft)
    await db.write(async (trx) => {
      await changeResource(trx, key, { name: 'Winter' }, clock(), 'test')
      await archivePrice(trx, { aid: draft.aid, id: price?.id ?? '' }, clock(), 'test')
      await removeDownload(trx, { ...key, id: a?.id ?? '' }, doing(draft))
    })
    await addPrice(draft, { ...ONCE, amount: 1299 })
    await addDownload(draft, 'issue', Buffer.from('new one'), {
      ...b,
      fileName: 'a.pdf',
      title: 'A2',
    })

    expect(await itemOf()).toMatchObject({ status: 'changed', obstacle: null })
    expect((await itemOf()).changes).toEqual([
      { kind: 'text', field: 'name', before: 'Resource issue', after: 'Winter' },
      { kind: 'price', before: ONCE, after: { ...ONCE, amount: 1299 } },
      { kind: 'file', change: 'replaced', name: 'A2', bytes: 7 },
      { kind: 'file', change: 'described', name: 'A2', bytes: 7 },
      { kind: 'file_order' },
    ])
    await run(toLive)
    // The link of a file that got other bytes goes on working.
    expect((await files(live)).map(({ id, title }) => [id, title])).toEqual([
      [b0?.id, 'B'],
      [a0?.id, 'A2'],
    ])
    expect(await offers(live)).toEqual(['1299 null'])
    expect(await damaged(live)).toEqual([])
    expect((await itemOf()).status).toBe('same')
  })

  it('deletes nothing: prices are archived, files withdrawn, and both come back', async () => {
    await addPrice(draft, ONCE)
    await addDownload(draft, 'issue', Buffer.from('one'), { fileName: 'a.pdf' })
    await run(toLive)
    const [price] = await listPrices(live.environment.database.read, live.aid)
    const own = { fileName: 'own.pdf', title: 'Own', isAdditional: true }
    await addDownload(live, 'issue', Buffer.from('of production alone'), own)
    const { database: db, clock } = draft.environment
    const [at] = await listPrices(db.read, draft.aid)
    await db.write((trx) =>
      archivePrice(trx, { aid: draft.aid, id: at?.id ?? '' }, clock(), 'test'),
    )
    expect((await itemOf()).changes).toEqual([
      { kind: 'price', before: ONCE, after: null },
      { kind: 'file', change: 'withdrawn', name: 'Own', bytes: 19 },
    ])
    await run(toLive)
    expect(await offers(live)).toEqual([])
    expect((await files(live)).map(({ published }) => published !== null)).toEqual([true, false])
    await addPrice(draft, ONCE)
    await addDownload(draft, 'issue', Buffer.from('of production alone'), own)
    await run(toLive)
    const after = await listPrices(live.environment.database.read, live.aid)
    expect(after).toMatchObject([{ id: price?.id, archived: null }])
    expect((await files(live)).map(({ published }) => published !== null)).toEqual([true, true])
  })

  it('copies the brand and the templates, and no other setting', async () => {
    const { database: db, clock } = draft.environment
    const brand = {
      ...{ accent: '#1f5f4a', support_email: 'help@example.com', time_zone: 'Europe/Berlin' },
      legal_links: '{"terms":"https://example.com/terms"}',
    }
    const templates = { mail_template: 'Subject: Hi\n\nHello', mail_templates: '{"receipt":"x"}' }
    const rest = { name: 'Draft', mail_from: 'A <a@example.com>', tax_line: 'VAT', grace_days: 3 }
    await db.write((trx) =>
      changeSettings(trx, draft.aid, { ...brand, ...templates, ...rest }, clock(), 'test'),
    )
    const logo = await show(draft, { kind: 'application', aid: draft.aid }, 'green')
    const { items } = await previewCopy(toLive)
    expect(items.slice(1).map(({ changes }) => changes)).toEqual([
      [
        { kind: 'image', change: 'added' },
        { kind: 'text', field: 'accent', before: '', after: '#1f5f4a' },
        { kind: 'text', field: 'support_email', before: '', after: 'help@example.com' },
        { kind: 'text', field: 'time_zone', before: 'UTC', after: 'Europe/Berlin' },
        { kind: 'text', field: 'legal_terms', before: '', after: 'https://example.com/terms' },
      ],
      [
        { kind: 'template', template: 'grant', change: 'added' },
        { kind: 'template', template: 'receipt', change: 'added' },
      ],
    ])
    const only = (brandToo: boolean) => ({ rids: [], brand: brandToo, templates: !brandToo })
    expect(outcomes(await run(toLive, only(true)))).toEqual(['brand copied'])
    const { read } = live.environment.database
    const row = () => read.selectFrom('applications').selectAll().where('aid', '=', live.aid)
    const kept = { name: 'Test magazine', mail_from: null, tax_line: null, grace_days: 7 }
    expect(await row().executeTakeFirstOrThrow()).toMatchObject({
      ...{ ...brand, ...kept, logo_id: logo, mail_template: null },
    })
    expect(outcomes(await run(toLive, only(false)))).toEqual(['templates copied'])
    expect(await row().executeTakeFirstOrThrow()).toMatchObject({ ...brand, ...kept, ...templates })
    // Without a logo there, it is removed here.
    await db.write((trx) =>
      setImage(trx, { kind: 'application', aid: draft.aid }, undefined, doing(draft)),
    )
    await run(toLive, only(true))
    expect(await row().executeTakeFirstOrThrow()).toMatchObject({ logo_id: null })
    const back = await getDirection(service.ctx, sideOf(live))
    expect((await previewCopy(back)).items.map(({ status }) => status)).toEqual(['same', 'same'])
  })

  it('leaves out what is archived on either side, and what only the target has', async () => {
    for (const rid of ['gone', 'closed']) await draft.addResource(rid)
    for (const rid of ['closed', 'own']) await live.addResource(rid, { name: 'Live' })
    const archive = (app: TestApplication, rid: string) =>
      app.environment.database.write((trx) =>
        archiveResource(trx, { aid: app.aid, rid }, true, app.environment.clock(), 'test'),
      )
    await archive(draft, 'gone')
    await archive(live, 'closed')
    expect((await itemOf('gone')).obstacle).toBe('archived_in_source')
    expect((await itemOf('closed')).obstacle).toBe('archived_in_target')
    expect((await previewCopy(toLive)).onlyInTarget).toBe(1)
    expect(outcomes(await run(toLive))).toEqual(['issue copied'])
    const { read } = live.environment.database
    expect((await getResource(read, live.aid, 'closed')).name).toBe('Live')
    await expect(run(toLive, { ...EVERYTHING, rids: ['nowhere'] })).rejects.toThrow('nowhere')
  })

  it('changes nothing if anything was changed since the preview, and says so', async () => {
    const { version } = await previewCopy(toLive)
    await live.addResource('issue')
    await expect(run(toLive, EVERYTHING, version)).rejects.toMatchObject({ code: 'copy_changed' })
    const next = await previewCopy(toLive)
    await addPrice(draft, ONCE)
    await expect(run(toLive, EVERYTHING, next.version)).rejects.toThrow('nothing was copied')
    expect(await offers(live)).toEqual([])
  })

  it('leaves a resource alone that somebody changes while others are copied', async () => {
    await draft.addResource('second')
    await draft.addResource('third')
    await live.addResource('third')
    await addPrice(draft, ONCE, 'third')
    const { results: steps } = await copyItems(toLive, EVERYTHING, { actor: 'test' })
    const results = [(await steps.next()).value as CopyResult]
    await live.addResource('second', { name: 'Mine' })
    await addPrice(live, MONTHLY, 'third')
    for await (const result of steps) results.push(result)
    expect(outcomes(results)).toEqual(['issue copied', 'second changed', 'third changed'])
    const { read } = live.environment.database
    expect((await getResource(read, live.aid, 'second')).name).toBe('Mine')
    expect(outcomes(await run(toLive))).toEqual(['second copied', 'third copied'])
  })

  it('leaves a brand and templates alone that somebody changes meanwhile', async () => {
    const set = ({ environment, aid }: TestApplication, accent: string, template: string) =>
      environment.database.write((trx) => {
        const settings = { accent, mail_template: `Subject: Hi\n\n${template}` }
        return changeSettings(trx, aid, settings, environment.clock(), 'test')
      })
    await set(draft, '#111111', 'draft')
    const selection = { rids: [], brand: true, templates: true }
    const { results } = await copyItems(toLive, selection, { actor: 'test' })
    await set(live, '#222222', 'live')
    const done: CopyResult[] = []
    for await (const result of results) done.push(result)
    expect(outcomes(done)).toEqual(['brand changed', 'templates changed'])
    expect(outcomes(await run(toLive))).toEqual([
      ...['issue copied', 'brand copied', 'templates copied'],
    ])
  })

  it('spreads no file whose bytes are not those that were uploaded', async () => {
    const { sha256 } = await addDownload(draft, 'issue', Buffer.from(`sound ${draft.aid}`))
    const folder = service.installation.env.GATEHOUSE_DATA as string
    const path = join(folder, 'files', 'sandbox', sha256)
    writeFileSync(path, Buffer.from(`rotten${draft.aid}`))
    expect(outcomes(await run(toLive))).toEqual(['issue file_missing'])
    expect(await files(live)).toEqual([])
    await rm(path)
  })

  it('shows all of a resource or nothing if it is interrupted, and a repeat finishes', async () => {
    await addPrice(draft, ONCE)
    await addDownload(draft, 'issue')
    await draft.addResource('second')
    const { database: db } = live.environment
    let writes = 0
    // The third write of a resource with one file is the one that shows it.
    const write: typeof db.write = (fn, options) =>
      db.write(async (trx) => {
        const result = await fn(trx)
        if (++writes === 3) throw new Error('the process is gone')
        return result
      }, options)
    const side = { ...toLive.to.side, database: Object.assign(Object.create(db), { write }) }
    const interrupted = { ...toLive, to: { ...toLive.to, side } }
    await expect(run(interrupted)).rejects.toThrow('the process is gone')
    expect((await itemOf()).status).toBe('new')
    expect(await listPrices(db.read, live.aid)).toEqual([])
    expect(outcomes(await run(toLive))).toEqual(['issue copied', 'second copied'])
    expect(await damaged(live)).toEqual([])
  })

  it('has bytes of its own: what is removed on one side stays on the other', async () => {
    const { id } = await addDownload(draft, 'issue', Buffer.from('shared bytes'))
    await show(draft, { kind: 'resource', aid: draft.aid, rid: 'issue' }, 'red')
    await run(toLive)
    const { environment } = draft
    await environment.database.write((trx) =>
      removeDownload(trx, { aid: draft.aid, rid: 'issue', id }, doing(draft)),
    )
    service.clock.advance(2 * 86_400)
    expect(await sweepDownloads(environment)).toBeGreaterThan(0)
    await sweepDownloads(live.environment)
    expect(await damaged(live)).toEqual([])
    expect(await files(live)).toHaveLength(1)
  })

  it('copies from and to S3, and reports a file that is gone without stopping', async () => {
    const s3 = await startS3()
    const stores = ['sandbox', 'production'].map((name) => createS3Store(s3.options, name))
    try {
      const [sandbox, production] = stores.map((store) => ({ current: store, of: () => store }))
      const from = { ...sideOf(draft), side: { ...draft.environment, stores: sandbox as Stores } }
      const to = { ...sideOf(live), side: { ...live.environment, stores: production as Stores } }
      const source = { ...draft, environment: from.side }
      const lost = await addDownload(source, 'issue', Buffer.from('first'))
      await draft.addResource('second')
      const kept = await addDownload(source, 'second', Buffer.from('kept'))
      await s3.removeObject(`gatehouse/sandbox/${lost.file_id}`)
      expect(outcomes(await run({ from, to }))).toEqual(['issue file_missing', 'second copied'])
      expect(await files(live)).toEqual([])
      await s3.removeObject(`gatehouse/sandbox/${kept.file_id}`)
      expect(await files(live, 'second')).toMatchObject([{ store: 's3', sha256: kept.sha256 }])
      expect(await damaged(live, to.side.stores)).toEqual([])
    } finally {
      for (const store of stores) await store.close()
      await s3.stop()
    }
  })
})
