import type { ApplicationTable } from '../../db/tables.ts'
import type { CheckoutRow } from '../../domain/payments/checkout/checkouts.ts'
import { showTerms } from '../../domain/resources/price-text.ts'
import { type Html, html, NOTHING } from '../pages/html.ts'
import type { Page } from '../pages/page.ts'
import { seller } from './buy-page.ts'

/** Data for the pages after a checkout. Anyone with the URL can open them: never render who the buyer is. */
export interface CheckoutPageData {
  checkout: CheckoutRow
  app: ApplicationTable
  title: string
  /** URL of the resource; may be empty. */
  url: string
}

export function donePage(
  { app }: CheckoutPageData,
  title: string,
  content: Html,
  more: Partial<Page> = {},
): Page {
  return {
    title: `${title} – ${app.name}`,
    footer: seller(app),
    content: html`<header class="head"><p class="brand">${app.name}</p></header>
<div class="card">
${content}
</div>`,
    ...more,
  }
}

/** Number of automatic reloads, about a minute in all. After that, the buyer has to reload the page. */
const MAX_RELOADS = 12

const PATIENCE = 'This takes a few seconds. The page looks again by itself.'
const LATE =
  'This takes longer than usual. You can close this page: once it is confirmed, you get an e-mail.'

/** Shown while the provider has no result yet, or can't be reached. */
export function waitingPage(data: CheckoutPageData, looks: number): Page {
  const title = `Confirming your ${data.checkout.purpose === 'card' ? 'card' : 'payment'}`
  const next = `?looks=${looks + 1}`
  const goesOn = looks < MAX_RELOADS
  return donePage(
    data,
    title,
    html`<span class="mark wait"></span>
<h1>${title}</h1>
<p role="status">${goesOn ? PATIENCE : LATE}</p>
<p><a class="button quiet" href="${next}">Look again now</a></p>
<form method="post">
<p class="soft">Not finished there? <button class="text">Go back to the payment page</button></p>
</form>`,
    { formTargets: ['https:'], ...(goesOn ? { refresh: next } : {}) },
  )
}

/** Shown when the payer returned from the provider's page without paying. */
export function notPaidPage(data: CheckoutPageData): Page {
  const { title, checkout } = data
  return donePage(
    data,
    'Not paid',
    html`<h1>Nothing was paid</h1>
<p>You left the payment page before the end. ${title} is still waiting for you: ${showTerms(checkout)}.</p>
<form method="post"><button>Continue to payment</button></form>
${onwardLinks(data)}`,
    { formTargets: ['https:'] },
  )
}

export function expiredPage(data: CheckoutPageData): Page {
  const isPublic = data.checkout.key_mark === null
  return donePage(
    data,
    'This checkout has expired',
    html`<h1>This checkout has expired</h1>
<p>It was not paid in time, and nothing was charged.${isPublic ? '' : ' Go back to where you found it and start again from there.'}</p>
${onwardLinks(data, 'button')}`,
  )
}

/** Links to the application's own page and, unless the checkout began with a signed link, to the price page. */
function onwardLinks(data: CheckoutPageData, look = ''): Html {
  const { aid, rid, key_mark } = data.checkout
  const start =
    key_mark === null
      ? html`<p><a class="${look}" href="../${aid}/${encodeURIComponent(rid)}">Start again</a></p>`
      : NOTHING
  return html`${start}
${backLink(data)}`
}

/** Links to the application's own page, without a signed confirmation of payment. */
export function backLink({ checkout: { return_url }, app }: CheckoutPageData): Html {
  return return_url === null
    ? NOTHING
    : html`<p><a href="${return_url}">Back to ${app.name}</a></p>`
}
