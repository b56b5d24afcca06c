import type { Seconds } from '../../db/tables.ts'
import { brandOf } from '../../domain/brand/brand.ts'
import type { Formats } from '../../domain/brand/formats.ts'
import { isWorthBuying } from '../../domain/payments/checkout/owned.ts'
import type { Offer, PurchaseLink } from '../../domain/payments/checkout/purchase-link.ts'
import {
  attributes,
  type FormState,
  field,
  isFirstWithProblem,
  pageTitle,
  problemNote,
  problemSummary,
} from '../pages/form-fields.ts'
import { type Html, html, NOTHING } from '../pages/html.ts'
import { markdownHtml } from '../pages/markdown.ts'
import type { Page } from '../pages/page.ts'
import { MAX_LIVE_OFFERS } from '../pages/style.ts'
import type { FilesPart } from './files.ts'
import { type OrderContext, orderSummary } from './order-summary.ts'
import { ownedNote, passNote } from './owned-note.ts'
import { checkoutTexts } from './texts.ts'

/** Hidden field: the form showed a price without its free trial, which this reader has used. */
export const TRIAL_USED_FIELD = 'no_trial'

/** Data for the checkout page. */
export interface BuyPageData {
  link: PurchaseLink
  form: FormState
  formats: Formats
  now: Seconds
  /** Whether emails are sent here. */
  sendsMail: boolean
  /** The page of the reader's subscription, if a signed link says who the reader is. */
  manageUrl: string | undefined
  /** The picture of the resource. */
  cover: Html
  /** The files that the reader can already download. */
  files: FilesPart
  /** Why a valid form could not proceed. */
  problem?: string | undefined
}

/** Renders the checkout page of a resource. */
export function buyPage(data: BuyPageData): Page {
  const { link, form, problem } = data
  const { app, title } = link
  // After a refusal, the form stays as it was sent.
  const isSent = problem !== undefined || Object.keys(form.problems).length > 0
  const offers = isSent ? link.offers : link.offers.filter((one) => isWorthBuying(one, link.owned))
  // The reader has all that is for sale here: the title comes first, as nothing is bought below the note.
  if (offers.length === 0)
    return {
      title,
      brand: brandOf(app),
      content: html`<div class="head">
${data.cover}
${product(link)}
</div>
${ownedPart(data, offers)}`,
    }
  return {
    title: pageTitle(title, form),
    layout: 'buy',
    formTargets: ['https:'],
    brand: brandOf(app),
    content: html`${ownedPart(data, offers)}
<form method="post">
${problem === undefined ? NOTHING : html`<p class="note bad" role="alert">${problem}</p>`}
${problemSummary(form)}
<div class="head">
${data.cover}
${product(link)}
${offerPart(offers, data)}
</div>
${orderCard(offers, data)}
</form>`,
  }
}

function product({ title, description }: PurchaseLink): Html {
  const about =
    description === '' ? NOTHING : html`<div class="about">${markdownHtml(description)}</div>`
  return html`<h1>${title}</h1>
${about}`
}

function ownedPart(
  { link, formats, manageUrl, files }: BuyPageData,
  offers: readonly Offer[],
): Html {
  const { owned, pass, title, url } = link
  const canExtend = offers.some(({ recurring, period }) => !recurring && period !== null)
  if (owned) return ownedNote({ ...owned, title, url, manageUrl, files }, formats, canExtend)
  return pass ? passNote({ title, url, pass }, formats) : NOTHING
}

function offerPart(offers: readonly Offer[], { form, formats }: BuyPageData): Html {
  const [only, ...others] = offers
  const isTrialUsed = offers.some((offer) => offer.isTrialUsed)
  return html`${only && others.length === 0 ? offerAlone(only, form, formats) : offerChoice(offers, form, formats)}
${isTrialUsed ? html`<input type="hidden" name="${TRIAL_USED_FIELD}" value="1">` : NOTHING}`
}

/** The form sends the offer's id back, so that no other offer is sold if this one is withdrawn meanwhile. */
function offerAlone(offer: Offer, form: FormState, formats: Formats): Html {
  const { price, interval, summary } = offerTexts(offer, formats)
  return html`${problemNote('price', form)}
<div><p class="sum" id="price">${price} <small>${interval}</small></p>
<p class="soft">${summary}</p></div>
${offer.id === '' ? NOTHING : html`<input type="hidden" name="price" value="${offer.id}">`}`
}

