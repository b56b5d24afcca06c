import { beforeEach, describe, expect, it } from 'vitest'
import type { OutgoingMail } from '../../domain/mail/mailer.ts'
import { createLogger } from '../../logging/logger.ts'
import { inProcessCli } from '../../testing/cli.ts'
import { databases } from '../../testing/databases.ts'
import { addDownload } from '../../testing/downloads/downloads.ts'
import { useFreshFixture } from '../../testing/fixtures.ts'
import {
  getPage,
  redirectTarget,
  submitForm,
  visibleText,
} from '../../testing/payments/page-client.ts'
import {
  GOOD_CARD,
  goToPayment,
  openPageShop,
  payOnPage,
} from '../../testing/payments/page-shop.ts'
import { closeShop } from '../../testing/payments/shop.ts'
import { useService, useSignedIn } from '../../testing/use-service.ts'
import { createMailSender } from '../../worker/mail/mail-worker.ts'
import type { PersonDetails, Timeline } from '../dashboard/people/schemas.ts'

const STRANGER = 'gina@typo.example'
const HERS = 'gina@mail.example'
const ENDED = 'This link no longer works'

describe.each(databases)('the links of a reader on $name', (database) => {
  const service = useService(database, {
    env: { GATEHOUSE_SANDBOX_SMTP_URL: 'smtp://127.0.0.1:9' },
  })
  const staff = useSignedIn(service, 'support')
  const shop = useFreshFixture(() => openPageShop(service), closeShop)
  const cli = () => inProcessCli({ ...service.installation.env, GATEHOUSE_BASE_URL: service.url })
  let price: string
  let received: OutgoingMail[]
  /** Called before the mail server accepts a mail. */
  let beforeAccepted: () => Promise<unknown>

  beforeEach(async () => {
    received = []
    beforeAccepted = async () => {}
    await shop.addResource('album', { name: 'The long winter' })
    await addDownload(shop, 'album')
    price = await shop.addPrice('album', { recurring: 1, period: '1 month' })
    await shop.changeSettings({ support_email: 'help@seller.example' })
  })

  /** Sends what is due, to a mail server that keeps it. */
  async function sendMails(): Promise<void> {
    const mailer = {
      async send(mail: OutgoingMail) {
        const { to } = mail
        if (to !== STRANGER && to !== HERS) return
        received.push(mail)
        await beforeAccepted()
      },
      capacity: () => 20,
      retire: async () => {},
      close: async () => {},
    }
    const sender = createMailSender({
      ...{ env: shop.environment, perSecond: 10_000, connections: 1 },
      log: createLogger('silent'),
      findServer: () => ({ mailer, mailFrom: 'shop@seller.example' }),
      abandonSignal: new AbortController().signal,
    })
    while ((await sender.claim()) === 'claimed') await sender.finish()
  }

  const mailsTo = (address: string) => received.filter(({ to }) => to === address)

  /** The links in the last mail to an address. */
  function linksTo(address: string) {
    const text = mailsTo(address).at(-1)?.text ?? ''
    const find = (path: string) =>
      new RegExp(`https?://\\S+/${path}/[\\w./-]+`).exec(text)?.[0] ?? ''
    const file = find('files')
    return { manage: find('manage'), file, files: file.slice(0, file.lastIndexOf('/')) }
  }

  async function uidOf(email: string): Promise<string> {
    const { body } = await at().request<{ data: { uid: string }[] }>('GET', `/people?q=${email}`)
    return body.data[0]?.uid as string
  }
  const at = () => staff.of(shop)

  /** Buys with a mistyped address; returns the buyer's page. */
  async function buy(email = STRANGER): Promise<string> {
    const done = await payOnPage(await goToPayment(shop.pageOf('album'), { email, price }))
    expect((await getPage(done)).text).toContain('/files/')
    return done
  }

  const correct = (uid: string, more: object = { never_theirs: true }) =>
    at().request<PersonDetails>('PATCH', `/people/${uid}`, { email: HERS, notify: false, ...more })
  const endAll = (uid: string) => at().request('POST', `/people/${uid}/end-links`, {})
  const download = async (file: string) => redirectTarget(await submitForm(file), file)
  const statusOf = async (url: string) => (await getPage(url)).status

  /** Fetches all that mailed links lead to. */
  async function open({ files, file, manage }: ReturnType<typeof linksTo>): Promise<number[]> {
    const { status } = await submitForm(file)
    return [await statusOf(files), await statusOf(file), status, await statusOf(manage)]
  }
  const OPEN = [200, 200, 303, 200]
  const SHUT = [410, 410, 410, 410]

  it('end when the address that they were sent to was never hers', async () => {
    const done = await buy()
    await sendMails()
    const links = linksTo(STRANGER)
    expect(await open(links)).toEqual(OPEN)
    const file = await download(links.file)
    expect(await statusOf(file)).toBe(200)
    const uid = await uidOf(STRANGER)
    expect((await correct(uid)).status).toBe(200)

    expect(await open(links)).toEqual(SHUT)
    const late = await fetch(file, { headers: { range: 'bytes=1-' } })
    expect([late.status, (await late.json()).error.code]).toEqual([410, 'link_ended'])
    for (const action of ['cancel', 'card', 'resume']) {
      expect((await submitForm(links.manage, { action })).status).toBe(410)
    }
    expect((await getPage(done)).text).not.toContain('/files/')
    const { subscriptions, access } = (await at().request<PersonDetails>('GET', `/people/${uid}`))
      .body
    expect([subscriptions[0]?.status, access[0]?.state]).toEqual(['active', 'live'])
  })

  it('say nothing about the reader once they have ended, but whom to ask', async () => {
    await buy()
    await sendMails()
    const { files, manage } = linksTo(STRANGER)
    await correct(await uidOf(STRANGER))
    for (const url of [files, manage]) {
      const { text } = await getPage(url)
      const words = visibleText(text)
      expect(words).toContain(ENDED)
      expect(words).toContain('ask the seller for a new one')
      expect(words).toContain('help@seller.example')
      for (const hidden of ['winter', HERS, STRANGER, 'Active', '4.99']) {
        expect(text).not.toContain(hidden)
      }
    }
  })

  it('go on working after a new address of hers', async () => {
    await buy()
    await sendMails()
    const links = linksTo(STRANGER)
    expect((await correct(await uidOf(STRANGER), {})).status).toBe(200)
    expect(await open(links)).toEqual(OPEN)
  })

  it('are new in an email that is sent again, also after two endings', async () => {
    await buy()
    await sendMails()
    const uid = await uidOf(STRANGER)
    await correct(uid)
    await endAll(uid)
    const { mails } = (await at().request<PersonDetails>('GET', `/people/${uid}`)).body
    const id = mails.find(({ kind }) => kind === 'receipt')?.id
    expect((await at().request('POST', `/mails/${id}/send-again`, {})).status).toBe(200)
    await sendMails()
    expect(await open(linksTo(HERS))).toEqual(OPEN)
    expect(await open(linksTo(STRANGER))).toEqual(SHUT)
  })

  it('work in an email that waited, which goes to the new address', async () => {
    await buy()
    await correct(await uidOf(STRANGER))
    await sendMails()
    expect(mailsTo(STRANGER)).toEqual([])
    expect(await open(linksTo(HERS))).toEqual(OPEN)
  })

  it('have ended in an email that was on its way to the wrong address, which is sent anew', async () => {
    await buy()
    const uid = await uidOf(STRANGER)
    beforeAccepted = async () => {
      beforeAccepted = async () => {}
      await correct(uid)
    }
    await sendMails()
    expect(received.map(({ to }) => to)).toEqual([STRANGER, HERS])
    expect(await open(linksTo(STRANGER))).toEqual(SHUT)
    expect(await open(linksTo(HERS))).toEqual(OPEN)
  })

  it('have ended in an email that was addressed before, by a change that took longer', async () => {
    await buy()
    const uid = await uidOf(STRANGER)
    await correct(uid)
    // As a process leaves it that read the address before the correction and commits after it.
    await shop.environment.database.write(async (trx) => {
      const values = { recipient: STRANGER, link_number: 0 }
      await trx.updateTable('outbox').set(values).where('aid', '=', shop.aid).execute()
    })
    await endAll(uid)
    await sendMails()
    expect(await open(linksTo(STRANGER))).toEqual(SHUT)
  })

  it('all end by one action of staff, which is recorded', async () => {
    await buy(HERS)
    await sendMails()
    const links = linksTo(HERS)
    const uid = await uidOf(HERS)
    const { url } = await shop.client.getDownloadUrl({ rid: 'album', user_ref: uid, lifetime: 60 })
    const { url: unbound } = await shop.client.getDownloadUrl({ rid: 'album', lifetime: 60 })
    expect((await endAll(uid)).status).toBe(200)
    expect(await open(links)).toEqual(SHUT)
    expect([await statusOf(url), await statusOf(unbound)]).toEqual([410, 200])
    const again = await shop.client.getDownloadUrl({ rid: 'album', user_ref: uid, lifetime: 60 })
    expect(await statusOf(again.url)).toBe(200)
    const { url: manage } = await shop.client.getManageLink({ rid: 'album', user_ref: uid })
    expect(await statusOf(manage)).toBe(200)
    const timeline = await at().request<Timeline>('GET', `/people/${uid}/timeline`)
    const ending = timeline.body.data.find(({ what }) => what === 'links ended')
    expect(ending?.actor).toBe(`staff:${staff.member.id}`)
  })

  it('end by the commands too, and those of others do not', async () => {
    await buy(HERS)
    await sendMails()
    const hers = linksTo(HERS)
    await buy()
    await sendMails()
    const others = linksTo(STRANGER)
    const options = ['--aid', shop.aid]
    const ended = await cli().run('user', 'end-links', HERS, ...options)
    expect(ended).toMatchObject({ code: 0, stdout: expect.stringContaining('have ended') })
    expect([await open(hers), await open(others)]).toEqual([SHUT, OPEN])
    const email = 'gina@right.example'
    const set = ['user', 'set-email', STRANGER, email, '--never-theirs', ...options]
    expect(await cli().json(...set)).toMatchObject({ email, links_ended: expect.any(Number) })
    expect(await open(others)).toEqual(SHUT)
  })

  it('do not come back by a merge, whichever way round', async () => {
    await buy()
    await sendMails()
    const ended = linksTo(STRANGER)
    const uid = await uidOf(STRANGER)
    await correct(uid)
    const merge = async (from: string, into: string) =>
      (await at().request('POST', `/people/${from}/merge`, { into })).status
    const other = await shop.client.grantAccess({ rid: 'album', email: 'g@other.example' })
    const rid = 'booklet'
    await shop.addResource(rid)
    const one = await shop.client.grantAccess({ rid, email: 'one@other.example' })
    const two = await shop.client.grantAccess({ rid, email: 'two@other.example' })
    expect(await merge(one.uid, two.uid)).toBe(200)
    expect(await merge(two.uid, uid)).toBe(200)
    expect(await open(ended)).toEqual(SHUT)
    expect(await merge(uid, other.uid)).toBe(200)
    expect(await open(ended)).toEqual(SHUT)
  })

  it('do not lead on through the page of a new card', async () => {
    await buy()
    await sendMails()
    const { manage } = linksTo(STRANGER)
    const payment = redirectTarget(await submitForm(manage, { action: 'card' }), manage)
    const uid = await uidOf(STRANGER)
    await correct(uid)
    const methods = () =>
      shop.environment.database.read
        .selectFrom('subscriptions')
        .select('method')
        .where('aid', '=', shop.aid)
        .execute()
    const before = await methods()
    const done = await payOnPage(payment, GOOD_CARD)
    expect(visibleText((await getPage(done)).text)).toContain(ENDED)
    expect((await submitForm(done)).status).toBe(410)
    expect(await methods()).toEqual(before)
  })

  it('end only if there is an old address that is another', async () => {
    await buy(HERS)
    const uid = await uidOf(HERS)
    const path = `/people/${uid}`
    const alone = await at().request('PATCH', path, { never_theirs: true })
    expect([alone.status, alone.text]).toEqual([400, expect.stringContaining('never_theirs')])
    const same = await at().request('PATCH', path, {
      email: 'GINA@mail.example',
      never_theirs: true,
    })
    expect([same.status, same.text]).toEqual([400, expect.stringContaining('never_theirs')])
  })
})
