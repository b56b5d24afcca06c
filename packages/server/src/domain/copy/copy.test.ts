import { describe, expect, it } from 'vitest'
import { copiedAppOf, MONTHLY, ONCE, outcomes, run, useCopy } from '../../testing/copy/use-copy.ts'
import { databases } from '../../testing/databases.ts'
import { addDownload } from '../../testing/downloads/downloads.ts'
import type { TestApplication } from '../../testing/service.ts'
import { changeSettings } from '../apps/applications.ts'
import { removeDownload } from '../downloads/downloads.ts'
import { listHistory } from '../history/history.ts'
import { setImage } from '../images/attach.ts'
import { archiveResource, changeResource } from '../resources/change.ts'
import { archivePrice, listPrices } from '../resources/prices.ts'
import { getResource } from '../resources/resources.ts'
import { EVERYTHING, previewCopy } from './copy.ts'
import { getDirection } from './pairs.ts'

describe.each(databases)('copying between environments on $name', (database) => {
  const { service, draft, live, toLive, doing, addPrice, offers, files, show, itemOf, damaged } =
    useCopy(database)

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
    const back = await getDirection(service.ctx, copiedAppOf(live))
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
})
