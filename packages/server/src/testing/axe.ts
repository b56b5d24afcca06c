import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { BrowserContext, Page } from 'playwright-core'

/** It is a package of the web app. */
const { resolve } = createRequire(new URL('../../../dashboard/package.json', import.meta.url))
const AXE = readFileSync(resolve('axe-core/axe.min.js'), 'utf8')

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

interface Axe {
  run(options: object): Promise<{
    violations: { id: string; help: string; nodes: { html: string }[] }[]
  }>
}

/** What we use of the page's own types, which a server has not. */
interface Fade {
  effect: { getComputedTiming(): { endTime: number } } | null
  finished: Promise<unknown>
}
interface Fading {
  getAnimations(): Fade[]
}

/** Puts the checker into every page; a script element would be against the pages' own policy. */
export async function addAxe(context: BrowserContext): Promise<void> {
  await context.addInitScript({ content: AXE })
}

/** What is in the way of people who can't see the page well, or use no mouse. */
export async function findBarriers(page: Page): Promise<string[]> {
  return await page.evaluate(async (values) => {
    const { axe, document } = globalThis as unknown as { axe: Axe; document: Fading }
    // What is half faded in is too faint to read, for a moment.
    const isEndless = (one: Fade) => one.effect?.getComputedTiming().endTime === Infinity
    const fades = document.getAnimations().filter((one) => !isEndless(one))
    await Promise.all(fades.map(({ finished }) => finished.catch(() => {})))
    const { violations } = await axe.run({ runOnly: { type: 'tag', values } })
    return violations.flatMap(({ id, help, nodes }) =>
      nodes.map(({ html }) => `${id}: ${help}: ${html}`),
    )
  }, TAGS)
}
