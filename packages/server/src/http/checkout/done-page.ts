import type { ApplicationTable, Seconds } from '../../db/tables.ts'
import { brandOf } from '../../domain/brand/brand.ts'
import type { Formats } from '../../domain/brand/formats.ts'
import type { CheckoutRow } from '../../domain/payments/checkout/checkouts.ts'
import { type Html, html, NOTHING } from '../pages/html.ts'
import type { Page } from '../pages/page.ts'
import type { FilesPart } from './files.ts'
import { checkoutTexts } from './texts.ts'

/** Data for the pages after a checkout. Anyone with the URL can open them: never render who the buyer is. */
export interface CheckoutPageData {
  checkout: CheckoutRow
  app: ApplicationTable
  title: string
  /** URL of the resource; may be empty. */
  url: string
  /** The picture of the resource, small. */
  thumb: Html
  formats: Formats
  /** Whether an email about the purchase is on its way. */
  isMailed: boolean
  /** Whether emails are sent here. */
  sendsMail: boolean
  /** When the access from this purchase ends. Undefined if it gave none, or if the buyer is not proven: a purchase for an
   * address that already has paid time begins later, and the date would tell. */
  ends: Seconds | undefined
  /** The files that the buyer can download after this purchase. */
  files: FilesPart
}

export function donePage(
  { app }: CheckoutPageData,
  title: string,
  content: Html,
  more: Partial<Page> = {},
): Page {
  return {
    title,
    brand: brandOf(app),
    content: html`<div class="card">
${content}
</div>`,
    ...more,
  }
}

/** Number of automatic reloads, about a minute in all. After that, the buyer has to reload the page. */
const MAX_RELOADS = 12

/** Number of reloads, a quarter of a minute, after which the page says that the payment takes longer. */
const LATE_AFTER_RELOADS = 3

/** Shown while the provider has no result yet, or can't be reached. */
export function waitingPage(data: CheckoutPageData, reloads: number): Page {
  const texts = checkoutTexts().done
  const isCard = data.checkout.purpose === 'card'
  const title = isCard ? texts.confirmingCard : texts.confirmingPayment
  const next = `?looks=${reloads + 1}`
  const willReload = reloads < MAX_RELOADS
  const late = isCard
    ? // A new card is confirmed without an email.
      texts.waitingLongForCard
    : `${texts.waitingLong}${data.sendsMail ? ` ${texts.emailFollows}` : ''}`
  return donePage(
    data,
    title,
    html`<span class="mark wait"></span>
<h1>${title}</h1>
<p role="status">${reloads < LATE_AFTER_RELOADS ? texts.waiting : late}</p>
<p><a class="button quiet" href="${next}">${texts.refresh}</a></p>
<form method="post">
<p class="soft">${texts.notFinished} <button class="text">${texts.backToPayment}</button></p>
</form>`,
    { formTargets: ['https:'], ...(willReload ? { refresh: next } : {}) },
  )
}

/** Shown when the payer returned from the provider's page without paying. */
export function notPaidPage(data: CheckoutPageData): Page {
  const { title, checkout, formats } = data
  const { done, buy, terms } = checkoutTexts()
  const price = formats.money(checkout.amount, checkout.currency)
  const { heading, text } = done.notPaid
  return donePage(
    data,
    heading,
    html`<h1>${heading}</h1>
<p>${text}</p>
<dl class="facts">
<div><dt>${done.labels.item}</dt><dd>${title}</dd></div>
<div><dt>${done.labels.price}</dt><dd>${terms.line(checkout, price)}</dd></div>
</dl>
<form method="post"><button>${buy.submitOffer(checkout, price)}</button></form>
${onwardLinks(data)}`,
    { formTargets: ['https:'] },
  )
}

export function expiredPage(data: CheckoutPageData): Page {
  const { heading, text, startElsewhere } = checkoutTexts().done.expired
  const isPublic = data.checkout.key_mark === null
  return donePage(
    data,
    heading,
    html`<h1>${heading}</h1>
<p>${text}${isPublic ? '' : ` ${startElsewhere}`}</p>
${onwardLinks(data, 'button')}`,
  )
}

/** Shown in place of a purchase that was paid too long ago. */
export function endedPage(data: CheckoutPageData): Page {
  const { heading, text, useReceipt } = checkoutTexts().done.ended
  return donePage(
    data,
    heading,
    html`<h1>${heading}</h1>
<p>${text}${data.sendsMail ? ` ${useReceipt}` : ''}</p>
${backLink(data)}`,
  )
}

/** Links to the application's own page and, unless the checkout began with a signed link, to the price page. */
function onwardLinks(data: CheckoutPageData, look = ''): Html {
  const { aid, rid, key_mark } = data.checkout
  const { startAgain } = checkoutTexts().done
  const start =
    key_mark === null
      ? html`<p><a class="${look}" href="../${aid}/${encodeURIComponent(rid)}">${startAgain}</a></p>`
      : NOTHING
  return html`${start}
${backLink(data)}`
}

/** Links to the application's own page, without a signed confirmation of payment. */
export function backLink({ checkout: { return_url }, app }: CheckoutPageData): Html {
  return return_url === null
    ? NOTHING
    : html`<p><a href="${return_url}">${checkoutTexts().done.backToSite(app.name)}</a></p>`
}
