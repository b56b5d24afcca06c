import { beforeEach, describe, expect, it } from 'vitest'
import { insertRows } from '../../../db/queries/rows.ts'
import { recordDeliveries } from '../../../domain/downloads/deliveries.ts'
import { setOpens } from '../../../domain/passes/opens.ts'
import { databases } from '../../../testing/databases.ts'
import { toDeliveryRows } from '../../../testing/downloads/downloads.ts'
import { useFreshFixture } from '../../../testing/fixtures.ts'
import { MONTHLY } from '../../../testing/payments/shop.ts'
import { DAY } from '../../../testing/time.ts'
import { useFreshShop, useService, useSignedIn } from '../../../testing/use-service.ts'
import type { Figures, Overview, Sum } from '../overview/schemas.ts'
import type { Page } from '../schemas.ts'
import type { Hit, PeoplePage, PersonDetails, Timeline } from './schemas.ts'

describe.each(databases)('people in the dashboard on $name', (database) => {
  const service = useService(database)
  const staff = useSignedIn(service, 'support')
  const app = useFreshShop(service, 'news', 'maps')
  const at = useFreshFixture(async () => staff.of(app))
  let now: number
  beforeEach(() => {
    now = app.environment.clock()
  })

  const grant = (email: string, more: Record<string, unknown> = {}) =>
    app.client.grantAccess({ rid: 'news', email: `${email}@example.com`, ...more })
  const show = async (uid: string) =>
    (await at.request<PersonDetails>('GET', `/people/${uid}`)).body
  const timeline = async (uid: string, query = '') =>
    (await at.request<Timeline>('GET', `/people/${uid}/timeline${query}`)).body
  const deliver = (uid: string) =>
    app.environment.database.write((trx) =>
      recordDeliveries(
        trx,
        toDeliveryRows([
          {
            ...{ aid: app.aid, rid: 'news', download_id: 'd', link: 'l', uid },
            ...{ at: now, bytes: 7, outcome: 'complete' },
          },
        ]),
        now,
      ),
    )

  it('read everything that a pass opens, however much it is', async () => {
    const { uid } = await grant('ann')
    const issues = Array.from({ length: 1_001 }, (_, i) => `issue/${i}`)
    await app.environment.database.write(async (trx) => {
      const row = { aid: app.aid, url: '', description: '', image: '', created: now }
      const rows = issues.map((rid) => ({ ...row, rid, name: rid }))
      await insertRows(trx, 'resources', rows)
      const key = { aid: app.aid, rid: 'news' }
      await setOpens(trx, key, { rids: [], prefixes: ['issue/'], all: false }, now, 'test')
    })
    const { reading } = await show(uid)
    expect(reading.filter(({ via }) => via === 'news')).toHaveLength(issues.length)
    expect(reading).toHaveLength(issues.length + 1)
  })

  it('are found by the beginning of an address, a reference, a uid or a name', async () => {
    const ann = await grant('ann', { user_ref: '4711', first_name: 'Ann', last_name: 'Example' })
    await grant('bob', { user_ref: '4712', first_name: 'Émile', last_name: 'anders' })
    const found = async (q: string) => {
      const { data, total } = (
        await at.request<PeoplePage>('GET', `/people?q=${encodeURIComponent(q)}`)
      ).body
      expect(total).toBe(data.length)
      return data.map(({ email }) => email.split('@')[0]).sort()
    }
    expect(await found('')).toEqual(['ann', 'bob'])
    expect(await found('AN')).toEqual(['ann'])
    expect(await found('an')).toEqual(['ann', 'bob'])
    expect(await found('exam')).toEqual(['ann'])
    expect(await found('ann exam')).toEqual(['ann'])
    expect(await found('émile')).toEqual(['bob'])
    expect(await found('471')).toEqual(['ann', 'bob'])
    expect(await found(ann.uid.slice(0, 8))).toEqual(['ann'])
    expect(await found('%')).toEqual([])
    const { body } = await at.request<PeoplePage>('GET', '/people?pagesize=1')
    expect(body).toMatchObject({ total: 2, data: [{ live: 1 }] })
  })

  it("are shown whole, with why they can read a thing or can't", async () => {
    await app.buy({ rid: 'maps', userRef: 'ann', vouchedEmail: 'ann@example.com' })
    await app.work()
    const { uid } = await grant('ann', { user_ref: 'ann', expiration: now - DAY })
    await deliver(uid)
    const person = await show(uid)
    expect(person.person).toMatchObject({ uid, email: 'ann@example.com', refs: ['ann'] })
    const reading = (rid: string) => person.reading.find((one) => one.rid === rid)
    expect(reading('maps')).toMatchObject({
      ...{ resource_name: 'Resource maps', access: true, code: 'purchased', expires: null },
      ...{ via: null, since: null },
    })
    expect(reading('news')).toMatchObject({ access: false, code: 'expired', since: now - DAY })
    const maps = person.access.find(({ rid }) => rid === 'maps')
    expect(maps?.sources).toMatchObject([
      { kind: 'purchase', payment: { amount: { amount: 499, currency: 'EUR' } } },
    ])
    expect(person.payments).toMatchObject([{ rid: 'maps', status: 'succeeded', refunds: [] }])
    expect(person.subscriptions).toEqual([])
    expect(person.mails.map(({ kind }) => kind).sort()).toEqual(['receipt'])
    expect(person.downloads).toMatchObject([{ rid: 'news', bytes: 7 }])
  })

  it('who pay again for what they have for life have both payments, each open', async () => {
    await app.buy({ rid: 'maps', userRef: 'tess' })
    await app.advance(DAY)
    await app.buy({ rid: 'maps', userRef: 'tess' })
    const { data } = (await at.request<PeoplePage>('GET', '/people?q=tess')).body
    const { access } = await show(data[0]?.uid ?? '')
    const open = { kind: 'purchase', expires: null, closed: null, payment: { status: 'succeeded' } }
    expect(access).toMatchObject([{ rid: 'maps', sources: [open, open] }])
  })

  it('have a timeline, newest first, in pages', async () => {
    const { uid } = await grant('ann', { user_ref: 'ann', expiration: now + 60 })
    await app.advance(3_600)
    await app.buy({ rid: 'maps', userRef: 'ann' })
    await app.work()
    await deliver(uid)
    const all = await timeline(uid)
    const told = all.data.map(({ kind, what }) => `${kind} ${what}`)
    expect(told).toContain('payment succeeded')
    expect(told).toContain('change purchased')
    expect(told.indexOf('expired expired')).toBeGreaterThan(told.indexOf('change purchased'))
    expect(told.indexOf('change granted')).toBeGreaterThan(told.indexOf('expired expired'))
    expect(told.indexOf('change user created')).toBeGreaterThan(told.indexOf('change granted'))
    expect(told.filter((one) => one.startsWith('mail'))).toEqual([
      'mail receipt kept',
      'mail grant kept',
    ])
    expect(told.filter((one) => one.startsWith('download'))).toEqual(['download complete'])
    const times = all.data.map((one) => one.at)
    expect(times).toEqual([...times].sort((a, b) => b - a))
    const second = await timeline(uid, '?page=1&pagesize=3')
    expect(second.total).toBe(all.total)
    expect(second.data).toEqual(all.data.slice(3, 6))
  })

  it('have a renewal on the timeline once: as a payment and what became of it', async () => {
    await app.buy({ rid: 'news', terms: MONTHLY, userRef: 'rita' })
    await app.advance(32 * DAY)
    const { data } = (await at.request<PeoplePage>('GET', '/people?q=rita')).body
    const told = (await timeline(data[0]?.uid ?? '')).data.map(
      ({ kind, what }) => `${kind} ${what}`,
    )
    expect(told.filter((one) => one.includes('renew'))).toEqual(['change renewed'])
    expect(told.filter((one) => one === 'payment succeeded')).toHaveLength(2)
  })

  it('are changed as the command line changes them, by whom it was', async () => {
    const { uid } = await grant('ann', { first_name: 'Ann' })
    await grant('bob')
    const patch = (body: object) => at.request<PersonDetails>('PATCH', `/people/${uid}`, body)
    const changed = await patch({ email: 'Ann@New.example', first_name: '', last_name: 'Ex' })
    expect(changed.body.person).toMatchObject({
      ...{ email: 'Ann@New.example', first_name: '', last_name: 'Ex' },
    })
    const taken = await patch({ email: 'bob@example.com', last_name: 'Lost' })
    expect(taken).toMatchObject({ status: 402, body: { error: { code: 'email_taken' } } })
    expect((await patch({ email: 'nobody' })).status).toBe(400)
    expect((await show(uid)).person.last_name).toBe('Ex')
    await at.request('POST', `/people/${uid}/refs`, { ref: 'four' })
    expect((await show(uid)).person.refs).toEqual(['four'])
    const by = `staff:${staff.member.id}`
    const own = (await timeline(uid)).data.filter(({ actor }) => actor === by)
    expect(own.map(({ what }) => what)).toEqual([
      ...['reference added', 'old address notified', 'e-mail changed', 'user renamed'],
    ])
    const addressMails = async () =>
      (await show(uid)).mails.filter(({ kind }) => kind === 'address_changed')
    expect((await addressMails()).map(({ to, status }) => `${to} ${status}`).sort()).toEqual([
      ...['Ann@New.example kept', 'ann@example.com kept'],
    ])
    await patch({ email: 'third@example.com', notify: false })
    expect(await addressMails()).toHaveLength(2)
  })

  it('are merged, exported and erased', async () => {
    const ann = await grant('ann', { user_ref: 'a1' })
    const other = await grant('ann.old', { user_ref: 'a2', rid: 'maps' })
    const merge = await at.request('POST', `/people/${other.uid}/merge`, { into: ann.uid })
    expect(merge.body).toEqual({
      ...{ from: other.uid, into: ann.uid, references: 1, moved: 1, joined: 0 },
    })
    const aliases = ['a2', other.uid].sort()
    const former_addresses = ['ann.old@example.com']
    expect((await show(ann.uid)).person).toMatchObject({ refs: ['a1'], aliases, former_addresses })
    expect((await show(other.uid)).person).toMatchObject({ email: '', merged_into: ann.uid })

    const file = await at.request<{ user: object; access: object[] }>(
      'GET',
      `/people/${ann.uid}/export`,
    )
    expect(file.body).toMatchObject({
      user: { email: 'ann@example.com' },
      ...{ references: ['a1'], aliases, former_addresses },
    })
    expect(file.body.access).toHaveLength(2)

    const erased = await at.request('POST', `/people/${ann.uid}/erase`)
    expect(erased.body).toEqual({ uid: ann.uid, revoked: 2, references: 3, mails: 2 })
    const left = await at.request<PersonDetails>('GET', `/people/${ann.uid}`)
    expect(left.text).not.toContain('example.com')
    expect(left.body.person).toMatchObject({ email: '', refs: [], erased: now })
    expect((await at.request<PeoplePage>('GET', '/people')).body.total).toBe(0)
  })

  it('are found with all else by one box', async () => {
    await app.buy({ rid: 'news', userRef: 'ann', vouchedEmail: 'ann@example.com' })
    await app.work()
    const [record] = (await app.client.searchAccess({})).data
    const find = async (q: string) => {
      const { body } = await at.request<{ data: Hit[] }>('GET', `/find?q=${encodeURIComponent(q)}`)
      return body.data.map(({ kind, id }) => [kind, id])
    }
    expect(await find('ann@')).toEqual([['person', record?.uid]])
    expect(await find(' RESOURCE n')).toEqual([['resource', 'news']])
    expect(await find(record?.id as string)).toEqual([['access', record?.id]])
    const payment = (await show(record?.uid as string)).payments[0]
    expect(await find(payment?.id as string)).toEqual([['payment', payment?.id]])
    expect(await find(payment?.provider_ref as string)).toEqual([['payment', payment?.id]])
    expect((await at.request('GET', '/find?q=')).status).toBe(400)
  })

  it('add up to an overview, whose numbers lead to their lists', async () => {
    const { uid } = await grant('ann', { user_ref: 'ann', expiration: now + 3 * DAY })
    await grant('bob', { user_ref: 'bob' })
    await app.buy({ rid: 'maps', userRef: 'ann' })
    const monthly = { recurring: 1, period: '1 week' } as const
    await app.buy({ rid: 'news', terms: { ...monthly, trial_days: 2 }, userRef: 'cy' })
    await app.buy({ rid: 'maps', terms: { ...monthly, trial_days: 2 }, userRef: 'dan' })
    const { data } = (await at.request<Page<{ id: string }>>('GET', '/subscriptions?q=dan')).body
    await at.request('POST', `/subscriptions/${data[0]?.id}/cancel`)
    await app.work()
    const payment = (await show(uid)).payments[0]?.id
    await at.request('POST', `/payments/${payment}/refund`, { amount: 99, reference: 'late' })
    await app.advance(DAY)
    await app.client.revokeAccess({ rid: 'news', user_ref: 'bob' })
    const { body } = await at.request<Overview>('GET', '/overview')
    expect(body).toMatchObject({
      live: { count: 4, list: { page: 'access', query: {} } },
      ending: { count: 2, list: { page: 'access', query: { state: 'ending' } } },
      renewing: { count: 1, list: { page: 'access', query: { state: 'renewing' } } },
      failed_mails: { count: 0, list: { page: 'mail', query: { status: 'dead' } } },
      past_due: { count: 0 },
      disputed: { count: 0 },
      mismatched: { count: 0 },
    })
    expect(body.activity.map(({ kind, resource }) => `${kind} ${resource}`).sort()).toEqual([
      'paid Resource maps',
      'refunded Resource maps',
      'trial_started Resource maps',
      'trial_started Resource news',
    ])
    const figures = (await at.request<Figures>('GET', '/figures?range=7d')).body
    expect(figures).toMatchObject({
      time_zone: 'UTC',
      currency: 'EUR',
      currencies: ['EUR'],
      unit: 'day',
      revenue: { net: 400, previous_net: 0, sales: 1, taken: { amount: 499 } },
      resources: [{ rid: 'maps', sales: 1, net: { amount: 400 } }],
      subscribers: { end: { count: 0, monthly: 0 }, left: { count: 0 } },
      trials: { running: { count: 2 }, started: { count: 2 }, converted: { count: 0 } },
    })
    expect(figures.buckets.map(({ net }) => net)).toEqual([0, 0, 0, 0, 0, 400, 0])
    const { live, ending, renewing } = body
    const sums = [figures.revenue.taken, figures.revenue.refunded, figures.resources[0]?.net as Sum]
    const numbers = [
      ...[live, ending, renewing],
      ...Object.values(figures.subscribers),
      ...Object.values(figures.trials),
      ...sums.map(({ list }) => ({ count: 1, list })),
      { count: 0, list: figures.revenue.lost.list },
    ]
    for (const { count, list } of numbers) {
      const query = new URLSearchParams(list.query)
      expect(await at.request('GET', `/${list.page}?${query}`)).toMatchObject({
        body: { total: count },
      })
    }
    for (const wrong of [
      'range=8d',
      'first=2026-02-30&last=2026-03-01',
      'first=2026-01-01',
      'currency=x',
    ]) {
      expect((await at.request('GET', `/figures?${wrong}`)).status).toBe(400)
    }
    const backwards = await at.request('GET', '/figures?first=2026-03-02&last=2026-03-01')
    expect(backwards.body).toMatchObject({ error: { parameter: 'last' } })
  })
})
