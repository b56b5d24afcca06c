import type { ApplicationTable } from '../../db/tables.ts'
import { showMoney } from '../../domain/apps/currency.ts'
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
import { type Html, html, join, NOTHING } from '../pages/html.ts'
import type { Page } from '../pages/page.ts'
import { checkoutTexts } from './texts.ts'

/** Hidden field: the form showed a price without its free trial, which this reader has used. */
export const NO_TRIAL_FIELD = 'no_trial'

/** Renders the checkout page of a resource. `problem` says why a valid form could not proceed. */
export function buyPage(link: PurchaseLink, form: FormState, problem?: string): Page {
  const { app, title, description, offers } = link
  const [only, ...others] = offers
  const { submit, submitHint } = checkoutTexts().buy
  return {
    title: pageTitle(`${title} – ${app.name}`, form),
    layout: 'buy',
    formTargets: ['https:'],
    footer: seller(app),
    content: html`<form method="post">
${problem === undefined ? NOTHING : html`<p class="note bad" role="alert">${problem}</p>`}
${problemSummary(form)}
<div class="head">
<p class="brand">${app.name}</p>
<h1>${title}</h1>
${description === '' ? NOTHING : html`<p class="about">${description}</p>`}
${only && others.length === 0 ? offerAlone(only, form) : offerChoice(offers, form)}
${offers.some(({ isTrialUsed }) => isTrialUsed) ? html`<input type="hidden" name="${NO_TRIAL_FIELD}" value="1">` : NOTHING}
</div>
<div class="card">
${emailField(link, form)}
${nameFields(form)}
<div>
<button>${submit}</button>
<p class="hint">${submitHint}</p>
</div>
</div>
</form>`,
  }
}

/** The form sends the offer's id back, so that no other offer is sold if this one is withdrawn meanwhile. */
function offerAlone(offer: Offer, form: FormState): Html {
  const { price, interval, summary } = offerTexts(offer)
  return html`${problemNote('price', form)}
<p class="sum" id="price">${price} <small>${interval}</small></p>
<p class="soft">${summary}</p>
${offer.id === '' ? NOTHING : html`<input type="hidden" name="price" value="${offer.id}">`}`
}

function offerTexts(offer: Offer) {
  const { terms } = checkoutTexts()
  const price = showMoney(offer.amount, offer.currency)
  return { price, interval: terms.interval(offer), summary: terms.summary(offer, price) }
}

function offerChoice(offers: readonly Offer[], form: FormState): Html {
  const problem = form.problems.price
  const choices = offers.map((offer, i) => {
    const { id } = offer
    const { price, interval, summary } = offerTexts(offer)
    const input = attributes({
      type: 'radio',
      name: 'price',
      // The problem summary links to the first radio button.
      id: i === 0 ? 'price' : `price-${id}`,
      value: id,
      required: true,
      checked: form.values.price === id,
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

function emailField({ vouched }: PurchaseLink, form: FormState): Html {
  const { emailLabel: label, emailHint: hint } = checkoutTexts().buy
  if (vouched?.email !== undefined) {
    return html`<div class="field">
<p class="label">${label}</p>
<p class="fixed">${vouched.email}</p>
</div>`
  }
  return field({ name: 'email', label, autocomplete: 'email', inputmode: 'email', hint }, form)
}

function nameFields(form: FormState): Html {
  const { firstName, lastName } = checkoutTexts().buy
  return html`<div class="pair">
${field({ name: 'first_name', label: firstName, autocomplete: 'given-name', optional: true }, form)}
${field({ name: 'last_name', label: lastName, autocomplete: 'family-name', optional: true }, form)}
</div>`
}

/** Renders who sells, which the buyer has to know before paying. */
export function seller({ name, seller_name, seller_address }: ApplicationTable): Html {
  const lines = (seller_address ?? '')
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
  const all = [seller_name ?? name, ...lines].map((line) => html`${line}`)
  return html`<p>${checkoutTexts().buy.soldBy} ${join(all, ' · ')}</p>`
}
