import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Locator, Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findBarriers } from '../../testing/browser/axe.ts'
import { startTestServer, type TestServer } from '../../testing/browser/dashboard-browser.ts'
import { confirmingWith, partsOf } from '../../testing/browser/dashboard-parts.ts'
import { KEEPS_PICTURES, savePicture, useWalk } from '../../testing/browser/walk.ts'
import { LOCAL_MAIL } from '../../testing/smtp/local-mail.ts'
import type { FakeStripe } from '../../testing/stripe/fake-stripe.ts'
import { useFakeStripe, useSmtp } from '../../testing/use-service.ts'

const TEN_MINUTES = 600

const LIVE_KEY = 'sk_live_fake0123456789'
const TEST_KEY = 'sk_test_fake0123456789'
/** Where the provider's page appears to be. */
const PAY_PAGE = 'https://pay.example'

const READER = 'maria@example.com'
const FILES = [
  { name: 'Winter issue.pdf', buffer: Buffer.from(`%PDF-1.7 ${'winter '.repeat(43_000)}`) },
  {
    name: 'Winter issue for e-readers.epub',
    buffer: Buffer.from(`PK\u0003\u0004${'tales '.repeat(33_000)}`),
  },
]
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

/**
 * Runs `npm start` with nothing set but the address of a fake Stripe, as a publisher who is no developer: everything is
 * done in the browser, and every element is found by its visible name.
 */
const PASSWORD = 'blue lamp over harbour'

