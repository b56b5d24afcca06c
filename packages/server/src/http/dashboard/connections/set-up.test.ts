import { describe, expect, it } from 'vitest'
import { changeSettings } from '../../../domain/apps/applications.ts'
import { putOnHold } from '../../../domain/installation/hold.ts'
import { signInAs } from '../../../testing/dashboard-api.ts'
import { databases, entryPointDatabases } from '../../../testing/databases.ts'
import {
  useFakeStripe,
  useFreshService,
  useService,
  useServiceWithPageShop,
  useSignedIn,
  useSmtp,
} from '../../../testing/use-service.ts'
import type { PaymentsChanged, SetUpView } from './schemas.ts'

interface Refusal {
  error: { code: string; parameter?: string; problem?: string }
}

describe.each(databases)('the set-up checklist on $name', (database) => {
  const smtp = useSmtp()
  const { service, shop } = useServiceWithPageShop(database)
  const owner = useSignedIn(service, 'owner')

  const done = async () => {
    const { body } = await owner.of(shop).request<SetUpView>('GET', '/set-up')
    const items = body.items.filter(({ is_done }) => is_done).map(({ item }) => item)
    return { items, has_resource: body.has_resource, is_complete: body.is_complete }
  }
  const change = (settings: Parameters<typeof changeSettings>[2]) =>
    shop.environment.database.write((trx) => changeSettings(trx, shop.aid, settings, 1, 'test'))

  it('checks each item by what is there', async () => {
    // The sandbox takes test cards from the start.
    expect(await done()).toEqual({ items: ['payments'], has_resource: false, is_complete: false })
    await shop.addResource('news')
    expect(await done()).toMatchObject({ items: ['payments'], has_resource: true })
    await shop.addPrice('news')
    await change({ seller_address: 'Street 1' })
    expect((await done()).items).toEqual(['payments', 'seller', 'price'])
    await shop.buy({ rid: 'news', userRef: 'ann', terms: { amount: 290 } })
    await signInAs(service, 'support')
    expect((await done()).items).toEqual(['payments', 'seller', 'price', 'sale', 'colleague'])
    await owner.request('PUT', '/connections/sandbox/mail', {
      ...{ host: '127.0.0.1', port: smtp.port, security: 'none', user: '', sender: 'a@b.example' },
    })
    expect(await done()).toMatchObject({
      items: ['payments', 'mail', 'seller', 'price', 'sale', 'colleague'],
      is_complete: false,
    })
  })
})

describe.each(databases)('connecting while the installation is on hold, on $name', (database) => {
  const fake = useFakeStripe()
  const smtp = useSmtp()
  const service = useFreshService(database, () => ({
    env: { GATEHOUSE_STRIPE_API: fake.url, GATEHOUSE_BASE_URL: 'https://shop.example.com' },
  }))

  it('stores what is entered, and sends nothing out', async () => {
    const owner = await signInAs(service, 'owner')
    await service.ctx.control.write((trx) => putOnHold(trx, { cause: 'restored', since: 1 }))
    const { body } = await owner.request<PaymentsChanged>('PUT', '/connections/sandbox/payments', {
      secret_key: fake.secretKey,
    })
    expect([body.payments.source, body.webhook_problem]).toEqual(['staff', 'on_hold'])
    expect(fake.ledger.endpoints.size).toBe(0)
    const server = {
      ...{ host: '127.0.0.1', port: smtp.port, security: 'none', user: '', sender: 'a@b.example' },
    }
    expect((await owner.request('PUT', '/connections/sandbox/mail', server)).status).toBe(200)
    const test = await owner.request<Refusal>('POST', '/connections/sandbox/mail/test')
    expect([test.status, test.body.error.code]).toEqual([503, 'on_hold'])
    expect(smtp.mails).toEqual([])
  })
})

describe.each(entryPointDatabases)('a mail server that refuses the login, on $name', (database) => {
  const smtp = useSmtp({ onAuth: (_auth, _session, done) => done(new Error('<ann> not with us')) })
  const service = useService(database)

  it('is told at the password, in our words', async () => {
    const owner = await signInAs(service, 'owner')
    const { status, body, text } = await owner.request<Refusal>(
      'PUT',
      '/connections/production/mail',
      {
        ...{ host: '127.0.0.1', port: smtp.port, security: 'none' },
        ...{ user: 'ann', password: 'wrong', sender: 'a@b.example' },
      },
    )
    expect([status, body.error.parameter]).toEqual([402, 'password'])
    expect(body.error.problem).toBe('the server refuses this user name or password (535)')
    expect(text).not.toContain('not with us')
  })
})
