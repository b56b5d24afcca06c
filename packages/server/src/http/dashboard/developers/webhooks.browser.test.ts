import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { findBarriers } from '../../../testing/browser/axe.ts'
import { type StaffBrowser, useDashboard } from '../../../testing/browser/dashboard-browser.ts'
import { DARK_PHONE, overflowOf, partsOf } from '../../../testing/browser/dashboard-parts.ts'
import type { TestApplication } from '../../../testing/service.ts'
import { useReceiver } from '../../../testing/use-service.ts'
import { answering } from '../../../testing/webhooks/receiver.ts'

/** A folder for screenshots, for a person who looks at the pages. */
const PICTURES = process.env.WEBHOOK_PICTURES

describe('the pages of webhooks and events with a browser', () => {
  const server = useDashboard(() => ({ GATEHOUSE_WEBHOOK_ALLOW: '127.0.0.1/32' }))
  const receiver = useReceiver()
  let app: TestApplication
  let visitor: StaffBrowser
  let phone: StaffBrowser

  beforeAll(async () => {
    app = await server.service.newApplication()
    await app.addResource('news')
    visitor = await server.staffBrowser('owner', { viewport: { width: 1440, height: 900 } })
    phone = await server.staffBrowser('developer', {
      ...DARK_PHONE,
      viewport: { width: 390, height: 844 },
    })
  })

  const { button, dialog, question, title, shown, choose } = partsOf(() => visitor.page)
  const grant = (ref: string) =>
    app.client.grantAccess({ rid: 'news', email: `${ref}@example.com`, user_ref: ref })

  /** Requires that the page has no barriers, on a phone neither, and fits it. */
  async function check(name: string): Promise<void> {
    expect(await findBarriers(visitor.page), name).toEqual([])
    await phone.page.goto(visitor.page.url())
    await phone.page.getByRole('heading', { level: 1 }).waitFor()
    await phone.page.waitForLoadState('networkidle')
    expect(await findBarriers(phone.page), `${name} on a phone`).toEqual([])
    expect(await overflowOf(phone.page), `${name} on a phone`).toBe(0)
    await picture(name)
    if (PICTURES) await phone.page.screenshot({ path: join(PICTURES, `${name}-phone.png`) })
  }

  async function picture(name: string): Promise<void> {
    if (!PICTURES) return
    mkdirSync(PICTURES, { recursive: true })
    await visitor.page.screenshot({ path: join(PICTURES, `${name}-1440.png`) })
  }

  it('create an endpoint and show its secret once', async () => {
    const { page, open } = visitor
    await open(app, 'developers?tab=webhooks')
    await page.getByRole('heading', { name: 'No endpoints' }).waitFor()
    await check('none')
    await button('Add endpoint').first().click()
    await dialog().getByLabel('URL', { exact: true }).fill('http://10.0.0.1/hook')
    await dialog().getByRole('button', { name: 'Add endpoint' }).click()
    await dialog().getByText('private network', { exact: false }).waitFor()
    expect(await findBarriers(page)).toEqual([])
    await dialog().getByLabel('URL', { exact: true }).fill(receiver.url)
    await dialog().getByRole('button', { name: 'Add endpoint' }).click()
    const made = page.getByRole('dialog', { name: 'Signing secret' })
    const secret = (await made.getByRole('code').textContent()) as string
    expect(secret).toMatch(/^whsec_/)
    expect(await findBarriers(page)).toEqual([])
    await picture('secret')
    await made.getByRole('button', { name: 'Done' }).click()
    await made.waitFor({ state: 'detached' })
    await page.getByRole('link', { name: new URL(receiver.url).host, exact: false }).click()
    await title(new URL(receiver.url).host)
    expect(await page.content()).not.toContain(secret)
  })

  it('send a test event and show the answer', async () => {
    await button('Send test event').click()
    await shown(/^Your server responded with 200 in \d+ ms\.$/)
    expect(await findBarriers(visitor.page)).toEqual([])
    await dialog().getByRole('button', { name: 'Done' }).click()
    expect(JSON.parse(receiver.received[0]?.body ?? '').type).toBe('webhook.test')
  })

  it('show a delivery that failed with its response, and send it again', async () => {
    const { page } = visitor
    receiver.respond = (_, response) => void response.writeHead(500).end('the shop is closed')
    await grant('ann')
    await page.reload()
    await page.getByRole('link', { name: 'access.granted' }).click()
    await title('access.granted')
    await shown('the shop is closed')
    await shown('It answered with status 500.')
    await check('delivery')
    receiver.respond = answering(200)
    receiver.received = []
    await button('Send again').click()
    await shown('The event is queued and is sent within seconds.')
    await expect.poll(() => receiver.received.length).toBeGreaterThan(0)
    await page.reload()
    await shown('Attempt 2')
    await page.getByRole('link', { name: 'Deliveries' }).click()
    await title(new URL(receiver.url).host)
    await check('endpoint')
  })

  it('rotate the secret, disable the endpoint, and replay what it missed', async () => {
    const { page } = visitor
    await choose('Actions', 'Rotate secret')
    await question('Rotate the signing secret?').getByRole('button', { name: 'Rotate' }).click()
    const made = page.getByRole('dialog', { name: 'Signing secret' })
    await made.getByRole('button', { name: 'Done' }).click()
    await shown(/^Two secrets sign until/)
    await choose('Actions', 'Disable')
    await question(/^Disable /)
      .getByRole('button', { name: 'Disable' })
      .click()
    await shown('Nothing is sent to it until somebody enables it.')
    await grant('ben')
    await choose('Actions', 'Enable')
    await shown(/^While it was off, it missed events from /)
    receiver.received = []
    await choose('Actions', 'Replay events')
    await shown(/^\d events are sent, from /)
    expect(await findBarriers(page)).toEqual([])
    await picture('replay')
    await question('Replay events').getByRole('button', { name: 'Send again' }).click()
    await shown('The replay has begun.')
    await expect
      .poll(() => receiver.received.map(({ body }) => JSON.parse(body).data.user_ref))
      .toContain('ben')
  })

  it('list events with their bodies, and each type with a sample', async () => {
    const { page, open } = visitor
    await open(app, 'developers?tab=events')
    await page.getByRole('button', { name: 'access.granted' }).first().click()
    await dialog().getByText('"user_ref": "ben"', { exact: false }).waitFor()
    expect(await findBarriers(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByText('All kinds of events').click()
    await page.getByRole('button', { name: 'dispute.lost', exact: true }).click()
    await dialog().getByText('A sample of what your server gets.').waitFor()
    expect(await findBarriers(page)).toEqual([])
    await picture('sample')
    await page.keyboard.press('Escape')
    await dialog().waitFor({ state: 'detached' })
    await check('events')
  })

  it('leave no error behind', () => {
    expect(server.browserErrors).toEqual([])
  })
})
