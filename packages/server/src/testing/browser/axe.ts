import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { BrowserContext, Page } from 'playwright-core'

/** axe-core is a dependency of the dashboard package. */
const { resolve } = createRequire(new URL('../../../../dashboard/package.json', import.meta.url))
const AXE = readFileSync(resolve('axe-core/axe.min.js'), 'utf8')

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

interface Axe {
  run(options: object): Promise<{
    violations: { id: string; help: string; nodes: { html: string }[] }[]
  }>
}

/** The parts of the DOM's animation types that we use. */
interface Fade {
  effect: { getComputedTiming(): { endTime: number } } | null
  finished: Promise<unknown>
}
interface Fading {
  getAnimations(): Fade[]
  querySelector(selector: string): object | null
  addEventListener(kind: string, listener: () => void): void
}

/** Adds axe to every page by an init script; the pages' content security policy would block a script element. */
export async function addAxe(context: BrowserContext): Promise<void> {
  await context.addInitScript({ content: AXE })
}

/** Lists what violates the accessibility rules. Elements that are fading in or out fail the contrast rules, and so does an
 * older list that is shown until the new one arrives. So the page is looked at again if something began to fade
 * meanwhile, such as a message that disappears by itself, or if it is waiting. */
export async function findBarriers(page: Page): Promise<string[]> {
  return await page.evaluate(async (values) => {
    const { axe, document } = globalThis as unknown as { axe: Axe; document: Fading }
    const isEndless = (one: Fade) => one.effect?.getComputedTiming().endTime === Infinity
    let isFading = false
    const note = () => {
      isFading = true
    }
    for (const kind of ['animationstart', 'transitionrun']) document.addEventListener(kind, note)
    const isBusy = () => document.querySelector('[aria-busy=true]') !== null
    for (;;) {
      while (isBusy()) await new Promise((next) => setTimeout(next, 20))
      const fades = document.getAnimations().filter((one) => !isEndless(one))
      await Promise.all(fades.map(({ finished }) => finished.catch(() => {})))
      isFading = false
      const { violations } = await axe.run({ runOnly: { type: 'tag', values } })
      if (violations.length > 0 && (isFading || isBusy())) continue
      return violations.flatMap(({ id, help, nodes }) =>
        nodes.map(({ html }) => `${id}: ${help}: ${html}`),
      )
    }
  }, TAGS)
}
