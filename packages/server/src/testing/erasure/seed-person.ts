import { expect, vi } from 'vitest'
import { listEvents } from '../../domain/events/list.ts'
import type { Cli } from '../cli.ts'
import { addDownload } from '../downloads/downloads.ts'
import { MONTHLY } from '../payments/money-rows.ts'
import { getPage, redirectTarget, submitForm } from '../payments/page-client.ts'
import { goToPayment, type PageShop, payOnPage } from '../payments/page-shop.ts'
import type { TestService } from '../service.ts'
import { callApi, type TestMember } from '../staff.ts'
import { addSecretRow, newAttemptRow, newDeliveryRow, newEndpointRow } from '../webhooks/rows.ts'
import { CANARY, EMAIL, REF } from './canary.ts'

/** Where the person is entered. */
interface Seeding {
  service: TestService
  shop: PageShop
  owner: TestMember
  cli: Cli
}

type Ask = (method: string, path: string, body?: unknown) => Promise<{ status: number }>

/** Enters a person with the canary by every entry point; returns the uid. */
export async function seedPerson(seeding: Seeding): Promise<string> {
  const { service, shop, owner, cli } = seeding
  const ask = (method: string, path: string, body?: unknown) =>
    owner.call(method, `/sandbox/${shop.aid}${path}`, body)
  await shop.changeSettings({ return_urls: '["https://magazine.example"]' })
  for (const rid of ['news', 'maps', 'pass', 'article']) await shop.addResource(rid)
  const uid = await seedByApi(shop)
  await seedByCommands(shop, cli, uid)
  await seedByDashboard({ service, shop, ask }, uid)
  await seedByCheckouts(shop)
  await seedByWebhook(service, shop, uid)
  return uid
}

async function seedByApi(shop: PageShop): Promise<string> {
  const { environment } = shop
  const grant = {
    ...{ rid: 'news', email: `${CANARY}.old@example.com`, user_ref: REF },
    ...{ first_name: `${CANARY} first`, last_name: `${CANARY} last` },
  }
  const message = `${CANARY} message. `.repeat(400)
  const { uid } = await shop.client.grantAccess({
    ...grant,
    message,
    tags: `${CANARY} old tag,gift`,
  })
  await shop.client.grantAccess({ ...grant, tags: `${CANARY} tag,gift` })
  await shop.client.grantAccess({ ...grant, rid: 'maps', tags: `${CANARY} revoked` })
  await shop.client.revokeAccess({ rid: 'maps', user_ref: REF })
  await shop.client.grantAccess({
    ...{ rid: 'news', email: 'other@example.com', user_ref: 'other', tags: 'gift' },
  })
  // Refused calls, some of which are recorded.
  for (const rid of [`${CANARY}-rid`, 'maps']) {
    await shop.client.getAccess({ rid, user_ref: REF }).catch(() => {})
  }
  await environment.refusals.flush()
  await shop.client.grantAccess({ rid: 'news', email: `${CANARY} is no address` }).catch(() => {})
  await addDownload(shop, 'news')
  const { url } = await shop.client.getDownloadUrl({
    ...{ rid: 'news', lifetime: 60, user_ref: REF, filename: `${CANARY}.bin` },
  })
  const file = await fetch(url)
  expect(file.status).toBe(200)
  await file.arrayBuffer()
  // The delivery is recorded after the last byte is sent.
  await vi.waitFor(async () => {
    const noted = await environment.database.read.selectFrom('deliveries').select('id').execute()
    expect(noted).toHaveLength(1)
  }, 60_000)
  return uid
}

async function seedByCheckouts(shop: PageShop): Promise<void> {
  const link = (more: object) => shop.link({ rid: 'pass', name: 'Pass', ...MONTHLY, ...more })
  const names = { first_name: `${CANARY} first`, last_name: `${CANARY} last` }
  const return_url = `https://magazine.example/${CANARY}`
  const typed = { ...names, email: `${CANARY}.typed@example.com` }
  await getPage(
    await payOnPage(await goToPayment(await link({ user_ref: REF, return_url }), typed)),
  )
  const { url } = await shop.client.getManageLink({ rid: 'pass', user_ref: REF })
  redirectTarget(await submitForm(url, { action: 'card' }), url)
  const once = { rid: 'article', name: 'Article', amount: '2.00', currency: 'EUR' }
  const bought = await shop.link({ ...once, user_ref: REF })
  await getPage(await payOnPage(await goToPayment(bought, typed)))
  const { data } = await shop.client.searchPayments({ rid: 'article' })
  const payment = data[0]?.id as string
  await shop.client.refundPayment({
    payment,
    amount: 0.5,
    reference: `${CANARY} refund`,
  } as never)
  // Unpaid checkouts: one by a link and one by a typed address. One open checkout is then set to expired.
  await goToPayment(await link({ rid: 'maps', email: EMAIL }), names)
  await goToPayment(await shop.link({ ...once, name: 'Again' }), {
    ...names,
    email: EMAIL.toUpperCase(),
  })
  await shop.environment.database.write(async (trx) => {
    const unpaid = trx.selectFrom('checkouts').select('id').where('status', '=', 'open').limit(1)
    await trx
      .updateTable('checkouts')
      .set({ status: 'expired', due: null })
      .where('id', 'in', unpaid)
      .execute()
  })
}

