import type { Locator } from 'playwright-core'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { getApplication } from '../../../domain/apps/applications.ts'
import { findBarriers } from '../../../testing/browser/axe.ts'
import { useDashboard } from '../../../testing/browser/dashboard-browser.ts'
import { DARK_PHONE, overflowOf, partsOf } from '../../../testing/browser/dashboard-parts.ts'
import { useFixture } from '../../../testing/fixtures.ts'
import { openShop } from '../../../testing/payments/shop.ts'

describe('the brand with a browser', () => {
  const server = useDashboard()
  const shop = useFixture(() => openShop(server.service))
  const visitor = useFixture(() => server.staffBrowser('owner'))

  const stored = () => getApplication(shop.environment.database.read, shop.aid)
  const field = (name: string) => visitor.page.getByLabel(new RegExp(`^${name}`))
  const { button } = partsOf(() => visitor.page)

  it('is changed, shown at once, and undone', async () => {
    const { page } = visitor
    await visitor.open(shop, 'settings/brand')
    await field('Accent color').fill('#FFCC00')
    await page.getByText('Links use a darker or lighter shade', { exact: false }).waitFor()
    await field('Support address').fill('help@magazine.example')
    await field('Time zone').fill('Europe/Berlin')
    await field('Terms').fill('https://magazine.example/terms')
    await button('Save').click()
    await page.getByText('Saved.', { exact: true }).waitFor()
    expect(await stored()).toMatchObject({
      ...{ accent: '#ffcc00', support_email: 'help@magazine.example', time_zone: 'Europe/Berlin' },
      legal_links: '{"terms":"https://magazine.example/terms"}',
    })
    expect(await findBarriers(page)).toEqual([])
    await page.getByRole('tab', { name: 'Email' }).click()
    const mail = page.frameLocator('iframe')
    await mail.getByText('Thank you for your payment', { exact: false }).waitFor()
    await button('Undo').click()
    await page.getByText('Links use a darker', { exact: false }).waitFor({ state: 'detached' })
    expect(await stored()).toMatchObject({ accent: null, legal_links: '{}', time_zone: 'UTC' })
  })

  it('is previewed on the real pages before it is saved, light and dark, with the logo on a light plate', async () => {
    const { page } = visitor
    await visitor.open(shop, 'settings/brand')
    const create = { width: 400, height: 100, channels: 3, background: '#102030' } as const
    const buffer = await sharp({ create }).png().toBuffer()
    const logo = { name: 'logo.png', mimeType: 'image/png', buffer }
    await page.locator('input[type=file]').setInputFiles(logo)
    await button('Remove image').waitFor()
    await field('Accent color').fill('#aa0044')
    const inside = page.frameLocator('iframe')
    const pay = inside.getByText('Pay $4.50', { exact: true })
    const mark = inside.locator('.brand img')
    const backgroundOf = (one: Locator) =>
      one.evaluate((it) => getComputedStyle(it).backgroundColor)
    await expect.poll(() => backgroundOf(pay.locator('..'))).toBe('rgb(170, 0, 68)')
    expect(await mark.evaluate((one: HTMLImageElement) => one.naturalWidth)).toBe(400)
    expect(await backgroundOf(mark)).toBe('rgba(0, 0, 0, 0)')
    await page.getByRole('radio', { name: 'Dark' }).check()
    await expect.poll(() => backgroundOf(mark)).toBe('rgb(255, 255, 255)')
    expect(await findBarriers(page)).toEqual([])
    await page.getByRole('tab', { name: 'Account page' }).click()
    await inside.getByText('Your subscription').waitFor()
    await page.getByRole('tab', { name: 'Email' }).click()
    await expect.poll(() => backgroundOf(inside.locator('.plate'))).toBe('rgb(255, 255, 255)')
    expect(await stored()).toMatchObject({ accent: null })
  })

  it('says at the field what is wrong, and saves nothing', async () => {
    const { page } = visitor
    await visitor.open(shop, 'settings/brand')
    await field('Accent color').fill('red')
    await button('Save').click()
    await page.getByText('Enter a color like #1f5f4a.').waitFor()
    await field('Accent color').fill('')
    await field('Time zone').fill('Berlin')
    await button('Save').click()
    await page.getByText(/must be a time zone like Europe\/Berlin/i).waitFor()
    await field('Time zone').fill('UTC')
    await field('Imprint').fill('http://magazine.example')
    await button('Save').click()
    await page.getByText(/must be a URL like https/i).waitFor()
    expect(await stored()).toMatchObject({ accent: null, legal_links: '{}', time_zone: 'UTC' })
  })

  it('lets each email be reworded', async () => {
    const { page } = visitor
    await visitor.open(shop, 'settings/emails')
    await page.getByLabel('Email', { exact: true }).selectOption('canceled')
    const form = page.getByRole('form', { name: 'Subscription canceled' })
    await form.getByLabel('Template', { exact: true }).fill('Subject: Schade\n\nBis bald.')
    await page.getByText('Schade', { exact: true }).waitFor()
    await form.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.', { exact: true }).waitFor()
    expect(JSON.parse((await stored()).mail_templates)).toEqual({
      canceled: 'Subject: Schade\n\nBis bald.',
    })
    expect(await findBarriers(page)).toEqual([])
  })

  it('fits a dark phone', async () => {
    const phone = await server.staffBrowser('owner', DARK_PHONE)
    await phone.open(shop, 'settings/brand')
    await phone.page.getByLabel(/^Accent color/).waitFor()
    expect(await overflowOf(phone.page)).toBe(0)
    expect(await findBarriers(phone.page)).toEqual([])
  })
})
