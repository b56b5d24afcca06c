import { expect } from 'vitest'

/** Submits a form as its page does; returns the URL that it leads to. */
async function submit(page: string, fields: Record<string, string>): Promise<string> {
  const { origin } = new URL(page)
  const response = await fetch(page, {
    method: 'POST',
    redirect: 'manual',
    headers: { accept: 'text/html', origin, 'sec-fetch-site': 'same-origin' },
    body: new URLSearchParams(fields),
  })
  expect(response.status, await response.text()).toBe(303)
  return new URL(response.headers.get('location') ?? '', page).href
}

const CARD = { number: '4242 4242 4242 4242', expiry: '12/40', cvc: '123' }

/** Buys a resource in the sandbox as a reader does: `which` is the position of the price on the page. */
export async function buy(checkout: string, email: string, which: number): Promise<void> {
  const page = await (await fetch(checkout, { headers: { accept: 'text/html' } })).text()
  const prices = [...page.matchAll(/name="price"[^>]* value="([^"]+)"/g)].map((match) => match[1])
  expect(prices.length).toBeGreaterThan(which)
  const payment = await submit(checkout, { email, price: prices[which] as string })
  const done = await fetch(await submit(payment, CARD), { headers: { accept: 'text/html' } })
  expect(await done.text()).toMatch(/Thank you/i)
}
