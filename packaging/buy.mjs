// Runs in a folder where only the two packages are installed: starts the service, calls it, and sells something.
import assert from 'node:assert/strict'
import { startGatehouse } from '@gatehouse/sdk/testing'

const gatehouse = await startGatehouse()
const { client, baseUrl, aid } = gatehouse
const rid = 'demo-article'

/** Submits a form as its page does; returns the address that it leads to. */
async function submit(page, fields) {
  const { origin } = new URL(page)
  const response = await fetch(page, {
    method: 'POST',
    redirect: 'manual',
    headers: { accept: 'text/html', origin, 'sec-fetch-site': 'same-origin' },
    body: new URLSearchParams(fields),
  })
  assert.equal(response.status, 303)
  return new URL(response.headers.get('location'), page).href
}

try {
  await client.grantAccess({ rid, user_ref: 'ann', email: 'ann@example.com' })
  assert.equal(await client.hasAccess({ rid, user_ref: 'ann' }), true)
  assert.equal(await client.hasAccess({ rid, user_ref: 'bob' }), false)
  const checkout = `${baseUrl}/checkout/${aid}/${rid}`
  const page = await (await fetch(checkout)).text()
  const [, price] = /name="price"[^>]* value="([^"]+)"/.exec(page) ?? []
  const payment = await submit(checkout, { email: 'bob@example.com', price })
  const card = { number: '4242 4242 4242 4242', expiry: '12/40', cvc: '123' }
  const done = await fetch(await submit(payment, card), { headers: { accept: 'text/html' } })
  assert.match(await done.text(), /Thank you/)
  const { data } = await client.searchAccess({ email: 'bob@example.com' })
  assert.equal(data.length, 1)
  const dashboard = await fetch(`${gatehouse.url}/dashboard/`)
  assert.match(await dashboard.text(), /<script/)
} finally {
  await gatehouse.stop()
}
console.log('sold')
