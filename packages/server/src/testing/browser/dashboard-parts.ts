import type { Locator, Page } from 'playwright-core'

type Scope = Page | Locator

/** A phone in dark mode. */
export const DARK_PHONE = {
  viewport: { width: 360, height: 740 },
  colorScheme: 'dark',
} as const

/** How many pixels of the page overflow to the side; the scroll bar does not count. */
export const overflowOf = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.offsetWidth)

/** For `page.addLocatorHandler`: on a slow machine, a test takes long enough to be asked again who it is. */
export const confirmingWith = (page: Page, password: string) => {
  const dialog = page.getByRole('dialog', { name: 'Confirm it’s you' })
  const confirm = async () => {
    await dialog.getByLabel('Password').fill(password)
    await dialog.getByRole('button', { name: 'Continue' }).click()
  }
  return [dialog, confirm] as const
}

/** Finds parts of a page by their visible names, in the whole page unless another scope is given. */
export function partsOf(page: () => Page) {
  const button = (name: string | RegExp, at: Scope = page()) =>
    at.getByRole('button', { name, exact: true })
  return {
    button,
    dialog: () => page().getByRole('dialog'),
    question: (name?: string | RegExp) =>
      page().getByRole('alertdialog', name === undefined ? {} : { name }),
    title: (name: string, at: Scope = page()) =>
      at.getByRole('heading', { level: 1, name, exact: true }).waitFor(),
    shown: (message: string | RegExp, at: Scope = page()) =>
      at.getByText(message).first().waitFor(),
    async choose(menu: string | RegExp, item: string) {
      await button(menu).click()
      await page().getByRole('menuitem', { name: item, exact: true }).click()
    },
  }
}
