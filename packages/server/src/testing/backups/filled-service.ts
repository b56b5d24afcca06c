import sharp from 'sharp'
import { expect, vi } from 'vitest'
import { rotateLinkKeys } from '../../domain/apps/link-keys.ts'
import { recordDeliveries } from '../../domain/downloads/deliveries.ts'
import { replaceFile } from '../../domain/downloads/downloads.ts'
import { countUse } from '../../domain/downloads/uses.ts'
import { stampPositions } from '../../domain/events/stamp.ts'
import { setImage } from '../../domain/images/attach.ts'
import { storeImage } from '../../domain/images/images.ts'
import { makeDigests } from '../../domain/notifications/digest.ts'
import { setOpens } from '../../domain/passes/opens.ts'
import { eraseUser } from '../../domain/people/erase.ts'
import { mergeUsers } from '../../domain/people/merge.ts'
import { createPrice } from '../../domain/resources/prices.ts'
import { enqueueStaffMails } from '../../domain/staff/mails.ts'
import { addNote } from '../../domain/users/notes.ts'
import { createAuthenticator } from '../browser/authenticator.ts'
import { addDownload, testActor, toDeliveryRows, uploadBytes } from '../downloads/downloads.ts'
import { sendSigned } from '../http/requests.ts'
import { openShop } from '../payments/shop.ts'
import type { TestApplication, TestService } from '../service.ts'
import { callApi, newOwner } from '../staff.ts'
import { addWebhookRows } from '../webhooks/rows.ts'

/** Adds data to every table. */
export async function fillService(service: TestService): Promise<TestApplication[]> {
  const apps = [await service.newApplication(), await service.newApplication('sandbox')]
  for (const app of apps) {
    for (const rid of ['news', 'maps']) await app.addResource(rid, { url: 'https://example.com/' })
    const grant = app.client.grantAccess.bind(app.client)
    await grant({
      rid: 'news',
      email: 'a@example.com',
      user_ref: 'a',
      tags: 'x,y',
      message: '\u2028\n',
    })
    await grant({ rid: 'maps', email: 'a@example.com', user_ref: 'a', expiration: 0 })
    await grant({ rid: 'news', email: 'zoë@example.com', user_ref: 'z "🙂"', first_name: 'Zoë' })
    await app.client.revokeAccess({ rid: 'news', user_ref: 'z "🙂"' })
    const { uid } = await grant({ rid: 'news', email: 'gone@example.com' })
    const { database, clock } = app.environment
    const clocks = { now: clock(), realTime: 0 }
    await database.write((trx) => eraseUser(trx, { aid: app.aid, uid, actor: 'test' }, clocks))
    const ann = await app.client.getAccess({ rid: 'news', user_ref: 'a' })
    const about = { aid: app.aid, uid: ann.uid, actor: 'test' }
    const twin = await grant({ rid: 'maps', email: 'Twin@example.com', expiration: 0 })
    const merge = { aid: app.aid, from: twin.uid, into: ann.uid, actor: 'test' }
    await database.write((trx) => mergeUsers(trx, merge, clock()))
    await database.write((trx) => addNote(trx, about, 'Zoë’s\n"note" 🙂', clock()))
    const opens = { rids: ['film"7"'], prefixes: ['zoë/🙂'], all: true }
    await database.write((trx) =>
      setOpens(trx, { aid: app.aid, rid: 'maps' }, opens, clock(), 'test'),
    )
    await app.environment.trialKey()
    await database.write((trx) =>
      rotateLinkKeys(trx, service.ctx.masterKey, 86_400_000, service.clock.now),
    )
    await database.write((trx) => addWebhookRows(trx, service.ctx.masterKey, app.aid))
    await addFiles(app)
  }
  await sell(service)
  await addStaff(service, apps[0] as TestApplication)
  for (const app of apps) {
    await sendSigned(app, 'GET', '/r2/access', { rid: 'news' })
    await app.environment.calls.flush()
    await app.client.getAccess({ rid: 'maps', user_ref: 'a' }).catch(() => {})
    await app.environment.refusals.flush()
    app.environment.apiUsage.count('GET')
    await app.environment.apiUsage.flush()
    await stampPositions(app.environment.database, app.aid)
  }
  return apps
}

