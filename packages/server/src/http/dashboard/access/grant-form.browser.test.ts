import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { useAccessPages } from '../../../testing/browser/access-pages.ts'
import { findBarriers } from '../../../testing/browser/axe.ts'

describe('the form that grants access, with a browser', () => {
  const pages = useAccessPages(() => page)
  const { server, app, helper, row, button, dialog, shown } = pages
  let page: Page
  beforeAll(() => {
    page = helper.page
  })

  async function openForm(email: string) {
    await helper.open(app, 'access')
    await button('Grant access').first().click()
    await page.getByLabel('Resource').selectOption('news')
    await page.getByLabel('Email', { exact: true }).fill(email)
  }
  it('refuses a last day that has passed, at its field and before anything is sent', async () => {
    await openForm('ann@example.com')
    await page.getByLabel('Access ends').selectOption('date')
    await page.getByLabel('Last day').fill('2020-01-01')
    await button('Grant access', dialog()).click()
    await shown('This day has passed. Choose today or a later day.')
    const promised = dialog().getByText(/until 1 Jan 2020/)
    expect(await promised.count()).toBe(0)
    expect(await page.getByLabel('Last day').getAttribute('aria-invalid')).toBe('true')
    const [end, day] = [page.getByLabel('Access ends'), page.getByLabel('Last day')]
    expect((await end.boundingBox())?.y).toBe((await day.boundingBox())?.y)
    expect(await findBarriers(page)).toEqual([])
    const { total } = await app.client.searchAccess({})
    expect(total).toBe(0)
  })
  it('ends access with the last day in the time zone of the application, and shows that day', async () => {
    await app.environment.database.write(async (trx) => {
      const zone = { time_zone: 'Asia/Tokyo' }
      await trx.updateTable('applications').set(zone).where('aid', '=', app.aid).execute()
    })
    const far = await server.staffBrowser('support', { timezoneId: 'America/Los_Angeles' })
    onTestFinished(() => {
      page = helper.page
    })
    page = far.page
    await far.open(app, 'access')
    await button('Grant access').first().click()
    await page.getByLabel('Resource').selectOption('maps')
    await page.getByLabel('Email', { exact: true }).fill('far@example.com')
    await page.getByLabel('Access ends').selectOption('date')
    await page.getByLabel('Last day').fill('2099-01-01')
    await shown('Until the end of this day (time zone: Asia/Tokyo).')
    await shown(/^Gets access until 1 Jan 2099\./)
    await button('Grant access', dialog()).click()
    await shown(/^far@example\.com has access to Maps until 1 Jan 2099\./)
    await row('far@example.com').getByText('1 Jan 2099').last().waitFor()
    const { data } = await app.client.searchAccess({ rid: 'maps' })
    expect(data.map(({ expires }) => expires)).toEqual([Date.UTC(2099, 0, 1, 15) / 1000 - 1])
    await far.context.close()
  })
  it('keeps the rarely used fields open while an error in them is corrected', async () => {
    await app.client.grantAccess({ rid: 'news', email: 'bob@example.com', user_ref: 'bob' })
    await openForm('cy@example.com')
    await page.getByText('Name, site user ID, tags and message').click()
    await page.getByLabel('Site user ID').fill('bob')
    await shown(/This ID belongs to another person\./, dialog())
    await button('Grant access', dialog()).click()
    await page.locator('[aria-invalid=true]').waitFor()
    await page.getByLabel('Site user ID').focus()
    await page.keyboard.press('End')
    await page.keyboard.press('Backspace')
    await page.locator('[aria-invalid=true]').waitFor({ state: 'detached' })
    expect(await page.getByLabel('Site user ID').isVisible()).toBe(true)
    await page.keyboard.type('y')
    expect(await page.getByLabel('Site user ID').inputValue()).toBe('boy')
    await page.getByText('Name, site user ID, tags and message').click()
    expect(await page.getByLabel('Site user ID').isVisible()).toBe(false)
  })
  it('shows the last preview, or that it is checking, until the next one has arrived', async () => {
    const preview = () => dialog().getByRole('region', { name: 'What will happen' })
    let release = () => {}
    const hold = () => {
      const held = new Promise<void>((done) => {
        release = done
      })
      return page.route('**/access/grant', async (route) => {
        await held
        await route.continue()
      })
    }
    await hold()
    await openForm('dan@example.com')
    await preview().getByText('Checking…').waitFor()
    release()
    await preview()
      .getByText(/^Gets access with no end date\./)
      .waitFor()
    await page.unroute('**/access/grant')
    await hold()
    await page.getByLabel('Access ends').selectOption('week')
    await page.locator('section[aria-busy=true]').waitFor()
    await preview()
      .getByText(/^Gets access with no end date\./)
      .waitFor()
    release()
    await preview()
      .getByText(/^Gets access until /)
      .waitFor()
    await page.unroute('**/access/grant')
    await page.getByLabel('Access ends').selectOption('date')
    await preview().getByText('Choose a last day to see what will happen.').waitFor()
  })
  it('complains about nothing on the way', () => expect(server.browserErrors).toEqual([]))
})
