import { requireThat } from './failure.ts'
import type { World } from './world.ts'

const BROWSER_HEADERS = { accept: 'text/html' }
const FORM = { ...BROWSER_HEADERS, 'content-type': 'application/x-www-form-urlencoded' }

/** Opens a page or submits a form; returns the visible text and the redirect. */
export async function visit(
  world: World,
  what: string,
  address: string,
  form?: Record<string, string>,
) {
  const message = form
    ? {
        method: 'POST',
        headers: { ...FORM, 'sec-fetch-site': 'same-origin' },
        body: new URLSearchParams(form).toString(),
      }
    : { headers: BROWSER_HEADERS }
  const { status, headers, text } = await world.send(what, address, message)
  requireThat(status < 500 || world.hasFailed, 'status', `${what} answered ${status}`)
  const said = /<main[^>]*>(.*)<\/main>/s.exec(text)?.[1] ?? ''
  const words = said
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  return { status, location: headers.location, words }
}
