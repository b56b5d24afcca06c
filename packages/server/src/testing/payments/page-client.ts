import type { OutgoingHttpHeaders } from 'node:http'
import { send, type TestResponse } from '../http/requests.ts'

const BROWSER_HEADERS = { accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8' }

const splitAddress = (address: string) => {
  const { origin } = new URL(address)
  return [origin, address.slice(origin.length)] as const
}

/** Requests a page as a browser does; does not follow redirects. */
export function getPage(address: string, headers: OutgoingHttpHeaders = {}): Promise<TestResponse> {
  return send(...splitAddress(address), { headers: { ...BROWSER_HEADERS, ...headers } })
}

export type Fields = Readonly<Record<string, string>>

/** Submits a form as its own page does. */
export function submitForm(
  address: string,
  fields: Fields = {},
  headers: OutgoingHttpHeaders = {},
): Promise<TestResponse> {
  const [origin, target] = splitAddress(address)
  return send(origin, target, {
    method: 'POST',
    headers: {
      ...BROWSER_HEADERS,
      origin,
      'sec-fetch-site': 'same-origin',
      'content-type': 'application/x-www-form-urlencoded',
      ...headers,
    },
    body: new URLSearchParams(fields).toString(),
  })
}

/** The address to which a response redirects from the page `from`. */
export function redirectTarget(response: TestResponse, from: string): string {
  const { location } = response.headers
  if (response.status !== 303 || location === undefined) {
    throw new Error(`no redirect but ${response.status}: ${response.text.slice(0, 2_000)}`)
  }
  return new URL(location, from).href
}

/** The tags of a page in order, without their attributes and contents. */
export const tagsIn = (page: string): string[] => page.match(/<\/?[a-z!][^\s>]*/gi) ?? []

/** The visible text of a page. */
export const visibleText = (page: string): string =>
  page
    .replace(/<style>[\s\S]*?<\/style>|<title>[\s\S]*?<\/title>/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
