import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Locator, Page } from 'playwright-core'
import { beforeEach } from 'vitest'

/** The pace of a person who reads the page before each click, and types without hurry. */
const SECONDS_FOR_AN_ACT = 5

/** Whether this run renews the screenshots of the documentation. */
export const KEEPS_PICTURES = process.env.GATEHOUSE_KEEP_SCREENSHOTS === '1'

/** Saves a screenshot below `docs/images`, if this run renews them. */
export async function savePicture(page: Page, folder: string, name: string): Promise<void> {
  if (!KEEPS_PICTURES) return
  const path = fileURLToPath(new URL(`../../../../../docs/images/${folder}`, import.meta.url))
  mkdirSync(path, { recursive: true })
  await page.mouse.move(1279, 799)
  await page.screenshot({ path: join(path, `${name}.png`) })
}

/** Follows a person through the tests of the current `describe` block, which are steps: counts what they do, and skips the
 * steps after one that has failed. */
export function useWalk() {
  let acts = 0
  let lost = false
  beforeEach(({ skip, onTestFailed }) => {
    skip(lost, 'No way leads here: a step before has failed.')
    onTestFailed(() => {
      lost = true
    })
  })
  /** Counts what a person does, such as opening a link from an email. */
  const act = async <T>(doing: Promise<T>): Promise<T> => {
    acts++
    return await doing
  }
  return {
    act,
    click: (target: Locator) => act(target.click()),
    type: (target: Locator, text: string) => act(target.fill(text)),
    choose: (target: Locator, label: string) => act(target.selectOption({ label })),
    /** How long a person would have taken so far. */
    seconds: () => acts * SECONDS_FOR_AN_ACT,
  }
}