function offerTexts(offer: Offer, formats: Formats) {
  const { terms } = checkoutTexts()
  const price = formats.money(offer.amount, offer.currency)
  return { price, interval: terms.interval(offer), summary: terms.summary(offer, price) }
}

function offerChoice(offers: readonly Offer[], form: FormState, formats: Formats): Html {
  const problem = form.problems.price
  // One is chosen from the start. Once the buyer's own choice is gone, nothing else is chosen instead.
  const chosen = form.values.price || (problem === undefined ? offers[0]?.id : undefined)
  const choices = offers.map((offer, i) => {
    const { id } = offer
    const { price, interval, summary } = offerTexts(offer, formats)
    const input = attributes({
      type: 'radio',
      name: 'price',
      // The problem summary links to the first radio button.
      id: i === 0 ? 'price' : `price-${id}`,
      value: id,
      required: true,
      checked: chosen === id,
      'data-n': i < MAX_LIVE_OFFERS ? String(i) : undefined,
      autofocus: i === 0 && isFirstWithProblem('price', form),
    })
    return html`<label class="offer"><input ${input}>
<span><b>${price}</b> ${interval}</span>
<span class="hint">${summary}</span></label>`
  })
  const fieldset = attributes({
    'aria-describedby': problem === undefined ? undefined : 'price-problem',
  })
  return html`<fieldset ${fieldset}>
<legend>${checkoutTexts().buy.chooseOffer}</legend>
${problemNote('price', form)}
${choices}
</fieldset>`
}

function orderCard(offers: readonly Offer[], data: BuyPageData): Html {
  const { form } = data
  const { submitHint } = checkoutTexts().buy
  return html`<div class="card">
${emailField(data)}
${nameFields(form)}
${summaryOf(offers, { ...data, owned: data.link.owned })}
<div>
<button>${submitText(offers, data)}</button>
<p class="hint">${submitHint}</p>
</div>
</div>`
}

/** Renders the summary of each offer. The style shows that of the chosen one, where the browser can tell. */
function summaryOf(offers: readonly Offer[], context: OrderContext): Html {
  const { heading } = checkoutTexts().order
  const wrap = (look: string, content: Html) =>
    html`<section class="${look}"><h2 class="label">${heading}</h2><div class="summary">${content}</div></section>`
  if (offers.length === 1) return wrap('', orderSummary(offers[0] as Offer, context))
  const each = offers
    .slice(0, MAX_LIVE_OFFERS)
    .map((offer, n) => wrap(`alt for-${n}`, orderSummary(offer, context)))
  return html`${each}`
}

/** The button says what it does. Where the browser can't show the chosen offer's text, it shows one that fits any. */
function submitText(offers: readonly Offer[], { formats }: BuyPageData): Html {
  const { submit, submitOffer } = checkoutTexts().buy
  const textOf = (offer: Offer) => submitOffer(offer, formats.money(offer.amount, offer.currency))
  const texts = [...new Set(offers.map(textOf))]
  if (texts.length === 1) return html`${texts[0] as string}`
  const each = offers
    .slice(0, MAX_LIVE_OFFERS)
    .map((offer, n) => html`<span class="alt for-${n}">${textOf(offer)}</span>`)
  return html`<span class="for-any">${submit}</span>${each}`
}

function emailField({ link: { vouched }, form, sendsMail }: BuyPageData): Html {
  const { emailLabel: label, emailHint, emailHintUnsent } = checkoutTexts().buy
  if (vouched?.email !== undefined) {
    return html`<div class="field">
<p class="label">${label}</p>
<p class="fixed">${vouched.email}</p>
</div>`
  }
  const hint = sendsMail ? emailHint : emailHintUnsent
  return field({ name: 'email', label, autocomplete: 'email', inputmode: 'email', hint }, form)
}

function nameFields(form: FormState): Html {
  const { firstName, lastName } = checkoutTexts().buy
  return html`<div class="pair">
${field({ name: 'first_name', label: firstName, autocomplete: 'given-name', optional: true }, form)}
${field({ name: 'last_name', label: lastName, autocomplete: 'family-name', optional: true }, form)}
</div>`
}
