import type { ApplicationTable } from '../../db/tables.ts'
import { showMoney } from '../../domain/apps/currency.ts'
import type { Offer, PurchaseLink } from '../../domain/payments/checkout/purchase-link.ts'
import { billingInterval, termsSummary } from '../../domain/resources/price-text.ts'
import {
  attributes,
  type FormState,
  field,
  isFirstProblem,
  problemNote,
  problemSummary,
} from '../pages/form-fields.ts'
import { type Html, html, join, NOTHING } from '../pages/html.ts'
import type { Page } from '../pages/page.ts'

/** Hidden field: the form showed a price without its free trial, which this reader has used. */
export const NO_TRIAL_FIELD = 'no_trial'

/** Renders the checkout page of a resource. `problem` says why a valid form could not proceed. */
export function buyPage(link: PurchaseLink, form: FormState, problem?: string): Page {
  const { app, title, description, offers } = link
  const [only, ...others] = offers
  const isWrong = Object.keys(form.problems).length > 0
  return {
    title: `${isWrong ? 'Error: ' : ''}${title} – ${app.name}`,
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
<button>Continue to payment</button>
<p class="hint">You enter your card on the next page.</p>
</div>
</div>
</form>`,
  }
}

/** The form sends the offer's id back, so that no other offer is sold if this one is withdrawn meanwhile. */
function offerAlone(offer: Offer, form: FormState): Html {
  return html`${problemNote('price', form)}
<p class="sum" id="price">${showMoney(offer.amount, offer.currency)} <small>${billingInterval(offer)}</small></p>
<p class="soft">${termsSummary(offer)}</p>
${offer.id === '' ? NOTHING : html`<input type="hidden" name="price" value="${offer.id}">`}`
}

function offerChoice(offers: readonly Offer[], form: FormState): Html {
  const problem = form.problems.price
  const choices = offers.map((offer, i) => {
    const { id, amount, currency } = offer
    const input = attributes({
      type: 'radio',
      name: 'price',
      // The problem summary links to the first radio button.
      id: i === 0 ? 'price' : `price-${id}`,
      value: id,
      required: true,
      checked: form.values.price === id,
      autofocus: i === 0 && isFirstProblem('price', form),
    })
    return html`<label class="offer"><input ${input}>
<span><b>${showMoney(amount, currency)}</b> ${billingInterval(offer)}</span>
<span class="hint">${termsSummary(offer)}</span></label>`
  })
  const fieldset = attributes({
    'aria-describedby': problem === undefined ? undefined : 'price-problem',
  })
  return html`<fieldset ${fieldset}>
<legend>Choose your access</legend>
${problemNote('price', form)}
${choices}
</fieldset>`
}

function emailField({ vouched }: PurchaseLink, form: FormState): Html {
  if (vouched?.email !== undefined) {
    return html`<div class="field">
<p class="label">E-mail</p>
<p class="fixed">${vouched.email}</p>
</div>`
  }
  const hint = 'Your receipt is sent there.'
  return field(
    { name: 'email', label: 'E-mail', autocomplete: 'email', inputmode: 'email', hint },
    form,
  )
}

const nameFields = (form: FormState) => html`<div class="pair">
${field({ name: 'first_name', label: 'First name', autocomplete: 'given-name', optional: true }, form)}
${field({ name: 'last_name', label: 'Last name', autocomplete: 'family-name', optional: true }, form)}
</div>`

/** Renders who sells, which the buyer has to know before paying. */
export function seller({ name, seller_name, seller_address }: ApplicationTable): Html {
  const lines = (seller_address ?? '')
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
  const all = [seller_name ?? name, ...lines].map((line) => html`${line}`)
  return html`<p>Sold by ${join(all, ' · ')}</p>`
}