/** Adds an owner with a passkey, a saved view, a pair of applications, an open invitation and a failed sign-in. */
async function addStaff(service: TestService, app: TestApplication): Promise<void> {
  const owner = await newOwner(service)
  const options = (await owner.call('POST', '/passkeys/options')).json
  const response = createAuthenticator(service.url).register(options)
  await owner.call('POST', '/passkeys', { name: 'Zoë’s key 🙂', response })
  await owner.call('POST', '/passkeys/options')
  const [env, aid] = [app.environment.name, app.aid]
  const view = { list: 'access', name: 'Zoë’s 🙂', search: { state: 'ending', sort: 'ends' } }
  await owner.call('POST', `/${env}/${aid}/views`, view)
  await owner.call('PUT', `/${env}/${aid}/pair`, {})
  await owner.call('POST', '/team/invite', { email: 'late@example.com', role: 'reader' })
  await owner.call('PATCH', `/${env}/${aid}/notifications`, { kind: 'sale', on: true })
  await owner.call('POST', '/tokens', { name: 'CMS', role: 'support', aid, ends_at: null })
  await makeDigests(service.ctx, app.environment)
  const mail = { key: 'sale:1', kind: 'sale' as const, staff_id: owner.id, aid }
  await service.ctx.control.write((trx) => enqueueStaffMails(trx, [mail], service.clock.now))
  const wrong = { email: 'owner@example.com', password: 'wrong' }
  await callApi(service.url, 'POST', '/sign-in', { body: wrong })
  // Its entry is written after the answer.
  const refused = service.ctx.control.read
    .selectFrom('audit')
    .select('seq')
    .where('outcome', '=', 'sign_in_failed')
  await vi.waitFor(async () => expect(await refused.execute()).toHaveLength(1), 10_000)
}

/** Adds a logo, and a file that was replaced once and fetched through a link with a use limit. */
async function addFiles(app: TestApplication): Promise<void> {
  const { environment, aid } = app
  const { database, clock } = environment
  const { id } = await addDownload(app, 'maps', Buffer.from('old'), { title: 'Zoë’s "maps" 🙂' })
  await replaceBytes(app, 'maps', 'the file of maps')
  const link = { id: 'link', aid, downloadId: id, expires: clock() + 60 }
  await database.write((trx) => countUse(trx, link, 2, clock()))
  const { uid } = await app.client.getAccess({ rid: 'news', user_ref: 'a' })
  const done = { at: clock(), bytes: 2 ** 40, outcome: 'partial' } as const
  const delivery = { aid, rid: 'maps', download_id: id, link: link.id, uid, ...done }
  await database.write((trx) => recordDeliveries(trx, toDeliveryRows([delivery]), clock()))
  const logo = { create: { width: 120, height: 80, channels: 3, background: 'red' } } as const
  await storeImage(environment, aid, await sharp(logo).png().toBuffer(), (image) =>
    database.write((trx) =>
      setImage(trx, { kind: 'application', aid }, image, testActor(environment)),
    ),
  )
}

export async function replaceBytes(
  app: TestApplication,
  rid: string,
  bytes: string,
): Promise<void> {
  const { environment, aid } = app
  const named = { fileName: 'Zoë.txt', type: 'text/plain' }
  await uploadBytes(app, Buffer.from(bytes), (file) =>
    environment.database.write((trx) =>
      replaceFile(trx, { aid, rid }, file, named, testActor(environment)),
    ),
  )
}
/** Sells in the sandbox only: production has no payment provider. */
async function sell(service: TestService): Promise<void> {
  const shop = await openShop(service)
  await shop.addResource('pass')
  const { database, clock } = shop.environment
  const terms = {
    amount: 499,
    currency: 'EUR',
    recurring: 1,
    period: '1 month',
    trial_days: 0,
  } as const
  const price = { aid: shop.aid, rid: 'pass', ...terms }
  await database.write((trx) => createPrice(trx, price, clock(), 'test'))
  await shop.buy({ rid: 'pass', userRef: 'buyer', terms })
  await shop.client.revokeAccess({ rid: 'pass', user_ref: 'buyer', refund: true })
  await shop.buy({ rid: 'pass', userRef: 'buyer', terms })
  await shop.buy({ rid: 'pass', userRef: 'new-buyer', terms: { ...terms, trial_days: 14 } })
}
