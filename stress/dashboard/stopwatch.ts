import type { Page } from 'playwright-core'

/** How often a page is opened of which the median is taken. */
const ROUNDS = 5
const AIM_MS = 300

interface Measured {
  name: string
  times: number[]
  hasAim: boolean
}

const median = (times: readonly number[]) =>
  [...times].sort((one, other) => one - other)[Math.floor(times.length / 2)] as number

/** Remembers how long each step took. */
export class Stopwatch {
  readonly #measured: Measured[] = []

  /** Measures one step. */
  async time<T>(name: string, step: () => Promise<T>): Promise<T> {
    const began = performance.now()
    const result = await step()
    this.#measured.push({ name, times: [performance.now() - began], hasAim: false })
    return result
  }

  /** Opens a page of the dashboard several times, and measures until it shows an element. */
  async timePage(page: Page, path: string, shows = 'main tr[data-row]'): Promise<void> {
    const times: number[] = []
    const elsewhere = path.replace(/^(\/dashboard\/[^/]+\/[^/]+\/).*$/, '$1developers')
    for (let round = 0; round < ROUNDS; round++) {
      await page.goto(new URL(elsewhere, page.url()).href)
      await page.locator('main h1').waitFor()
      times.push(await openLikeLink(page, path, shows))
    }
    const name = path.replace(/^\/dashboard\/[^/]+\/[^/]+\//, '')
    this.#measured.push({ name, times, hasAim: true })
  }

  report(title: string): string {
    const lines = this.#measured.map(({ name, times, hasAim }) => {
      const took = median(times)
      const verdict = hasAim ? (took <= AIM_MS ? 'reached' : 'missed') : ''
      return `  ${name.padEnd(64)} ${took.toFixed(0).padStart(7)}  ${verdict}`
    })
    return [
      `${title}: ms until each step could be used; lists and figures are the median of ${ROUNDS}, with an aim of ${AIM_MS} ms`,
      ...lines,
    ].join('\n')
  }
}

/** Opens a page of the app as a click on a link does, without loading the app again; returns the milliseconds. */
async function openLikeLink(page: Page, path: string, shows: string): Promise<number> {
  return await page.evaluate(
    (asked) =>
      new Promise<number>((resolve, reject) => {
        const began = performance.now()
        history.pushState({}, '', asked.path)
        const look = () => {
          if (document.querySelector(asked.shows)) resolve(performance.now() - began)
          else if (performance.now() - began > 300_000) reject(new Error(`${asked.path} is empty`))
          else requestAnimationFrame(look)
        }
        requestAnimationFrame(look)
      }),
    { path, shows },
  )
}
