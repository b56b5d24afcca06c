import { describe, expect, it } from 'vitest'
import { listHistory } from '../../../domain/history/history.ts'
import { databases } from '../../../testing/databases.ts'
import { visibleText } from '../../../testing/payments/page-client.ts'
import { MONTHLY, openShop } from '../../../testing/payments/shop.ts'
import { DAY } from '../../../testing/time.ts'
import { useApplication, useService, useSignedIn } from '../../../testing/use-service.ts'
import type { Page } from '../schemas.ts'
import type { AuditEntry } from '../staff/schemas.ts'
import type {
  ApplicationItem,
  ClockView,
  MailPreview,
  MovedClock,
  NewApplication,
  PagePreview,
  SettingsView,
} from './schemas.ts'

describe.each(databases)('settings, applications and the clock on $name', (database) => {
  const service = useService(database)
  const app = useApplication(service)
  const owner = useSignedIn(service, 'owner')

  const change = (body: object) => owner.of(app).request<SettingsView>('PATCH', '/settings', body)
  const problem = async (body: object) => {
    const response = await owner
      .of(app)
      .request<{ error: { message: string } }>('PATCH', '/settings', body)
    return [response.status, response.body.error.message]
  }

  it('changes what is given, keeps the rest, and takes an empty text for the default', async () => {
    const settings = {
      ...{ name: 'New name', currency: 'eur', mail_from: 'News <news@example.com>' },
      ...{ seller_name: 'Seller', seller_address: 'Street 1\n12345 Town', tax_line: 'VAT 1' },
      return_urls: ['https://example.com/shop', 'https://example.com/shop'],
      ...{ grace_days: 3, mail_template: 'Subject: Hello\n\nHello {{first_name}}' },
    }
    const changed = { ...settings, currency: 'EUR', return_urls: ['https://example.com/shop'] }
    expect((await change(settings)).body).toMatchObject(changed)
    const emptied = { mail_from: '', mail_template: '', seller_address: '', return_urls: [] }
    expect((await change(emptied)).body).toMatchObject({ ...changed, ...emptied })
    const shown = await owner.of(app).request<SettingsView>('GET', '/settings')
    expect(shown.body).toMatchObject({ ...changed, ...emptied })
    expect(shown.body.defaults.mail_template).toContain('{{link}}')
    const history = await listHistory(app.environment.database.read, app.aid)
    expect(history.at(-1)).toMatchObject({
      ...{ action: 'settings changed', actor: `staff:${owner.member.id}` },
    })
  })

  it('changes the brand and the templates part by part', async () => {
    const receipt = 'Subject: Danke\n\n{{facts}}'
    const terms = 'https://example.com/terms'
    await change({ accent: '#C2185B', legal_links: { terms }, mail_templates: { receipt } })
    const more = { legal_links: { privacy: terms }, mail_templates: { canceled: receipt } }
    const { body } = await change({ ...more, time_zone: 'Europe/Berlin' })
    expect(body).toMatchObject({
      ...{ accent: '#c2185b', time_zone: 'Europe/Berlin', logo: null },
      legal_links: { terms, privacy: terms },
      mail_templates: { receipt, canceled: receipt },
    })
    const emptied = await change({
      ...{ accent: '', time_zone: '', support_email: '' },
      ...{ legal_links: { terms: '', privacy: '' }, mail_templates: { receipt: '', canceled: '' } },
    })
    expect(emptied.body).toMatchObject({ accent: '', time_zone: 'UTC', support_email: '' })
    expect([emptied.body.legal_links, emptied.body.mail_templates]).toEqual([{}, {}])
    const failed = [
      [{ accent: 'red;}' }, 'accent'],
      [{ support_email: 'carol@nowhere' }, 'support_email'],
      [{ time_zone: 'Berlin' }, 'time_zone'],
      [{ legal_links: { terms: 'http://example.com' } }, 'legal_links.terms'],
      [{ mail_templates: { receipt: 'Hello' } }, 'mail_templates.receipt'],
      [{ mail_templates: { receipt: 'Subject: x\n\n{{retry}}' } }, 'mail_templates.receipt'],
    ] as const
    for (const [wrong, parameter] of failed) {
      const { status, body } = await change(wrong)
      const { error } = body as unknown as { error: { parameter: string } }
      expect([status, error.parameter]).toEqual([400, parameter])
    }
    expect((await change({ mail_templates: { unknown: receipt } })).status).toBe(400)
  })

  it('previews each kind of mail with the facts that it must have', async () => {
    const preview = (kind: string, template: string) =>
      owner
        .of(app)
        .request<MailPreview>('POST', '/settings/mail-preview', { kind, template })
        .then(({ body }) => body)
    for (const kind of ['receipt', 'trial_started', 'payment_failed', 'canceled']) {
      const shown = await preview(kind, 'Subject: x\n\nOwn words')
      expect(shown).toMatchObject({ ok: true, subject: 'x' })
      expect(shown.ok && shown.text).toMatch(/Own words[\s\S]*Issue 7[\s\S]*for-the-reader-alone/)
    }
    expect(await preview('refunded', 'Subject: x\n\n{{retry}}')).toMatchObject({ ok: false })
  })

  it('previews the pages of readers with the code that renders them, in another color too', async () => {
    const preview = async (query: string) =>
      (await owner.of(app).request<PagePreview>('GET', `/settings/page-preview?${query}`)).body.html
    const checkout = await preview('page=checkout&accent=%23aa0044')
    expect(checkout).toContain('--button: #aa0044')
    expect(visibleText(checkout)).toMatch(/Issue 7[\s\S]*Choose an option[\s\S]*Sold by/)
    const account = await preview('page=account')
    expect(account).not.toContain('#aa0044')
    expect(visibleText(account)).toMatch(/Your subscription[\s\S]*Update card[\s\S]*Sold by/)
    const bad = await owner
      .of(app)
      .request('GET', '/settings/page-preview?page=checkout&accent=red')
    expect(bad.status).toBe(400)
  })

  it('names in the audit log only what was changed, and records no change where there is none', async () => {
    const audited = async () => {
      const { body } = await owner.request<Page<AuditEntry>>('GET', `/audit?aid=${app.aid}`)
      return body.data[0]
    }
    const { body } = await owner.of(app).request<SettingsView>('GET', '/settings')
    const { name, currency, grace_days, return_urls, tax_line } = body
    const same = { name, currency, grace_days, return_urls, tax_line, mail_from: '' }
    await change({ ...same, tax_line: 'VAT 2', grace_days: grace_days + 1 })
    expect(await audited()).toMatchObject({
      ...{ action: 'settings.change', details: { changed: 'tax_line grace_days' } },
    })
    const history = async () => (await listHistory(app.environment.database.read, app.aid)).length
    const before = await history()
    await change({ ...same, tax_line: 'VAT 2', grace_days: grace_days + 1 })
    expect(await audited()).toMatchObject({ details: { changed: '' }, outcome: 'done' })
    expect(await history()).toBe(before)
  })

  it('says of a bad setting what is wrong with it, and changes nothing', async () => {
    const before = (await owner.of(app).request('GET', '/settings')).text
    const bad: [field: string, value: unknown][] = [
      ['name', ''],
      ['name', 'a\nb'],
      ['currency', 'XXXX'],
      ['mail_from', 'a@b.example\r\nBcc: c@d.example'],
      ['mail_template', 'Subject: {{nobody}}\n\nHello'],
      ['seller_address', Array(11).fill('line').join('\n')],
      ['tax_line', 'x'.repeat(256)],
      ['return_urls', ['javascript:alert(1)']],
      ['return_urls', ['http://example.com']],
      ['grace_days', 61],
    ]
    for (const [field, value] of bad) {
      const [status, message] = await problem({ tax_line: 'changed', [field]: value })
      expect([status, message]).toEqual([400, expect.stringMatching(new RegExp(`^${field}: `))])
    }
    expect((await owner.of(app).request('GET', '/settings')).text).toBe(before)
  })

  it('previews a template with made-up data, or says by line what is wrong with it', async () => {
    const preview = async (template: string) =>
      (await owner.of(app).request<MailPreview>('POST', '/settings/mail-preview', { template }))
        .body
    const good = await preview(
      'Subject: For {{first_name}}\n\n<i>{{resource}}</i> ends on {{ends}}',
    )
    expect(good).toMatchObject({ ok: true, subject: 'For Ann' })
    expect(good.ok && good.html).toContain('&lt;i&gt;Issue 7&lt;/i&gt;')
    expect(await preview('Subject: x\n\n{{one}}\nand\n{{first_name}} {{two}}')).toMatchObject({
      ok: false,
      problems: [
        { line: 3, problem: expect.stringContaining('{{one}}') },
        { line: 5, problem: expect.stringContaining('{{two}}') },
      ],
    })
    expect(await preview('Hello')).toMatchObject({ ok: false, problems: [{ line: 1 }] })
  })

  it('makes an application that can call the API at once, and archives it for good', async () => {
    const at = '/applications/sandbox'
    const input = { name: 'Second', currency: 'chf' }
    const made = await owner.request<NewApplication>('POST', at, input)
    expect(made.body).toMatchObject({ name: 'Second', environment: 'sandbox' })
    const { aid, private_key: privateKey } = made.body
    const client = await service.newApplication('sandbox')
    const own = { ...client, aid, privateKey }
    const status = async () => {
      const input = { method: 'GET', path: '/r2/clock' }
      return (await owner.of(own).request<{ status: number }>('POST', '/console', input)).body
        .status
    }
    expect(await status()).toBe(200)
    const list = async (path = at) =>
      (await owner.request<{ data: ApplicationItem[] }>('GET', path)).body.data
    expect(await list()).toContainEqual(expect.objectContaining({ aid, currency: 'CHF' }))
    expect((await list('/applications/production')).map((one) => one.aid)).not.toContain(aid)
    expect((await owner.request('POST', `/applications/production/${aid}/archive`)).status).toBe(
      404,
    )
    expect((await owner.request('POST', `${at}/${aid}/archive`)).status).toBe(200)
    expect(
      (await owner.request('POST', `/sandbox/${aid}/console`, { method: 'GET', path: '/r2/clock' }))
        .status,
    ).toBe(404)
    expect((await owner.request('GET', '/applications/nowhere')).status).toBe(404)
    expect((await owner.request('POST', at, { name: '' })).status).toBe(400)
  })

  it('moves the clock of the sandbox forward, and tells what has happened on the way', async () => {
    const shop = await openShop(service)
    await shop.addResource('news')
    await shop.buy({ rid: 'news', terms: MONTHLY, userRef: 'ann', vouchedEmail: 'ann@example.com' })
    const clock = async () => (await owner.request<ClockView>('GET', '/sandbox/clock')).body
    const { time } = await clock()
    const moved = await owner.request<MovedClock>('POST', '/sandbox/clock', { by: 32 * DAY })
    expect(moved.body).toMatchObject({ from: time, to: time + 32 * DAY, renewed: 1 })
    await owner.request('POST', '/sandbox/clock', { to: time + 33 * DAY })
    expect(await clock()).toMatchObject({ time: time + 33 * DAY, real_time: service.clock.seconds })
    for (const [input, status] of [
      [{ to: time }, 402],
      [{}, 400],
      [{ by: 1, to: time + 40 * DAY }, 400],
      [{ to: time + 20 * 366 * DAY }, 400],
    ] as const) {
      expect((await owner.request('POST', '/sandbox/clock', input)).status).toBe(status)
    }
  })
})
