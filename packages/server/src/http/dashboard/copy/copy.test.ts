import { beforeEach, describe, expect, it } from 'vitest'
import { listHistory } from '../../../domain/history/history.ts'
import { entryPointDatabases } from '../../../testing/databases.ts'
import { addDownload } from '../../../testing/downloads/downloads.ts'
import { send } from '../../../testing/http/requests.ts'
import { useFreshApplication, useService, useSignedIn } from '../../../testing/use-service.ts'
import type { Page } from '../schemas.ts'
import type { CopyEvent, CopyView, PairView } from './schemas.ts'

describe.each(entryPointDatabases)('copying at the dashboard on $name', (database) => {
  const service = useService(database)
  const draft = useFreshApplication(service, { environment: 'sandbox', resources: ['issue'] })
  const live = useFreshApplication(service)
  const member = useSignedIn(service, 'developer')
  const owner = useSignedIn(service, 'owner')
  beforeEach(async () => {
    await member.of(draft).request('PUT', '/pair', { with: live.aid })
  })

  const preview = async () => (await member.of(draft).request<CopyView>('GET', '/copy')).body
  const copy = async (body: object) => {
    const { status, text } = await send(service.url, `/dashboard/api/sandbox/${draft.aid}/copy`, {
      method: 'POST',
      headers: { ...member.headers, 'content-type': 'application/json' },
      body: JSON.stringify({ brand: false, templates: false, ...body }),
    })
    const lines = text.split('\n').filter((line) => line !== '')
    return { status, events: lines.map((line) => JSON.parse(line) as CopyEvent) }
  }
  const lastEntry = async () => {
    const { body } = await owner.request<Page<object>>('GET', '/audit?pagesize=1')
    return body.data[0]
  }

  it('shows the pair from both sides, and whom one can be paired with once it is ended', async () => {
    const { body } = await member.of(draft).request<PairView>('GET', '/pair')
    expect(body).toEqual({
      environment: 'production',
      pair: { aid: live.aid, name: 'Test magazine', is_archived: false },
      candidates: [],
    })
    const back = await member.of(live).request<PairView>('GET', '/pair')
    expect(back.body).toMatchObject({ environment: 'sandbox', pair: { aid: draft.aid } })
    const ended = await member.of(live).request<PairView>('DELETE', '/pair')
    expect(ended.body.pair).toBeNull()
    expect(ended.body.candidates).toContainEqual({
      ...{ aid: draft.aid, name: 'Test magazine', currency: 'USD' },
    })
    expect(await lastEntry()).toMatchObject({
      action: 'application.unpair',
      details: { with: draft.aid, name: 'Test magazine' },
    })
    const again = await member.of(live).request('DELETE', '/pair')
    expect([again.status, again.body]).toMatchObject([402, { error: { code: 'not_paired' } }])
  })

  it('creates the other application where nobody names one', async () => {
    await member.of(draft).request('DELETE', '/pair')
    const { body } = await member.of(draft).request<PairView>('PUT', '/pair', {})
    const { aid = '' } = body.pair ?? {}
    expect(aid).not.toBe(live.aid)
    const made = await live.environment.database.read
      .selectFrom('applications')
      .select(['name', 'currency'])
      .where('aid', '=', aid)
      .executeTakeFirst()
    expect(made).toEqual({ name: 'Test magazine', currency: 'USD' })
    expect(await lastEntry()).toMatchObject({
      ...{ action: 'application.pair', aid: draft.aid },
      details: { with: aid, name: 'Test magazine', created: true },
    })
    const wrong = await member.of(draft).request('PUT', '/pair', { with: draft.aid })
    expect([wrong.status, wrong.body]).toMatchObject([400, { error: { parameter: 'with' } }])
    const taken = await member.of(draft).request('PUT', '/pair', { with: live.aid })
    expect([taken.status, taken.body]).toMatchObject([402, { error: { code: 'already_paired' } }])
  })

  it('copies what was previewed, item by item, with one entry in the audit log', async () => {
    await addDownload(draft, 'issue')
    const { version, items } = await preview()
    expect(items.map(({ kind, status }) => [kind, status])).toEqual([
      ['resource', 'new'],
      ['brand', 'same'],
      ['templates', 'same'],
    ])
    const { status, events } = await copy({ version, brand: true, templates: true })
    expect(status).toBe(200)
    expect(events).toEqual([
      { total: 1 },
      { item: { kind: 'resource', name: 'Resource issue', rid: 'issue', problem: null } },
      { done: { copied: 1, failed: 0 } },
    ])
    expect(await lastEntry()).toMatchObject({
      ...{ action: 'application.copy', environment: 'sandbox', aid: draft.aid, outcome: 'done' },
      details: { target: 'production', resources: 1, brand: false, templates: false, failed: 0 },
    })
    const history = await listHistory(live.environment.database.read, live.aid)
    const actors = history.filter(({ rid }) => rid === 'issue').map(({ actor }) => actor)
    expect(new Set(actors)).toEqual(new Set([expect.stringMatching(/^staff:/)]))
    const { events: repeated } = await copy({ version: (await preview()).version })
    expect(repeated).toEqual([{ total: 0 }, { done: { copied: 0, failed: 0 } }])
  })

  it('refuses an old preview and resources that are not there, and copies only what is chosen', async () => {
    await draft.addResource('second')
    const { version } = await preview()
    expect((await copy({ version, rids: ['nothing'] })).status).toBe(400)
    const { events } = await copy({ version, rids: ['second'] })
    expect(events.at(-1)).toEqual({ done: { copied: 1, failed: 0 } })
    const late = await copy({ version })
    expect([late.status, late.events]).toMatchObject([402, [{ error: { code: 'copy_changed' } }]])
    expect((await preview()).items.map(({ status }) => status)).toEqual([
      ...['new', 'same', 'same', 'same'],
    ])
  })

  it('says why nothing can be copied', async () => {
    await owner.request('POST', `/applications/production/${live.aid}/archive`)
    const archived = await member.of(draft).request('GET', '/copy')
    expect([archived.status, archived.body]).toMatchObject([
      402,
      { error: { code: 'pair_archived' } },
    ])
    const { body } = await member.of(draft).request<PairView>('GET', '/pair')
    expect(body.pair?.is_archived).toBe(true)
  })
})