/** An event about the person was delivered, and the receiver answered with personal text. */
async function seedByWebhook(service: TestService, shop: PageShop, uid: string): Promise<void> {
  const { aid, environment } = shop
  const events = await listEvents(environment.database, aid, { after: 0, limit: 1_000 })
  const event = events.find((one) => one.uid === uid)
  if (!event) throw new Error('nothing happened to the person')
  const { position, sequence, type } = event
  const key = { aid, endpoint: 'hook', event_id: event.id }
  await environment.database.write(async (trx) => {
    const endpoint = newEndpointRow({ aid, id: 'hook', position })
    await trx.insertInto('webhook_endpoints').values(endpoint).execute()
    const secret = { aid, endpoint: 'hook', id: 's1', text: 'whsec_c2VjcmV0' }
    await addSecretRow(trx, service.ctx.masterKey, secret)
    const delivery = newDeliveryRow({ ...key, uid, position, sequence, type })
    await trx.insertInto('webhook_deliveries').values(delivery).execute()
    const attempt = newAttemptRow({ ...key, response: CANARY })
    await trx.insertInto('webhook_attempts').values(attempt).execute()
  })
}

async function seedByCommands(shop: PageShop, cli: Cli, uid: string): Promise<void> {
  const aid = ['--aid', shop.aid]
  const second = await shop.client.grantAccess({
    ...{ rid: 'maps', email: `${CANARY}.second@example.com`, tags: `${CANARY} second` },
  })
  await cli.json('user', 'add-ref', ...aid, REF, `${CANARY}-added`)
  await cli.json('user', 'merge', ...aid, second.uid, uid)
}

async function seedByDashboard(
  { service, shop, ask }: Pick<Seeding, 'service' | 'shop'> & { ask: Ask },
  uid: string,
): Promise<void> {
  await ask('PATCH', `/people/${uid}`, { email: EMAIL, first_name: `${CANARY} firstname` })
  await ask('POST', `/people/${uid}/refs`, { ref: `${CANARY}-staff` })
  await ask('POST', `/people/${uid}/notes`, { text: `${CANARY} note` })
  await ask('POST', '/access/grant', {
    ...{ rid: 'news', email: EMAIL, tags: `${CANARY} by staff`, message: `${CANARY} by staff` },
  })
  // Staff search for the person, and type personal data where an id belongs.
  for (const path of ['/find', '/people', '/access', '/mails', '/payments']) {
    await ask('GET', `${path}?q=${encodeURIComponent(EMAIL)}`)
  }
  await ask('GET', `/access/export.csv?q=${CANARY}`)
  for (const typed of [EMAIL, REF, `${CANARY}.old@example.com`]) {
    await ask('GET', `/people/${typed}/export`)
    await ask('POST', `/people/${typed}/erase`)
    await ask('POST', `/payments/${typed}/refund`, {})
    await ask('POST', `/access/${typed}/revoke`, {})
  }
  await ask('POST', `/people/${uid}/merge`, { into: EMAIL })
  await ask('PATCH', `/resources/${REF}`, { name: 'x' })
  await ask('POST', '/console', {
    ...{ method: 'GET', path: '/r2/access', parameters: { rid: 'news', user_ref: REF } },
  })
  await callApi(service.url, 'POST', '/sign-in', { body: { email: EMAIL, password: CANARY } })
  const view = { list: 'access', name: 'Hers', search: { email: EMAIL } }
  expect((await ask('POST', '/views', view)).status).toBe(200)
  // Older versions recorded typed values in the audit log.
  await service.ctx.control.write(async (trx) => {
    const row = { at: 1, staff_id: null, email: 'x', environment: 'sandbox', aid: shop.aid }
    const params = JSON.stringify({ uid: EMAIL.toUpperCase() })
    const about = { uid, into: `${CANARY}.older@example.com`, ref: REF }
    const former = JSON.stringify({ uid: `${CANARY}.second@example.com` })
    await trx
      .insertInto('audit')
      .values([
        { ...row, action: 'x', params, details: JSON.stringify(about), outcome: 'done' },
        { ...row, action: 'x', params: former, details: '{}', outcome: 'done' },
      ])
      .execute()
  })
}
