import { expect, it, vi } from 'vitest'
import { PASS } from './crowd.ts'
import type { Stage } from './stage.ts'

/** Opens the page of the person in the middle. */
async function openPerson({ open, title, middle }: Stage): Promise<void> {
  await open(`people/${middle.uid}`)
  await title(middle.name)
}

const received = ({ smtp }: Stage, address: string, count: number) =>
  vi.waitFor(() => expect(smtp.mailsTo(address)).toHaveLength(count), { timeout: 300_000 })

async function addNote(stage: Stage): Promise<void> {
  const { page, button, dialog, shown } = stage
  await openPerson(stage)
  await shown(`Subscribed to ${PASS.name}`)
  await button('Add note').click()
  await dialog().getByLabel('Note', { exact: true }).fill('Called on Monday.')
  await button('Save').click()
  const card = page()
    .locator('section')
    .filter({ hasText: /^Notes/ })
  await shown('Called on Monday.', card)
  await page().reload()
  await shown('Called on Monday.', card)
}

async function seeRefusedChecks(stage: Stage): Promise<void> {
  const { page, shown, middle } = stage
  const client = stage.client()
  for (const rid of ['issue-3', 'issue-3', 'issue-99']) {
    await client.getAccess({ rid, user_ref: middle.ref }).catch(() => {})
  }
  await openPerson(stage)
  const refused = page().locator('section').filter({ hasText: 'Refused checks' })
  await shown('Issue 3: refused, because access was never granted.', refused)
  await shown(/ · 2 times since /, refused)
  await shown('“issue-99”: refused, because there is no such resource.', refused)
}

async function copyAccountLink(stage: Stage): Promise<void> {
  const { page, button, dialog, middle } = stage
  await openPerson(stage)
  await stage.stopwatch.time('account link', async () => {
    await button(`Account link: ${PASS.name}`).click()
    await dialog().locator('code').waitFor()
  })
  await page()
    .getByRole('dialog', { name: `Account link for ${middle.email}` })
    .waitFor()
  const link = (await dialog().locator('code').textContent()) as string
  const reader = await stage.server.newPerson()
  await reader.page.goto(link)
  await reader.page.getByText(PASS.name).first().waitFor()
  await reader.context.close()
  await button('Done', dialog()).click()
}

async function resendReceipt(stage: Stage): Promise<void> {
  const { page, shown, middle, smtp } = stage
  await openPerson(stage)
  await page()
    .getByRole('tab', { name: /^Emails / })
    .click()
  await page()
    .getByRole('button', { name: new RegExp(`^Resend: Receipt: ${PASS.name}, `) })
    .click()
  await shown(`The email to ${middle.email} is sent within a minute.`)
  await received(stage, middle.email, 1)
  expect(smtp.mailsTo(middle.email)[0]?.mail.text).toContain(PASS.name)
}

async function changeAddress(stage: Stage): Promise<void> {
  const { page, open, button, choose, dialog, shown, middle } = stage
  const address = `new.${middle.email}`
  await openPerson(stage)
  await choose('More actions for this person', 'Edit name or email')
  await dialog().getByLabel('Email', { exact: true }).fill(address)
  await page().getByLabel('Notify the old and the new address by email').setChecked(true)
  await button('Save').click()
  await dialog().waitFor({ state: 'detached' })
  await shown(/An email about the change is sent within a minute\.$/)
  await received(stage, middle.email, 2)
  await received(stage, address, 1)
  await open(`people?q=${encodeURIComponent(address)}`)
  await stage.total(1)
  await stage.row(middle.name).getByText(address).waitFor()
}

/** The steps of support for the person in the middle of the crowd. */
export function walkPerson(stage: Stage): void {
  it('has a timeline in sentences, and notes that stay', () => addNote(stage))
  it('has refused checks with their reasons', () => seeRefusedChecks(stage))
  it('gets a link to her account, which opens it', () => copyAccountLink(stage))
  it('gets her receipt again', () => resendReceipt(stage))
  it('gets another address, and both are told', () => changeAddress(stage))
}

export function walkKeyboard(stage: Stage): void {
  const { middle, open, page, title } = stage

  it('shows its shortcuts for “?”', async () => {
    await open('people')
    await page().getByRole('searchbox').waitFor()
    await page().keyboard.press('?')
    const help = page().getByRole('dialog', { name: 'Keyboard shortcuts' })
    await help.getByText('Find anything').waitFor()
    await page().keyboard.press('Escape')
    await help.waitFor({ state: 'detached' })
  })

  it('finds one of all people, and does things', async () => {
    for (const text of [middle.last, middle.email]) {
      await open('overview')
      await title('Overview')
      await page().keyboard.press('Control+k')
      await stage.stopwatch.time(
        `Find: ${text.includes('@') ? 'an address' : 'a last name'}`,
        async () => {
          await page().getByRole('combobox').fill(text)
          await page()
            .getByRole('option', { name: new RegExp(middle.name) })
            .first()
            .waitFor()
        },
      )
      await page().keyboard.press('Enter')
      await title(middle.name)
    }
    await page().keyboard.press('Control+k')
    await page().getByRole('combobox', { name: 'Find anything' }).fill('grant acc')
    await page().getByRole('option').filter({ hasText: 'Action' }).first().waitFor()
    await page().keyboard.press('Enter')
    await page().getByRole('dialog', { name: 'Grant access' }).waitFor()
    await page().keyboard.press('Escape')
  })
}
