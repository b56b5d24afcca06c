import type { Locator, Page } from 'playwright-core'

type Place = Page | Locator

/** A telephone at night. */
export const SMALL_AND_DARK = {
  viewport: { width: 360, height: 740 },
  colorScheme: 'dark',
} as const

/** How far a page sticks out at the side; the place of the scroll bar is none of its own. */
export const overflowOf = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.offsetWidth)

/** The parts of a page by the names that it shows; of this page, unless another place is given. */
export function partsOf(page: () => Page) {
  const button = (name: string | RegExp, at: Place = page()) =>
    at.getByRole('button', { name, exact: true })
  return {
    button,
    dialog: () => page().getByRole('dialog'),
    question: (name?: string | RegExp) =>
      page().getByRole('alertdialog', name === undefined ? {} : { name }),
    title: (name: string, at: Place = page()) =>
      at.getByRole('heading', { level: 1, name, exact: true }).waitFor(),
    shown: (message: string | RegExp, at: Place = page()) =>
      at.getByText(message).first().waitFor(),
    async choose(menu: string | RegExp, item: string) {
      await button(menu).click()
      await page().getByRole('menuitem', { name: item, exact: true }).click()
    },
  }
}
