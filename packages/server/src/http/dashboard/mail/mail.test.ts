import { beforeAll, describe, expect, it } from 'vitest'
import { updateRows } from '../../../db/queries/rows.ts'
import { claimMails, recordSendOutcomes, type SendOutcome } from '../../../domain/mail/claims.ts'
import { eraseUser } from '../../../domain/people/erase.ts'
import { signInAs, type TestStaff } from '../../../testing/dashboard-api.ts'
import { databases } from '../../../testing/databases.ts'
import { MONTHLY, openShop } from '../../../testing/payments/shop.ts'
import { DAY } from '../../../testing/time.ts'
import { useApplication, useService } from '../../../testing/use-service.ts'
import type { PersonDetails } from '../people/schemas.ts'
import type { Page } from '../schemas.ts'
import type { MailDetails, MailItem } from './schemas.ts'

describe.each(databases)('the mail log at the dashboard on $name', (database) => {
  const service = useService(database, {
    env: { GATEHOUSE_SMTP_URL: 'smtp://127.0.0.1:1' },
  })
  const app = useApplication(service)
  let support: TestStaff
  beforeAll(async () => {
    await app.addResource('news', { name: 'The <b>news</b>' })
    support = await signInAs(service, 'support')
  })

  const list = async (query: string) =>
    (await support.of(app).request<Page<MailItem>>('GET', `/mails?${query}`)).body.data
  const show = async (id: string) =>
    (await support.of(app).request<MailDetails>('GET', `/mails/${id}`)).body
  const again = (id: string) => support.of(app).request<MailItem>('POST', `/mails/${id}/send-again`)

  /** Creates a mail that is still waiting, or has this outcome. */
  async function mailTo(name: string, outcome?: SendOutcome): Promise<MailItem> {
    const { database: db } = app.environment
    await app.client.grantAccess({ rid: 'news', user_ref: name, email: `${name}@example.com` })
    const lease = { token: 'test', until: service.clock.now + 60_000 }
    if (outcome) {
      const claimed = await claimMails(db, lease, 100, service.clock.now)
      await db.write(async (trx) => {
        for (const mail of claimed)
          await recordSendOutcomes(trx, [{ mail, lease, outcome }], service.clock.now)
      })
    }
    return (await list(`q=${name}`))[0] as MailItem
  }

  it('dates a mail in the sandbox by its clock, also after the clock has moved on', async () => {
    const shop = await openShop(service)
    await shop.addResource('news')
    const at = support.of(shop)
    const grant = (email: string) => shop.client.grantAccess({ rid: 'news', email })
    const found = async (query = '') =>
      (await at.request<Page<MailItem>>('GET', `/mails?${query}`)).body.data
    const clock = () => shop.environment.clock() * 1000
    const offset = () => shop.environment.clockOffset() * 1000
    await shop.advance(10 * DAY)
    const then = clock()
    const { uid } = await grant('early@example.com')
    await shop.advance(20 * DAY)
    await grant('late@example.com')
    const { aid, environment } = shop
    await environment.database.write((trx) =>
      trx.updateTable('outbox').set({ status: 'queued' }).where('aid', '=', aid).execute(),
    )
    const [early] = await found('q=early')
    const [late] = await found('q=late')
    const second = (time = 0) => Math.floor(time / 1000) * 1000
    expect([second(early?.created_at), second(late?.created_at)]).toEqual([then, clock()])
    // The next attempt is still to come.
    expect(early?.due_at).toBe(service.clock.now + offset())
    const day = DAY * 1000
    expect(await found(`from=${then}&to=${then + day}`)).toMatchObject([{ id: early?.id }])
    expect(await found(`from=${then + day}`)).toMatchObject([{ id: late?.id }])
    expect(await found(`to=${then}`)).toEqual([])
    const person = (await at.request<PersonDetails>('GET', `/people/${uid}`)).body
    expect(person.mails).toMatchObject([{ created_at: early?.created_at }])
  })

  it('shows a mail as its reader gets it, and keeps what it says from being HTML', async () => {
    const { id, status } = await mailTo('ann')
    expect(status).toBe('waiting')
    const { content, problem } = await show(id)
    expect(problem).toBeNull()
    expect(content?.headers).toContainEqual({ name: 'To', value: 'ann@example.com' })
    expect(content?.text).toContain('The <b>news</b>')
    expect(content?.html).toContain('The &lt;b&gt;news&lt;/b&gt;')
  })

  it('sends a mail that was sent once more as another one, and leaves the first as it is', async () => {
    const first = await mailTo('bert', { status: 'sent', sent: service.clock.now })
    const { status, body } = await again(first.id)
    expect([status, body]).toMatchObject([200, { status: 'waiting', to: 'bert@example.com' }])
    expect(body.id).not.toBe(first.id)
    expect(await show(first.id)).toMatchObject({ status: 'sent', sent_at: service.clock.now })
    expect((await show(body.id)).content?.text).toBe((await show(first.id)).content?.text)
    await service.requireInvariants()
  })

  it('lists what was given up, and sends one or all of it again', async () => {
    const outcome: SendOutcome = { status: 'dead', error: 'refused' }
    const dead = await mailTo('carl', outcome)
    const other = await mailTo('cora', outcome)
    expect(await list('status=dead&q=car')).toMatchObject([{ id: dead.id, last_error: 'refused' }])
    expect((await again(dead.id)).body).toMatchObject({ id: dead.id, status: 'waiting' })
    expect(await list('status=dead&q=car')).toEqual([])
    const left = (await list('status=dead')).length
    const all = await support.of(app).request('POST', '/mails/send-again-dead')
    expect(all.body).toEqual({ queued: left })
    expect((await show(other.id)).status).toBe('waiting')
  })

  it('resends to the address that the person has now, but not a notice about the change', async () => {
    const sent = await mailTo('hana', { status: 'sent', sent: service.clock.now })
    const dead = await mailTo('ivan', { status: 'dead', error: 'no such mailbox' })
    const at = support.of(app)
    for (const { uid } of [sent, dead])
      await at.request('PATCH', `/people/${uid}`, { email: `${uid}@example.org`, notify: true })
    for (const { id, uid } of [sent, dead]) {
      expect(await show(id)).toMatchObject({ resend_to: `${uid}@example.org` })
      expect((await again(id)).body).toMatchObject({ status: 'waiting', to: `${uid}@example.org` })
    }
    expect(await show(sent.id)).toMatchObject({ to: 'hana@example.com' })
    const person = (await at.request<PersonDetails>('GET', `/people/${sent.uid}`)).body
    const notice = person.mails.find(
      ({ to, kind }) => to === 'hana@example.com' && kind !== 'grant',
    )
    expect(notice).toMatchObject({ kind: 'address_changed', resend_to: 'hana@example.com' })
  })

  it('resends all that failed to the address that each person has now', async () => {
    const outcome: SendOutcome = { status: 'dead', error: 'no such mailbox' }
    const [moved, stayed] = [await mailTo('jill', outcome), await mailTo('kurt', outcome)]
    const at = support.of(app)
    const email = 'jill@example.org'
    await at.request('PATCH', `/people/${moved.uid}`, { email, notify: true })
    const { aid, environment } = app
    await environment.database.write((trx) =>
      trx
        .updateTable('outbox')
        .set({ status: 'dead' })
        .where((eb) => eb.and({ aid, uid: moved.uid, kind: 'address_changed' }))
        .execute(),
    )
    await at.request('POST', '/mails/send-again-dead')
    expect(await show(moved.id)).toMatchObject({ status: 'waiting', to: email })
    expect(await show(stayed.id)).toMatchObject({ status: 'waiting', to: 'kurt@example.com' })
    const person = (await at.request<PersonDetails>('GET', `/people/${moved.uid}`)).body
    const notices = person.mails.filter(({ kind }) => kind === 'address_changed')
    expect(notices.map(({ to }) => to).sort()).toEqual(['jill@example.com', email])
    expect(notices.map(({ status }) => status)).toEqual(['queued', 'queued'])
  })

  it('resends what failed to the contact address of a reader who has no other', async () => {
    const { id, uid } = await mailTo('lena', { status: 'dead', error: 'no such mailbox' })
    const known = { email: null, email_key: null, contact_email: 'lena@example.org' }
    const { database } = app.environment
    await database.write((trx) => updateRows(trx, 'users', { aid: app.aid, uid }, known))
    const { resend_to } = await show(id)
    expect(resend_to).toBe('lena@example.org')
    await support.of(app).request('POST', '/mails/send-again-dead')
    expect(await show(id)).toMatchObject({ status: 'waiting', to: resend_to })
  })

  it('sends nothing to a person who was erased', async () => {
    const { id, uid } = await mailTo('dora', { status: 'sent', sent: service.clock.now })
    const { database: db, clock, realTime } = app.environment
    const who = { aid: app.aid, uid, actor: 'test' }
    await db.write((trx) => eraseUser(trx, who, { now: clock(), realTime: realTime() }))
    expect((await again(id)).status).toBe(404)
    expect(await show(id)).toMatchObject({ to: '', content: null, problem: expect.any(String) })
  })

  it('shows nobody the link with which a reader ends a subscription, and sends nothing without a server', async () => {
    const shop = await openShop(service)
    await shop.addResource('news')
    await shop.buy({ rid: 'news', terms: MONTHLY, userRef: 'eva', vouchedEmail: 'eva@example.com' })
    const ctx = support.of(shop)
    const { body } = await ctx.request<Page<MailItem>>('GET', '/mails?status=kept')
    const id = body.data[0]?.id as string
    const mail = await ctx.request<MailDetails>('GET', `/mails/${id}`)
    expect(mail.body.content?.html).toContain('/manage/for-the-reader-alone')
    expect(mail.text.match(/\/manage\/(?!for-the-reader-alone)/)).toBeNull()
    for (const path of [`/mails/${id}/send-again`, '/mails/send-again-dead']) {
      const refused = await ctx.request('POST', path)
      expect(refused).toMatchObject({ status: 402, body: { error: { code: 'mail_not_set_up' } } })
    }
  })
})
