import { beforeEach, describe, expect, it } from 'vitest'
import { listHistory } from '../../../domain/history/history.ts'
import { databases } from '../../../testing/databases.ts'
import { useDashboardAccess } from '../../../testing/http/dashboard-access.ts'
import { MONTHLY } from '../../../testing/payments/shop.ts'
import { DAY } from '../../../testing/time.ts'
import type { MailItem } from '../mail/schemas.ts'
import type { Page } from '../schemas.ts'
import type {
  AccessItem,
  GrantPreview,
  RevokedCounts,
  RevokedManyCounts,
  RevokePreview,
} from './schemas.ts'

describe.each(databases)('access in the dashboard on $name', (database) => {
  const { staff, owner, app, at, list, grant, post } = useDashboardAccess(database)
  let now: number
  beforeEach(() => {
    now = app.environment.clock()
  })

  const names = async (query: string) => {
    const { data, total } = await list(query)
    expect(total).toBe(data.length)
    return data.map(({ email, rid }) => `${email.split('@')[0]} ${rid}`).sort()
  }

  it.each(['rid', 'user_ref', 'email', 'tag', 'uid'])(
    'is not found by an empty %s, in which a program forgot to set a variable',
    async (name) => {
      for (const query of [`${name}=`, name, `state=any&${name}=`]) {
        const { status, body } = await at.request('GET', `/access?${query}`)
        const error = { parameter: name, problem: 'must not be empty' }
        expect([status, body]).toMatchObject([400, { error }])
      }
    },
  )

  it('is found by every filter, in every state, and by the beginning of what names it', async () => {
    const named = { first_name: 'Ann', last_name: 'Example' }
    const ann = await grant('ann', { user_ref: '4711', tags: 'vip', ...named })
    await grant('bob', { expires: now + 3 * DAY })
    await grant('cy', { expires: now - DAY })
    await grant('bo', { rid: 'maps' })
    const dan = await grant('dan', { rid: 'maps', user_ref: '4712' })
    await post(`/access/${dan.id}/revoke`, {})
    expect(ann).toMatchObject({
      name: 'Ann Example',
      user_ref: '4711',
      state: 'live',
      expires: null,
    })

    expect(await names('')).toEqual(['ann news', 'bo maps', 'bob news'])
    expect(await names('?state=ending')).toEqual(['bob news'])
    expect(await names('?state=expired')).toEqual(['cy news'])
    expect(await names('?state=unrevoked&rid=news')).toEqual(['ann news', 'bob news', 'cy news'])
    expect(await names('?show_expired=true&email=CY@example.com')).toEqual(['cy news'])
    expect(await names('?state=revoked')).toEqual(['dan maps'])
    const all = ['ann news', 'bo maps', 'bob news', 'cy news', 'dan maps']
    expect(await names('?state=any')).toEqual(all)
    expect(await names('?state=any&rid=maps')).toEqual(['bo maps', 'dan maps'])
    expect(await names('?state=any&q=ma')).toEqual(['bo maps', 'dan maps'])
    expect(await names(`?state=any&from=${now}&to=${now + 1}`)).toEqual(all)
    expect(await names(`?state=any&from=${now + 1}`)).toEqual([])
    expect(await names('?tag=vip')).toEqual(['ann news'])
    expect(await names(`?uid=${ann.uid}`)).toEqual(['ann news'])
    expect(await names('?user_ref=4711&state=expired')).toEqual([])
    expect(await names(`?user_ref=${dan.uid}&state=revoked`)).toEqual(['dan maps'])
    expect(await names('?user_ref=4712&state=revoked')).toEqual(['dan maps'])

    expect(await names('?q=BO')).toEqual(['bo maps', 'bob news'])
    expect(await names('?q=bo&state=ending')).toEqual(['bob news'])
    expect(await names('?q=471')).toEqual(['ann news'])
    for (const name of ['Ann', 'ann', 'An', 'Example', 'ann%20exam', 'Ann%20Example']) {
      expect(await names(`?q=${name}`), name).toEqual(['ann news'])
    }
    expect(await names('?q=Bob%20Example')).toEqual([])
    expect(await names('?q=471&state=revoked')).toEqual(['dan maps'])
    expect(await names('?q=ma')).toEqual(['bo maps'])
    expect(await names(`?q=${ann.id}`)).toEqual(['ann news'])
    expect(await names('?q=example.com')).toEqual([])
    expect(await names(`?from=${now}&to=${now + 1}&rid=maps`)).toEqual(['bo maps'])
    expect(await names(`?from=${now + 1}`)).toEqual([])
  })

  it('comes in pages that have each record once', async () => {
    for (const name of ['a1', 'a2', 'a3', 'a4', 'a5']) await grant(name)
    const revokeTwo = async () => {
      const { data } = await list('?q=a2')
      await post(`/access/${data[0]?.id}/revoke`, {})
      await post(`/access/${(await list('?q=a4')).data[0]?.id}/revoke`, {})
    }
    for (const query of ['state=live', 'state=live&q=a', 'state=unrevoked&q=a', 'state=any']) {
      if (query === 'state=any') await revokeTwo()
      const seen: string[] = []
      for (const page of [0, 1, 2, 3]) {
        const part = await list(`?${query}&page=${page}&pagesize=2`)
        expect(part).toMatchObject({ total: 5, page, pagesize: 2 })
        seen.push(...part.data.map(({ email }) => email.slice(0, 2)))
      }
      expect(seen.sort()).toEqual(['a1', 'a2', 'a3', 'a4', 'a5'])
    }
    expect((await at.request('GET', '/access?pagesize=101')).status).toBe(400)
  })

  it('is foreseen by a dry run, which changes nothing', async () => {
    const foresee = async (more: object = {}) => {
      const input = { rid: 'news', email: 'ann@example.com', dry_run: true, ...more }
      return (await post<GrantPreview>('/access/grant', input)).body
    }
    const before = (await list()).total
    expect(await foresee()).toEqual({
      ...{ outcome: 'new', uid: null, expires_before: null, expires: null, mail: 'kept' },
    })
    expect((await list()).total).toBe(before)
    const { member } = staff
    const audited = async () =>
      (await owner.request<{ total: number }>('GET', `/audit?staff=${member.id}`)).body.total
    const known = await audited()
    await foresee()
    expect(await audited()).toBe(known)
    const { uid } = await grant('ann', { expires: now + DAY })
    expect(await audited()).toBe(known + 1)
    expect(await foresee({ expires: now + DAY })).toMatchObject({ outcome: 'unchanged', uid })
    expect(await foresee({ expires: now + DAY })).toMatchObject({ mail: 'none' })
    expect(await foresee({ expires: now + 2 * DAY })).toMatchObject({
      ...{ outcome: 'extended', expires_before: now + DAY, expires: now + 2 * DAY },
    })
    expect(await foresee({ expires: now + 1 })).toMatchObject({ outcome: 'shortened' })
    expect(await foresee({ expires: now + DAY, tags: 'x' })).toMatchObject({ outcome: 'changed' })
    const refused = await post('/access/grant', { rid: 'no', email: 'a@b.c', dry_run: true })
    expect(refused).toMatchObject({ status: 404, body: { error: { code: 'resource_not_found' } } })
  })

  it('is extended, and a record that was revoked is not', async () => {
    const { id } = await grant('ann', { expires: now + DAY, notify: false })
    const longer = await post<AccessItem>(`/access/${id}/extend`, { expires: now + 9 * DAY })
    expect(longer.body).toMatchObject({ id, expires: now + 9 * DAY, state: 'live' })
    const [last] = (await listHistory(app.environment.database.read, app.aid)).slice(-1)
    expect(last).toMatchObject({ action: 'granted', actor: `staff:${staff.member.id}` })
    await post(`/access/${id}/revoke`, {})
    expect((await post(`/access/${id}/extend`, { expires: null })).status).toBe(404)
    expect((await list()).total).toBe(0)
  })

  it('tells what a revoke would do, and does just that', async () => {
    await app.buy({ rid: 'news', userRef: 'ann', email: 'ann@example.com', terms: MONTHLY })
    await app.work()
    const [record] = (await list()).data
    const { id } = record as AccessItem
    const { body: effect } = await at.request<RevokePreview>('GET', `/access/${id}/effect`)
    expect(effect).toMatchObject({
      sources: [{ kind: 'subscription', closed: null }],
      subscriptions: [{ status: 'active', amount: { amount: 499, currency: 'EUR' } }],
      refundable: [{ amount: { amount: 499, currency: 'EUR' }, disputed: false }],
      refund_mail_to: 'ann@example.com',
    })
    const mailsOf = async () =>
      (await at.request<Page<MailItem>>('GET', '/mails')).body.data.map(
        ({ kind, to }) => `${kind} ${to}`,
      )
    const before = await mailsOf()
    const { body: done } = await post<RevokedCounts>(`/access/${id}/revoke`, { refund: true })
    expect(done).toMatchObject({
      access: { id, state: 'revoked' },
      refunds: [{ money: { amount: 499 }, status: 'succeeded' }],
    })
    // One email for each refund goes out, to the address in the preview, and no other.
    expect((await mailsOf()).sort()).toEqual([...before, 'refunded ann@example.com'].sort())
    const subscription = effect.subscriptions[0]?.id
    expect(await at.request('GET', `/subscriptions/${subscription}`)).toMatchObject({
      body: { status: 'ended' },
    })
    expect((await at.request('GET', `/access/${id}/effect`)).status).toBe(404)
    expect(await at.request('GET', `/access/${id}`)).toMatchObject({
      body: { state: 'revoked', sources: [{ kind: 'subscription', closed: now }] },
    })
    expect((await post(`/access/${id}/revoke`, {})).status).toBe(404)
  })

  it('is revoked many at once, each by itself', async () => {
    const ids: string[] = []
    for (const name of ['ann', 'bob', 'cy']) ids.push((await grant(name)).id)
    await post(`/access/${ids[1]}/revoke`, {})
    const { body } = await post<RevokedManyCounts>('/access/revoke-many', { ids: [...ids, 'none'] })
    expect(body).toEqual({
      revoked: 2,
      refunds: 0,
      refused: [ids[1], 'none'].map((id) => ({
        ...{ id, code: 'access_not_found', message: 'No such access.' },
      })),
    })
    expect((await list()).total).toBe(0)
    const many = Array.from({ length: 501 }, (_, i) => `id${i}`)
    expect((await post('/access/revoke-many', { ids: many })).status).toBe(400)
  })
})
