import { beforeAll, describe, expect, it } from 'vitest'
import { listLiveKeys } from '../../../domain/apps/keys.ts'
import { listHistory } from '../../../domain/history/history.ts'
import { listMailsOfUser } from '../../../domain/mail/user-mails.ts'
import { databases } from '../../../testing/databases.ts'
import { addDownload } from '../../../testing/downloads/downloads.ts'
import { send } from '../../../testing/http/requests.ts'
import { getPage } from '../../../testing/payments/page-client.ts'
import { MONTHLY, openShop, type Shop } from '../../../testing/payments/shop.ts'
import type { TestApplication } from '../../../testing/service.ts'
import { DAY } from '../../../testing/time.ts'
import { useService, useShop, useSignedIn } from '../../../testing/use-service.ts'
import { keyRoutes } from '../developers/keys.ts'
import { filesRoutes } from '../downloads/routes.ts'
import { mailRoutes } from '../mail/routes.ts'
import type { Page } from '../schemas.ts'
import { moneyRoutes } from './routes.ts'
import type {
  NewManageLink,
  PaymentDetails,
  PaymentItem,
  RefundItem,
  SubscriptionDetails,
  SubscriptionItem,
} from './schemas.ts'

describe.each(databases)('money at the dashboard on $name', (database) => {
  const service = useService(database)
  const shop = useShop(service)
  const owner = useSignedIn(service, 'owner')
  const support = useSignedIn(service, 'support')
  beforeAll(() => shop.addResource('news', { name: 'The news' }))

  const at = (app: TestApplication = shop) => support.of(app)
  const list = async <T>(path: string) => (await at().request<Page<T>>('GET', path)).body

  async function subscribe(userRef: string): Promise<SubscriptionItem> {
    const vouchedEmail = `${userRef}@example.com`
    await shop.buy({ rid: 'news', terms: MONTHLY, userRef, vouchedEmail })
    const { data } = await list<SubscriptionItem>(`/subscriptions?q=${userRef}`)
    return data[0] as SubscriptionItem
  }

  async function pay(userRef: string): Promise<PaymentItem> {
    await shop.buy({ rid: 'news', userRef, vouchedEmail: `${userRef}@example.com` })
    const { data } = await list<PaymentItem>(`/payments?q=${userRef}`)
    return data[0] as PaymentItem
  }

  it('finds subscriptions by state, resource and the beginning of who has them', async () => {
    const sub = await subscribe('Finn')
    expect(sub).toMatchObject({
      ...{ resource: 'The news', email: 'Finn@example.com', user_ref: 'Finn', status: 'active' },
      ...{ price: { amount: 499, currency: 'EUR' }, period: '1 month', has_card: true },
    })
    const totals = (path: string) => list(`/subscriptions?${path}`).then(({ total }) => total)
    expect(await totals('q=fin&status=active&rid=news')).toBe(1)
    expect(await totals(`q=${sub.id}`)).toBe(1)
    expect(await totals('q=fin&status=ended')).toBe(0)
    expect(await totals('q=inn')).toBe(0)
    expect(sub).toMatchObject({ name: 'Rita Reader' })
    expect(await totals('q=rita&rid=news')).toBeGreaterThan(0)
    expect(await totals(`q=Reader&uid=${sub.uid}`)).toBe(1)
    expect(await totals(`q=Rita%20Rea&uid=${sub.uid}`)).toBe(1)
    expect(await totals(`q=Rita%20Else&uid=${sub.uid}`)).toBe(0)
    expect(await totals('q=fin&rid=other')).toBe(0)
  })

  it('cancels and resumes in the name of the member, until the subscription has ended', async () => {
    const { id, access_id } = await subscribe('carla')
    const change = (how: string) =>
      at().request<SubscriptionItem>('POST', `/subscriptions/${id}/${how}`)
    expect((await change('cancel')).body).toMatchObject({ id, status: 'canceled' })
    expect((await change('resume')).body).toMatchObject({ status: 'active', canceled: null })
    await change('cancel')
    await shop.advance(32 * DAY)
    const { body } = await at().request<SubscriptionDetails>('GET', `/subscriptions/${id}`)
    expect(body).toMatchObject({ status: 'ended', payments: [{ status: 'succeeded' }] })
    for (const how of ['cancel', 'resume']) {
      expect(await change(how)).toMatchObject({
        ...{ status: 402, body: { error: { code: 'subscription_ended' } } },
      })
    }
    const history = await listHistory(shop.environment.database.read, shop.aid, {
      accessId: access_id,
    })
    const actors = history.filter(({ action }) => /canceled|resumed/.test(action))
    expect(actors.map(({ actor }) => actor)).toEqual(Array(3).fill(`staff:${support.member.id}`))
  })

  it('makes a link to the reader’s own page of a subscription, for a day, and writes down who', async () => {
    const { id, uid } = await subscribe('mira')
    const path = `/subscriptions/${id}/manage-link`
    const { body } = await at().request<NewManageLink>('POST', path)
    expect(body.expires).toBe(shop.environment.clock() + DAY)
    expect((await getPage(body.url)).text).toContain('The news')
    await shop.advance(DAY + 1)
    expect((await getPage(body.url)).status).toBe(410)
    expect(await at().request('POST', '/subscriptions/none/manage-link')).toMatchObject({
      status: 404,
    })
    const { read } = service.ctx.control
    const entries = await read.selectFrom('audit').selectAll().where('aid', '=', shop.aid).execute()
    const [entry] = entries.filter(({ action }) => action === 'subscription.manage-link')
    expect(entry).toMatchObject({ staff_id: support.member.id, outcome: 'done' })
    expect(JSON.parse(entry?.details ?? '')).toEqual({ uid, rid: 'news' })
    expect(JSON.stringify(entry)).not.toContain(body.url.split('/').at(-1))
  })

  it('shows what is left of a payment, pays parts of it back, and never more', async () => {
    const { id } = await pay('rita')
    const show = async () => (await at().request<PaymentDetails>('GET', `/payments/${id}`)).body
    const refund = (body: object) =>
      at().request<RefundItem>('POST', `/payments/${id}/refund`, body)
    expect(await show()).toMatchObject({ status: 'succeeded', refundable: { amount: 499 } })
    expect(await refund({ amount: 100 })).toMatchObject({ status: 400 })
    expect((await refund({ amount: 100, reference: 'one' })).body).toMatchObject({
      ...{ money: { amount: 100, currency: 'EUR' }, status: 'succeeded' },
      actor: `staff:${support.member.id}`,
    })
    await refund({ amount: 100, reference: 'one' })
    expect(await show()).toMatchObject({
      ...{ status: 'partially_refunded', refundable: { amount: 399 }, refunded: { amount: 100 } },
      refunds: [{ reference: 'one' }],
    })
    expect(await refund({ amount: 400 })).toMatchObject({ status: 402 })
    expect((await refund({})).body).toMatchObject({ money: { amount: 399 } })
    expect(await show()).toMatchObject({ status: 'refunded', refundable: { amount: 0 } })
  })

  it('hands out what a list shows as a file for people, and records who took it with which filter', async () => {
    await shop.environment.database.write(async (trx) => {
      const zone = { time_zone: 'Pacific/Auckland' }
      await trx.updateTable('applications').set(zone).where('aid', '=', shop.aid).execute()
    })
    const { id, created } = await pay('=Xenia')
    await at().request('POST', `/payments/${id}/refund`, { amount: 99, reference: 'x' })
    await subscribe('Xaver')
    const file = async (path: string) => {
      const url = `/dashboard/api/${shop.environment.name}/${shop.aid}${path}`
      const { status, text } = await send(service.url, url, { headers: support.headers })
      expect(status).toBe(200)
      return text.trimEnd().split('\r\n')
    }
    const day = new Date((created + 13 * 3600) * 1000).toISOString().slice(0, 10)
    const [head, ...lines] = await file(
      '/payments/export.csv?q=%3DXenia&rid=news&delimiter=semicolon',
    )
    expect(head).toBe(
      '\ufeffDate;Email;First name;Last name;Resource;Amount;Refunded;Currency;State;Period from;Period to;Paid through;Reference;Payment ID;Lost in disputes',
    )
    expect(lines).toEqual([
      expect.stringMatching(
        new RegExp(
          `^${day} ..:..;'=Xenia@example.com;Rita;Reader;The news;4,99;0,99;EUR;Partly refunded;;`,
        ),
      ),
    ])
    expect(await file('/payments/export.csv?q=nobody')).toHaveLength(1)
    expect((await file('/subscriptions/export.csv?q=Xaver'))[1]).toMatch(
      /^Xaver@example\.com,Rita,Reader,The news,Active,4\.99,EUR,1 month,\d{4}-\d\d-\d\d,/,
    )
    expect((await file('/people/export.csv?q=Xaver'))[1]).toMatch(
      /^Xaver@example\.com,Rita,Reader,\d{4}-\d\d-\d\d,1$/,
    )
    const { body: log } = await owner.request<Page<{ details: object }>>(
      ...(['GET', '/audit?action=payment.export'] as const),
    )
    expect(log.data).toMatchObject([
      { outcome: 'done', details: { q: '(given)', rows: 0 } },
      { outcome: 'done', details: { form: 'people', q: '(given)', rid: 'news', rows: 1 } },
    ])
  })

  it('tells one end of the access of an unpaid subscription, and that it is not the day of the retry', async () => {
    const card = 'declined_later'
    await shop.buy({
      rid: 'news',
      terms: MONTHLY,
      userRef: 'Ulla',
      email: 'ulla@example.com',
      card,
    })
    const [{ id }] = (await list<SubscriptionItem>('/subscriptions?q=Ulla')).data as [
      SubscriptionItem,
    ]
    await shop.advance(31 * DAY)
    const { body } = await at().request<SubscriptionDetails>('GET', `/subscriptions/${id}`)
    const ends = body.current_period_end + 7 * DAY
    expect(body).toMatchObject({ status: 'past_due', next_step: 'renew', access_ends: ends })
    expect(body.next_due).toBeLessThan(ends)
    const { access_id } = body
    expect((await at().request('GET', `/access/${access_id}`)).body).toMatchObject({
      ...{ expires: ends, renews: null, state: 'ending' },
    })
    const mails = await listMailsOfUser(shop.environment.database.read, shop.aid, body.uid)
    const failed = mails.filter(({ kind }) => kind === 'payment_failed')
    const told = failed.map(({ payload }) => JSON.parse(payload) as { ends: number; retry: number })
    expect(told.map((one) => one.ends)).toEqual(failed.map(() => ends))
    expect(told.map((one) => one.retry)).toContain(body.next_due)
  })

  it('finds payments by state, flag, time, id and the beginning of who paid', async () => {
    const { id, uid, created, name } = await pay('Paula')
    expect(name).toBe('Rita Reader')
    const setFlag = (flag: 'late' | null) =>
      shop.environment.database.write((trx) =>
        trx.updateTable('payments').set({ flag }).where('id', '=', id).execute(),
      )
    await setFlag('late')
    const found = async (query: string) =>
      (await list<PaymentItem>(`/payments?${query}`)).data.map((one) => one.id)
    for (const query of ['flag=any', 'flag=late&status=succeeded', 'q=PAU', `q=${id}`]) {
      expect(await found(query)).toEqual([id])
    }
    for (const name of ['Rita', 'rita', 'Reader', 'Rita%20Reader']) {
      expect(await found(`q=${name}&uid=${uid}`), name).toEqual([id])
    }
    expect(await found(`q=Anna&uid=${uid}`)).toEqual([])
    expect(await found(`q=pau&from=${created}&to=${created + 1}`)).toEqual([id])
    for (const query of ['flag=mismatch', 'q=pau&status=failed', `q=pau&to=${created}`]) {
      expect(await found(query)).toEqual([])
    }
    expect((await at().request('GET', '/payments?flag=odd')).status).toBe(400)
    await setFlag(null)
  })

  it('tells what belongs to another application from what is not there by nothing', async () => {
    const other = await openShop(service)
    const ids = await idsOf(other)
    const routes = [...moneyRoutes, ...filesRoutes, ...mailRoutes, ...keyRoutes]
    const named = routes.filter(({ path }) => /:(id|rid)\b/.test(path))
    expect(named.length).toBeGreaterThan(12)
    for (const { method, path, body, action } of named) {
      const ask = async (id: string) => {
        const target = path.replace('/:environment/:aid', '').replace(/:(id|rid)\b/, id)
        const ctx = owner.of(shop)
        if (action === 'download.upload' || action === 'download.replace') {
          return await ctx.upload(method as 'POST', `${target}?name=a.txt`, 'bytes')
        }
        return await ctx.request(method, target, body && (BODIES[action as string] ?? {}))
      }
      const foreign = ids[path.split('/')[3] as keyof typeof ids]
      const [known, unknown] = [await ask(foreign), await ask('0000000000000000')]
      expect([path, known.status], known.text).toEqual([path, 404])
      const plain = ({ text }: { text: string }) => text.replace(/"request_id":"[^"]*"/, '')
      expect(plain(known)).toBe(plain(unknown))
    }
    for (const path of ['subscriptions', 'payments', 'mails', 'downloads', 'deliveries']) {
      const { body } = await owner.of(shop).request<Page<{ id: string }>>('GET', `/${path}`)
      expect(body.data.map(({ id }) => id)).not.toContain(ids[path as keyof typeof ids])
    }
    await service.requireInvariants()
  })

  const BODIES: Record<string, object> = {
    'download.link': { lifetime: 60 },
    'download.order': { ids: [] },
  }

  /** Returns one id of each kind from another application. */
  async function idsOf(other: Shop) {
    const { database, realTime } = other.environment
    await other.addResource('theirs')
    await other.buy({ rid: 'theirs', terms: MONTHLY, userRef: 'x', vouchedEmail: 'x@example.com' })
    const ctx = owner.of(other)
    const first = async (path: string) =>
      (await ctx.request<Page<{ id: string }>>('GET', path)).body.data[0]?.id as string
    return {
      subscriptions: await first('/subscriptions'),
      payments: await first('/payments'),
      mails: await first('/mails'),
      downloads: (await addDownload(other, 'theirs')).id,
      keys: (await listLiveKeys(database.read, other.aid, realTime()))[0]?.id as string,
      resources: 'theirs',
      deliveries: 'none',
    }
  }
})