describe('a publisher sells alone', () => {
  const stripe = useFakeStripe({ secretKey: LIVE_KEY })
  const smtp = useSmtp()
  let server: TestServer
  let page: Page
  let reader: Page
  let checkoutUrl = ''
  let filePages: string[] = []

  beforeAll(async () => {
    stripe.moreKeys.push(TEST_KEY)
    stripe.fault = ({ route }) =>
      route === 'POST /v1/checkout/sessions'
        ? { rewrite: (body) => ({ ...body, url: `${PAY_PAGE}/${String(body.id)}` }) }
        : undefined
    const env = { GATEHOUSE_STRIPE_API: stripe.url, ...LOCAL_MAIL }
    server = await startTestServer({ env, refusals: /403/ })
    const viewport = { width: 1280, height: 800 }
    const publisher = await server.newPerson({ viewport })
    const buyer = await server.newPerson({ viewport, acceptDownloads: true, locale: 'en-US' })
    for (const { context } of [publisher, buyer]) context.setDefaultTimeout(15_000)
    page = publisher.page
    await page.addLocatorHandler(...confirmingWith(page, PASSWORD))
    reader = buyer.page
    await servePayPage(reader, stripe)
  })
  afterAll(() => server?.stop())

  const { act, click, type, seconds } = useWalk()
  const { button, dialog } = partsOf(() => page)
  const link = (name: string | RegExp, at: Page | Locator = page) =>
    at.getByRole('link', { name, exact: true })
  const field = (name: string, at: Page | Locator = page) => at.getByLabel(name, { exact: true })
  const band = () => page.getByRole('region', { name: 'Sandbox', exact: true })
  const sections = () => page.getByRole('navigation').first()
  const tabs = () => page.getByRole('navigation', { name: 'Settings', exact: true })
  const heading = (name: string, at: Page = page) =>
    at.getByRole('heading', { level: 1, name, exact: true }).waitFor()
  const see = (text: string | RegExp, at: Page | Locator = page) =>
    at.getByText(text).filter({ visible: true }).first().waitFor()

  const messages = () => page.getByRole('region', { name: /^Notifications/ })

  /** Renews a screenshot of docs/sell/first-issue.md. */
  async function picture(name: string, of: Page = page): Promise<void> {
    expect(await findBarriers(of)).toEqual([])
    if (!KEEPS_PICTURES) return
    await of.evaluate(() => window.scrollTo(0, 0))
    const close = button('Close', messages()).first()
    while ((await close.count()) > 0) await close.click()
    await savePicture(of, 'sell', name)
  }

  it('sets up an account, and is told what is left to do', async () => {
    await act(page.goto(server.setUpLink))
    await type(field('Email'), 'anna@example.com')
    await type(field('Your name'), 'Anna Berg')
    await type(field('Password'), PASSWORD)
    await click(button('Create account'))
    await heading('Overview')
    await see('Set up your shop')
    await picture('01-set-up')
  })

  it('connects the live account of Stripe for production, and the test mode for the sandbox', async () => {
    await click(link('Connect Stripe'))
    await type(field('Secret key'), LIVE_KEY)
    await click(button('Connect Stripe'))
    await see('Stripe is connected. Readers can pay within 5 seconds.')
    await see('Live: real money')
    await picture('02-payments')
    await click(link('Sandbox'))
    await band().waitFor()
    await click(link('Settings', sections()))
    await click(link('Payments', tabs()))
    await type(field('Secret key'), TEST_KEY)
    await click(button('Connect Stripe'))
    await see('Test: no real money')
    await click(link('Production'))
    await band().waitFor({ state: 'detached' })
    await click(link('Overview', sections()))
  })

  it('connects a mail server, and gets a test email', async () => {
    await click(link('Connect mail'))
    await type(field('Server'), '127.0.0.1')
    await act(field('Security').selectOption('none'))
    await type(field('Port'), String(smtp.port))
    await type(field('Sender'), 'Harbour Press <post@harbour.example>')
    await click(button('Connect a mail server'))
    await see('The mail server is connected.')
    await picture('03-mail')
    await click(button('Send a test email'))
    await see('A test email to anna@example.com was accepted by the mail server.')
    expect(smtp.mailsTo('anna@example.com')).toHaveLength(1)
  })

  it('enters who sells', async () => {
    await click(link('General', tabs()))
    await type(page.getByRole('form', { name: 'General' }).getByLabel('Name'), 'Harbour Press')
    await click(button('Save', page.getByRole('form', { name: 'General' })))
    await page.getByRole('button', { name: 'Harbour Press' }).waitFor()
    await type(page.getByLabel('Seller address'), '1 Quay\n20457 Hamburg')
    await click(button('Save', page.getByRole('form', { name: 'Selling' })))
    await see('1 Quay')
  })

  it('brands the pages', async () => {
    await click(link('Brand', tabs()))
    const logo = { name: 'logo.png', mimeType: 'image/png', buffer: await drawLogo() }
    await act(page.locator('input[type=file]').setInputFiles(logo))
    await button('Remove image').waitFor()
    await type(page.getByLabel(/^Accent color/), '#0b4f6c')
    await type(page.getByLabel(/^Support address/), 'help@harbour.example')
    await click(button('Save'))
    await see('Saved')
    await picture('04-brand')
  })

  it('creates an issue with a cover, two files and two prices', async () => {
    await click(link('Resources', sections()))
    await click(button('New resource').first())
    await type(field('Name', dialog()), 'Winter issue')
    await type(field('Description (optional)', dialog()), 'Stories for **long nights**.')
    await click(button('Create', dialog()))
    await heading('Winter issue')
    const cover = { name: 'cover.png', mimeType: 'image/png', buffer: await drawCover() }
    await act(page.locator('input[type=file]:not([multiple])').setInputFiles(cover))
    await button('Remove image').waitFor()
    const chosen = FILES.map((file) => ({ ...file, mimeType: 'application/octet-stream' }))
    await act(page.locator('input[type=file][multiple]').setInputFiles(chosen))
    for (const { name } of FILES) await see(new RegExp(`^${name} · `))
    await addPrice('4.50', 'once')
    await addPrice('9.99', 'recurring')
    checkoutUrl = (await link('Open the checkout page').getAttribute('href')) ?? ''
    await picture('05-resource')
  })

  async function addPrice(amount: string, kind: string): Promise<void> {
    await click(button('Add price').first())
    await type(field('Amount', dialog()), amount)
    await act(field('Type', dialog()).selectOption(kind))
    await click(button('Add price', dialog()))
    await see(/^Readers can now buy it for /)
    await dialog().waitFor({ state: 'detached' })
  }

  it('is bought from by a reader, in production', async () => {
    await act(reader.goto(checkoutUrl))
    await heading('Winter issue', reader)
    expect(await reader.getByText('Sandbox').count()).toBe(0)
    await click(reader.getByRole('radio', { name: /\$4\.50/ }))
    await type(reader.getByLabel('Email'), READER)
    await picture('06-checkout', reader)
    await click(reader.getByRole('button', { name: /\$4\.50/ }))
    await click(reader.getByRole('link', { name: 'Pay', exact: true }))
    await reader
      .getByRole('button', { name: /Download/ })
      .first()
      .waitFor()
    await picture('07-done', reader)
  })

  it('sends a receipt, from which the reader downloads both files', async () => {
    await expect.poll(() => smtp.mailsTo(READER).length).toBe(1)
    const [receipt] = smtp.mailsTo(READER)
    expect(receipt?.mail.from?.address).toBe('post@harbour.example')
    const html = receipt?.mail.html ?? ''
    filePages = [...new Set(html.match(/http:[^"]+\/files\/[^"/]+\/[^"]+/g) ?? [])]
    expect(filePages).toHaveLength(FILES.length)
    const hashes: string[] = []
    for (const address of filePages) {
      await act(reader.goto(address))
      const saving = reader.waitForEvent('download')
      await click(reader.getByRole('button', { name: /^Download/ }))
      hashes.push(sha256(readFileSync(await (await saving).path())))
    }
    expect(hashes).toEqual(FILES.map(({ buffer }) => sha256(buffer)))
    await picture('08-file', reader)
  })

  it('refunds it, and the files are gone', async () => {
    await click(link('Payments', sections()))
    await heading('Payments')
    await click(page.getByRole('link', { name: READER }).first())
    await click(button('Refund'))
    await click(button('Refund $4.50', dialog()).or(button('Refund 4.50 USD', dialog())))
    await see(/4\.50.* refunded to /)
    await expect.poll(() => smtp.mailsTo(READER).length).toBe(2)
    for (const address of filePages) {
      const response = await reader.goto(address)
      expect(response?.status()).toBe(403)
      expect(await reader.getByRole('button', { name: /^Download/ }).count()).toBe(0)
    }
    await picture('09-gone', reader)
    expect([...stripe.ledger.refunds.values()]).toMatchObject([{ amount: 450 }])
  })

  it('takes no more than ten minutes, and the browser complains about nothing', () => {
    expect(seconds()).toBeLessThanOrEqual(TEN_MINUTES)
    expect(server.browserErrors).toEqual([])
  })
})

const draw = (svg: string) => sharp(Buffer.from(svg)).png().toBuffer()

const drawLogo = () =>
  draw(`<svg xmlns="http://www.w3.org/2000/svg" width="600" height="120" fill="#0b4f6c">
<path d="M10 90q30-40 60 0t60 0v20h-120z"/><circle cx="70" cy="36" r="22"/>
<text x="150" y="84" font-family="sans-serif" font-weight="bold" font-size="56">Harbour Press</text>
</svg>`)

const drawCover = () =>
  draw(`<svg xmlns="http://www.w3.org/2000/svg" width="900" height="1200">
<rect width="900" height="1200" fill="#12344d"/><circle cx="640" cy="300" r="130" fill="#f4e9cd"/>
<path d="M0 820l250-260 190 200 160-150 300 280v310H0z" fill="#e8eef2"/>
<path d="M0 980l300-160 280 140 320-150v390H0z" fill="#9fb8c8"/>
<text x="70" y="150" font-family="sans-serif" font-weight="bold" font-size="110" fill="#fff">Winter</text>
</svg>`)

/** Acts as the provider's own pages: one with a button to pay, and one that leads back. */
async function servePayPage(reader: Page, stripe: FakeStripe): Promise<void> {
  const show = (body: string) => ({
    contentType: 'text/html',
    body: `<!doctype html><html lang="en"><title>Pay</title><main>${body}</main>`,
  })
  await reader.route(`${PAY_PAGE}/**`, async (route) => {
    const [, id = '', action] = new URL(route.request().url()).pathname.split('/')
    if (action !== 'paid') return await route.fulfill(show(`<a href="/${id}/paid">Pay</a>`))
    const { success_url } = stripe.pay(id)
    await route.fulfill(show(`<meta http-equiv="refresh" content="0;url=${success_url}">`))
  })
}
