import type { OutgoingHttpHeaders } from 'node:http'
import { type Answer, send } from '../http/requests.ts'

const BROWSER = { accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8' }

const partsOf = (address: string) => {
  const { origin } = new URL(address)
  return [origin, address.slice(origin.length)] as const
}

/** Requests a page as a browser does; does not follow redirects. */
export function look(address: string, headers: OutgoingHttpHeaders = {}): Promise<Answer> {
  return send(...partsOf(address), { headers: { ...BROWSER, ...headers } })
}

export type Fields = Readonly<Record<string, string>>

/** Submits a form as its own page does. */
export function fillIn(
  address: string,
  fields: Fields = {},
  headers: OutgoingHttpHeaders = {},
): Promise<Answer> {
  const [origin, target] = partsOf(address)
  return send(origin, target, {
    method: 'POST',
    headers: {
      ...BROWSER,
      origin,
      'sec-fetch-site': 'same-origin',
      'content-type': 'application/x-www-form-urlencoded',
      ...headers,
    },
    body: new URLSearchParams(fields).toString(),
  })
}

/** The address to which a response redirects from the page `from`. */
export function next(answer: Answer, from: string): string {
  const { location } = answer.headers
  if (answer.status !== 303 || location === undefined) {
    throw new Error(`no redirect but ${answer.status}: ${answer.text.slice(0, 2_000)}`)
  }
  return new URL(location, from).href
}

/** The tags of a page in order, without their attributes and contents. */
export const elementsOf = (page: string): string[] => page.match(/<\/?[a-z!][^\s>]*/gi) ?? []

/** The visible text of a page. */
export const wordsOf = (page: string): string =>
  page
    .replace(/<style>[\s\S]*?<\/style>|<title>[\s\S]*?<\/title>/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')

/** Texts that would do harm on a page that does not escape them. */
export const HOSTILE = [
  `"><script>alert(1)</script>`,
  `' autofocus onfocus='alert(1)`,
  '<img src=x onerror=alert(1)>',
  '</title></style></textarea><svg onload=alert(1)>',
  '&lt;b&gt;&#60;script&#62;',
  'javascript:alert(1)',
  '{{7*7}}`$(x)`',
  '<!--<meta http-equiv=refresh content=0;url=//evil.example>',
]
