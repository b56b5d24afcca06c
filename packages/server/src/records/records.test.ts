import { beforeAll, describe, expect, it } from 'vitest'
import { parseMajor, toMajor } from '../domain/apps/currency.ts'
import { type Cli, inProcessCli } from '../testing/cli.ts'
import { signInAs, type TestStaff } from '../testing/dashboard-api.ts'
import { databases } from '../testing/databases.ts'
import { addDownload } from '../testing/downloads/downloads.ts'
import { sendSigned } from '../testing/http/requests.ts'
import { MONTHLY, openShop, type Shop } from '../testing/payments/shop.ts'
import { useService } from '../testing/use-service.ts'

type Json = Record<string, unknown>

/** The fields that only one side has, or that are another form of the same; everything else must be equal. */
interface Known {
  /** Fields of the first record that the second has under another name. */
  renamed?: Record<string, string>
  /** Fields of the first record that the second leaves out. */
  without?: string[]
}

/** Compares two forms of one record. Money in minor units equals the same money in major units, null equals absent. */
function expectSame(one: Json, other: Json, { renamed = {}, without = [] }: Known = {}): void {
  const names = Object.keys(one).filter((name) => !without.includes(name))
  const pick = (record: Json, nameOf: (name: string) => string) =>
    Object.fromEntries(names.map((name) => [name, plain(record[nameOf(name)])]))
  expect(pick(other, (name) => renamed[name] ?? name)).toEqual(pick(one, (name) => name))
}

const isMoney = (value: unknown): value is { amount: number; currency: string } =>
  typeof value === 'object' && value !== null && 'currency' in value && 'amount' in value

function plain(value: unknown): unknown {
  if (isMoney(value) && Object.keys(value).length === 2) {
    return toMajor(value.amount, value.currency)
  }
  return value ?? undefined
}

describe.each(databases)('a record on $name', (database) => {
  const service = useService(database, { useRealTime: true })
  let shop: Shop
  let staff: TestStaff
  let cli: Cli
  beforeAll(async () => {
    cli = inProcessCli(service.installation.env)
    staff = await signInAs(service, 'owner')
    shop = await openShop(service)
    for (const rid of ['pass', 'article']) await shop.addResource(rid)
    await shop.buy({ rid: 'pass', userRef: 'ann', terms: MONTHLY, card: 'good' })
    const [payment] = (await shop.client.searchPayments({ user_ref: 'ann' })).data
    const refund = { payment: payment?.id ?? '', amount: '1', reference: 'r1' }
    await sendSigned(shop, 'POST', '/r2/payment/refund', refund)
  })

  const onDashboard = async (path: string) =>
    (await staff.of(shop).request<Json>('GET', path)).body as Json
  const inApi = async (path: string, query: Record<string, string>) =>
    JSON.parse((await sendSigned(shop, 'GET', path, query)).text) as Json
  const onLine = (...args: string[]) => cli.json<Json>(...args, '--aid', shop.aid)
  const first = (page: unknown) => (page as { data: Json[] }).data[0] as Json
  const ANN = ['--rid', 'pass', '--user-ref', 'ann']

  it('of an access is the same in the API, on the command line and in the dashboard', async () => {
    const api = await inApi('/r2/access', { rid: 'pass', user_ref: 'ann' })
    const shown = await onLine('access', 'show', ...ANN)
    expectSame(api, shown)
    const item = await onDashboard(`/access/${api.id}`)
    expectSame(api, item, {
      renamed: { user_email: 'email', amount: 'paid' },
      // Staff see the typed address on the page of the person.
      without: ['aid', 'currency', 'contact_email'],
    })
    expect([api.user_email, api.contact_email]).toEqual(['', 'ann@example.com'])
    const [source] = shown.sources as [Json]
    const [held] = item.sources as [Json]
    expectSame(source, held, { without: ['payment_id', 'subscription_id'] })
    expect((held.subscription as Json).id).toBe(source.subscription_id)
    const exported = await onLine('user', 'export', 'ann')
    const [kept] = exported.access as [Json & { sources: [Json] }]
    expectSame(api, kept, { without: ['user_email', 'contact_email', 'amount', 'currency'] })
    expectSame(kept.sources[0], source)
  })

  it('of a subscription is the same everywhere', async () => {
    const api = first(await inApi('/r2/subscription/search', { user_ref: 'ann' }))
    const shown = await onLine('subscription', 'show', ...ANN)
    expectSame(api, shown)
    const item = await onDashboard(`/subscriptions/${api.id}`)
    const without = ['aid', 'currency', 'cancel_at_period_end', 'user_email']
    expectSame(api, item, { renamed: { amount: 'price' }, without })
    // The API has verified addresses only. Staff also see the one that the reader typed at the checkout.
    expect([api.user_email, item.email]).toEqual(['', 'ann@example.com'])
    for (const name of ['next_due', 'next_step', 'provider', 'has_card']) {
      expect(item[name]).toEqual(shown[name])
    }
  })

  it('of a payment and of its refund is the same everywhere', async () => {
    const api = first(await inApi('/r2/payment/search', { user_ref: 'ann' }))
    const shown = await cli.json<Json>('payment', 'show', api.id as string)
    expectSame(api, shown)
    const item = await onDashboard(`/payments/${api.id}`)
    const without = ['aid', 'currency', 'refunds']
    expectSame(api, item, { renamed: { amount: 'money' }, without })
    const [refund] = api.refunds as Json[]
    const [made] = item.refunds as Json[]
    expectSame(refund as Json, made as Json, {
      renamed: { amount: 'money' },
      without: ['currency'],
    })
    const exported = await onLine('user', 'export', 'ann')
    const [kept] = exported.refunds as Json[]
    const currency = kept?.currency as string
    expect(kept).toMatchObject({ id: made?.id, reference: made?.reference, created: made?.created })
    expect(kept?.amount).toBe(parseMajor(String(refund?.amount), currency))
  })

  it('of a price, a download and an email is the same on the command line and in the dashboard', async () => {
    const price = await onLine(
      'price',
      'create',
      '--rid',
      'article',
      '--amount',
      '2.50',
      '--for',
      '1 week',
    )
    await addDownload(shop, 'article')
    const { all_prices: prices } = await onDashboard('/resources/article')
    const of = ['aid', 'rid', 'currency', 'environment', 'checkout']
    expectSame(price, (prices as Json[])[0] as Json, { without: of })
    const download = await onLine('download', 'show', '--rid', 'article')
    const file = await onDashboard(`/downloads/${download.id}`)
    expectSame(download, file, { without: ['aid', 'environment', 'linked_image'] })
    const api = await inApi('/r2/download', { rid: 'article' })
    const dates = {
      modified_date: 'modified',
      created_date: 'created',
      published_date: 'published',
    }
    expectSame(api, file, { renamed: dates, without: ['price'] })
    expect(api.price).toBe(`2.50 ${price.currency}`)
    const [mail] = (await onLine('mail', 'list')) as unknown as Json[]
    const sent = ((await onDashboard('/mails')).data as Json[]).find(({ id }) => id === mail?.id)
    // The dashboard has fewer states, and its times are in milliseconds.
    const without = ['aid', 'environment', 'status', 'created', 'due', 'sent']
    expectSame(mail as Json, sent as Json, { without })
    expect(mail?.created).toBe(Math.floor((sent?.created_at as number) / 1000))
  })
})
