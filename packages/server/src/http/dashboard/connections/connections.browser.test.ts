import { describe, expect, it } from 'vitest'
import { findBarriers } from '../../../testing/browser/axe.ts'
import { useDashboard } from '../../../testing/browser/dashboard-browser.ts'
import { DARK_PHONE, overflowOf, partsOf } from '../../../testing/browser/dashboard-parts.ts'
import { useFixture } from '../../../testing/fixtures.ts'
import { useFakeStripe, useSmtp } from '../../../testing/use-service.ts'

const LIVE_KEY = 'sk_live_fake0123456789'

describe('connecting payments and mail with a browser', () => {
  const fake = useFakeStripe({ secretKey: LIVE_KEY })
  const smtp = useSmtp()
  const server = useDashboard(() => ({ GATEHOUSE_STRIPE_API: fake.url }))
  const app = useFixture(async () => {
    const created = await server.service.newApplication('production')
    await created.addResource('news', { name: 'Winter issue' })
    return created
  })
  const visitor = useFixture(() => server.staffBrowser('owner'))
  const { button, question, shown } = partsOf(() => visitor.page)
  const field = (name: string) => visitor.page.getByLabel(name, { exact: true })
  const link = (name: string) => visitor.page.getByRole('link', { name, exact: true })

  async function addPrice(amount: string): Promise<void> {
    await button('Add price').click()
    const dialog = visitor.page.getByRole('dialog')
    await dialog.getByLabel('Amount').fill(amount)
    await dialog.getByRole('button', { name: 'Add price' }).click()
  }

  it('says that nothing is for sale yet, and leads to where that changes', async () => {
    const { page } = visitor
    await visitor.open(app, 'resources/news')
    await addPrice('4.50')
    await shown(/is saved\. Readers can buy it once payments are connected\./)
    await link('Connect payments').waitFor()
    expect(await findBarriers(page)).toEqual([])
    await visitor.open(app, 'overview')
    await page.getByText('1 of 7 done').waitFor()
    expect(await findBarriers(page)).toEqual([])
    await link('Connect Stripe').click()
    await shown('Nobody can buy anything in production until you connect Stripe.')
  })

  it('says at the field what is wrong with a key, keeps it, and connects the right one', async () => {
    const { page } = visitor
    await field('Secret key').fill('sk_test_fake0123456789')
    await button('Connect Stripe').click()
    await shown('This is a test key; production needs a live key.')
    expect(await field('Secret key').inputValue()).toBe('sk_test_fake0123456789')
    expect(await findBarriers(page)).toEqual([])
    await field('Secret key').fill(LIVE_KEY)
    await button('Connect Stripe').click()
    await shown('Stripe is connected. Readers can pay within 5 seconds.')
    await shown('Fake Magazine')
    await shown('Live: real money')
    await shown('ends in 6789')
    await shown(/^Stripe can’t reach this address/)
    expect(await page.content()).not.toContain(LIVE_KEY)
    expect(await findBarriers(page)).toEqual([])
    await button('Test connection').click()
    await shown('Stripe accepts the key. The account is Fake Magazine.')
  })

  it('connects a mail server, and sends a test email', async () => {
    const { page } = visitor
    await link('Mail').click()
    await shown('No email is sent until you connect a mail server.')
    await field('Server').fill('127.0.0.1')
    await field('Security').selectOption('none')
    expect(await field('Port').inputValue()).toBe('25')
    await field('Port').fill(String(smtp.port))
    await field('User name (optional)').fill('post')
    await field('Password').fill('secret words')
    await field('Sender').fill('nobody')
    await button('Connect a mail server').click()
    await shown('Must be an address like Example')
    expect(await findBarriers(page)).toEqual([])
    await field('Sender').fill('Winter Press <post@winter.example>')
    await button('Connect a mail server').click()
    await shown('The mail server is connected.')
    await shown('TXT record of winter.example')
    expect(await page.content()).not.toContain('secret words')
    await button('Send a test email').click()
    await shown(/^A test email to .* was accepted by the mail server\.$/)
    expect(smtp.mails).toHaveLength(1)
    expect(await findBarriers(page)).toEqual([])
    smtp.fault = (step) => (step === 'sender' ? 550 : undefined)
    await button('Send a test email').click()
    await shown(/^The server does not accept this sender for your login/)
    smtp.fault = () => undefined
  })

  it('knows now that things are for sale, and what is left to set up', async () => {
    const { page } = visitor
    await visitor.open(app, 'resources/news')
    await button('Add price').waitFor()
    expect(await page.getByText('once payments are connected').count()).toBe(0)
    await addPrice('9.99')
    await shown(/^Readers can now buy it for /)
    await visitor.open(app, 'settings/set-up')
    await page.getByText('3 of 7 done').waitFor()
    expect(await findBarriers(page)).toEqual([])
  })

  it('disconnects after a question', async () => {
    await visitor.open(app, 'settings/mail')
    await button('Disconnect').click()
    const ask = question('Disconnect the mail server?')
    expect(await findBarriers(visitor.page)).toEqual([])
    await ask.getByRole('button', { name: 'Disconnect' }).click()
    await shown('No email is sent until you connect a mail server.')
  })

  it('lets others see the state, and change nothing', async () => {
    const reader = await server.staffBrowser('reader', DARK_PHONE)
    await reader.open(app, 'settings/payments')
    await reader.page.getByText('Only owners can change this.').waitFor()
    await reader.page.getByText('Fake Magazine').waitFor()
    for (const name of ['Replace', 'Disconnect', 'Test connection']) {
      expect(await reader.page.getByRole('button', { name }).count()).toBe(0)
    }
    expect(await findBarriers(reader.page)).toEqual([])
    expect(await overflowOf(reader.page)).toBe(0)
    await reader.open(app, 'settings/mail')
    await reader.page.getByText('Only owners can change this.').waitFor()
    expect(await findBarriers(reader.page)).toEqual([])
    expect(await overflowOf(reader.page)).toBe(0)
    await reader.context.close()
  })

  it('complains about nothing on the way', () => expect(server.browserErrors).toEqual([]))
})
