import { describe, expect, it } from 'vitest'
import { createPrice, listOffers } from '../../../domain/resources/prices.ts'
import { findBarriers } from '../../../testing/browser/axe.ts'
import { useDashboard } from '../../../testing/browser/dashboard-browser.ts'
import { DARK_PHONE, overflowOf, partsOf } from '../../../testing/browser/dashboard-parts.ts'
import { addDownload } from '../../../testing/downloads/downloads.ts'
import { useFixture } from '../../../testing/fixtures.ts'

describe('copying to the other environment with a browser', () => {
  const server = useDashboard()
  const draft = useFixture(async () => {
    const app = await server.service.newApplication('sandbox')
    for (const rid of ['winter', 'spring']) await app.addResource(rid, { name: `The ${rid} issue` })
    await addDownload(app, 'winter', Buffer.from('the issue'), { title: 'PDF' })
    return app
  })
  const visitor = useFixture(() => server.staffBrowser('developer'))
  const { button } = partsOf(() => visitor.page)

  const addPrice = (amount: number) =>
    draft.environment.database.write((trx) => {
      const terms = { amount, currency: 'EUR', recurring: 0, period: null, trial_days: 0 } as const
      const key = { aid: draft.aid, rid: 'winter' }
      return createPrice(trx, { ...key, ...terms }, draft.environment.clock(), 'test')
    })
  const production = () => server.service.ctx.environments.production.database.read

  it('pairs with a new application, previews, copies what is ticked, and says what happened', async () => {
    const { page } = visitor
    await addPrice(999)
    await visitor.open(draft, 'resources')
    await page.getByRole('link', { name: 'Copy to production' }).click()
    await page
      .getByText('Create “Test magazine” in production')
      .first()
      .waitFor({ state: 'attached' })
    expect(await findBarriers(page)).toEqual([])
    await button('Pair').click()
    await page.getByRole('heading', { name: 'The winter issue' }).waitFor()
    await page.getByText('New price: 9.99 EUR for lifetime access').waitFor()
    await page.getByText('New file: PDF (9 B)').waitFor()
    expect(await findBarriers(page)).toEqual([])
    await page.getByRole('checkbox', { name: 'Copy The spring issue' }).uncheck()
    await button('Copy 1 item to production').click()
    await page.getByText('Readers see the changes immediately. No email is sent.').waitFor()
    await button('Copy').click()
    await page.getByText('1 item was copied to production.').waitFor()
    expect(await findBarriers(page)).toEqual([])
    const rows = await production().selectFrom('resources').select(['aid', 'rid']).execute()
    expect(rows.map(({ rid }) => rid)).toEqual(['winter'])
    const aid = rows[0]?.aid ?? ''
    expect(await listOffers(production(), aid, 'winter')).toMatchObject([{ amount: 999 }])
    await page.getByRole('link', { name: 'Open the resources in production' }).click()
    await page.waitForURL(`**/production/${aid}/resources`)
    await page.getByText('The winter issue').waitFor()
  })

  it('shows the new preview if something was changed meanwhile, and copies nothing', async () => {
    const { page } = visitor
    await visitor.open(draft, 'settings/copy')
    await page.getByRole('heading', { name: 'The spring issue' }).waitFor()
    await addPrice(1299)
    await button('Copy 1 item to production').click()
    await button('Copy').click()
    await page.getByText('Somebody changed something since you opened this preview').waitFor()
    await page.getByText('New price: 12.99 EUR for lifetime access').waitFor()
    await button('Copy 2 items to production').click()
    await button('Copy').click()
    await page.getByText('2 items were copied to production.').waitFor()
    await button('Back to the preview').click()
    await page.getByText('Nothing to copy: production already has everything.').waitFor()
    await page.getByText('4 items are the same').click()
    await page.getByText('Email templates', { exact: true }).waitFor()
  })

  it('leads to the counterpart and back, fits a phone, and ends the pairing', async () => {
    const { page } = visitor
    await page.getByRole('link', { name: 'Copy from production instead' }).click()
    await page.getByText('Nothing to copy: the sandbox already has everything.').waitFor()
    await page.getByRole('link', { name: 'Copy from the sandbox instead' }).click()
    await page.waitForURL(`**/sandbox/${draft.aid}/settings/copy`)
    const phone = await server.staffBrowser('developer', DARK_PHONE)
    await phone.open(draft, 'settings/copy')
    await phone.page.getByText('Nothing to copy', { exact: false }).waitFor()
    expect(await overflowOf(phone.page)).toBe(0)
    expect(await findBarriers(phone.page)).toEqual([])
    await button('End pairing').click()
    await page.getByText('Both applications stay as they are.', { exact: false }).waitFor()
    await page.getByRole('alertdialog').getByRole('button', { name: 'End pairing' }).click()
    await page.getByRole('heading', { name: 'Choose the production application' }).waitFor()
  })

  it('is not offered to those who may not copy', async () => {
    const support = await server.staffBrowser('support')
    await support.open(draft, 'resources')
    await support.page.getByText('The winter issue').waitFor()
    expect(await support.page.getByRole('link', { name: 'Copy to production' }).count()).toBe(0)
    await support.open(draft, 'settings/copy')
    await support.page
      .getByRole('heading', { name: 'Your role can’t open this page', level: 2 })
      .waitFor()
    await support.open(draft, 'settings')
    await support.page.getByRole('link', { name: 'Brand' }).waitFor()
    expect(await support.page.getByRole('link', { name: 'Copy', exact: true }).count()).toBe(0)
  })
})
