import { writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { copiedAppOf, MONTHLY, ONCE, outcomes, run, useCopy } from '../../testing/copy/use-copy.ts'
import { databases } from '../../testing/databases.ts'
import { addDownload } from '../../testing/downloads/downloads.ts'
import { startS3 } from '../../testing/s3/s3.ts'
import type { TestApplication } from '../../testing/service.ts'
import { changeSettings } from '../apps/applications.ts'
import { removeDownload } from '../downloads/downloads.ts'
import { createS3Store } from '../downloads/storage/s3/store.ts'
import type { Stores } from '../downloads/storage/storage.ts'
import { sweepDownloads } from '../downloads/sweep.ts'
import { listPrices } from '../resources/prices.ts'
import { getResource } from '../resources/resources.ts'
import { copyItems, EVERYTHING, previewCopy } from './copy.ts'
import type { CopyItemResult } from './outcome.ts'

describe.each(databases)('copying between environments on $name', (database) => {
  const { service, draft, live, toLive, doing, addPrice, offers, files, show, itemOf, damaged } =
    useCopy(database)

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
    const results = [(await steps.next()).value as CopyItemResult]
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
    const done: CopyItemResult[] = []
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
    const env = { ...toLive.to.env, database: Object.assign(Object.create(db), { write }) }
    const interrupted = { ...toLive, to: { ...toLive.to, env } }
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
      const from = {
        ...copiedAppOf(draft),
        env: { ...draft.environment, stores: sandbox as Stores },
      }
      const to = {
        ...copiedAppOf(live),
        env: { ...live.environment, stores: production as Stores },
      }
      const source = { ...draft, environment: from.env }
      const lost = await addDownload(source, 'issue', Buffer.from('first'))
      await draft.addResource('second')
      const kept = await addDownload(source, 'second', Buffer.from('kept'))
      await s3.removeObject(`gatehouse/sandbox/${lost.file_id}`)
      expect(outcomes(await run({ from, to }))).toEqual(['issue file_missing', 'second copied'])
      expect(await files(live)).toEqual([])
      await s3.removeObject(`gatehouse/sandbox/${kept.file_id}`)
      expect(await files(live, 'second')).toMatchObject([{ store: 's3', sha256: kept.sha256 }])
      expect(await damaged(live, to.env.stores)).toEqual([])
    } finally {
      for (const store of stores) await store.close()
      await s3.stop()
    }
  })
})
