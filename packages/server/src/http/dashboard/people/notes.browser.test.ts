import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { findBarriers } from '../../../testing/browser/axe.ts'
import { usePeoplePages } from '../../../testing/browser/people-pages.ts'

describe('notes about people with a browser', () => {
  const { server, app, helper, grant, button, choose, dialog, question, shown } = usePeoplePages(
    () => page,
  )
  let page: Page
  beforeAll(async () => {
    page = helper.page
    const { uid } = await grant('pass', 'ann')
    await helper.open(app, `people/${uid}`)
  })

  it('have notes, which are written, changed and removed, and never lost by an error', async () => {
    await shown('No notes yet.')
    await button('Add note').click()
    const box = dialog().getByLabel('Note', { exact: true })
    await box.fill('x'.repeat(2_003))
    await button('Save').click()
    await shown('3 characters too many')
    expect(await findBarriers(page)).toEqual([])
    await box.fill('Called on Monday.\nWants <b>an invoice</b>.')
    await shown('1,958 characters left')
    await button('Save').click()
    const card = page.locator('section').filter({ hasText: /^Notes/ })
    await shown(/^Called on Monday\.\sWants <b>an invoice<\/b>\.$/, card)
    await shown(/^Test · /, card)
    await choose(/^Actions for the note of /, 'Edit note')
    await dialog().getByLabel('Note', { exact: true }).fill('Has her invoice.')
    await button('Save').click()
    await shown('Has her invoice.', card)
    await shown(/changed by /, card)
    await shown(/^Note changed/)
    expect(await findBarriers(page)).toEqual([])
    await choose(/^Actions for the note of /, 'Remove note')
    expect(await findBarriers(page)).toEqual([])
    await button('Remove note', question()).click()
    await shown('No notes yet.')
    await button('Add note').click()
    await dialog().getByLabel('Note', { exact: true }).fill('Stays.')
    await button('Save').click()
    await shown('Stays.', card)
  })

  it('complains about nothing on the way', () => expect(server.browserErrors).toEqual([]))
})
