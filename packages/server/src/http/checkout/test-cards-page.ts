import { showMoney } from '../../domain/apps/currency.ts'
import { TEST_CARDS, type TestSession } from '../../domain/payments/test-cards/test-cards.ts'
import { type FormState, field, problemSummary } from '../pages/form-fields.ts'
import { type Html, html, table } from '../pages/html.ts'
import type { Page } from '../pages/page.ts'

type Card = (typeof TEST_CARDS)[number]

const inFours = (number: string) => number.replace(/\d{4}(?=\d)/g, '$& ')

/** Renders a page that resembles a provider's card page and says that it is not one. */
export function testCardsPage(
  { title, charge, backUrl }: TestSession,
  form: FormState,
  formTargets: readonly string[],
): Page {
  const money = charge && showMoney(charge.amount, charge.currency)
  const isWrong = Object.keys(form.problems).length > 0
  return {
    title: `${isWrong ? 'Error: ' : ''}Test payment – ${title}`,
    layout: 'plastic',
    formTargets,
    content: html`<header class="head">
<p class="brand">Test cards</p>
<h1>${title}</h1>
<p class="sum">${money ?? 'Nothing to pay now'}</p>
<p class="note warn">This page stands in for a payment provider. It takes the numbers listed here and no
others, and no money moves. Never enter a real card.</p>
</header>
<form class="card" method="post" autocomplete="off">
${problemSummary(form)}
${cardFields(form)}
<div class="actions">
<button>${money === undefined ? 'Save this card' : `Pay ${money}`}</button>
</div>
<p><a href="${backUrl}">Go back without ${money === undefined ? 'saving' : 'paying'}</a></p>
</form>
<div class="card">
${numbers()}
</div>`,
  }
}

const cardFields = (form: FormState): Html => html`${field(
  {
    name: 'number',
    label: 'Card number',
    autocomplete: 'off',
    inputmode: 'numeric',
    placeholder: inFours(TEST_CARDS[0].number),
  },
  form,
)}
<div class="pair">
${field({ name: 'expiry', label: 'Expires (MM/YY)', autocomplete: 'off', inputmode: 'numeric' }, form)}
${field({ name: 'cvc', label: 'Security code', autocomplete: 'off', inputmode: 'numeric' }, form)}
</div>`

const numbers = () =>
  table(
    'Numbers to try',
    [
      { title: 'Number', show: ({ number }: Card) => html`${inFours(number)}` },
      { title: 'This card', show: ({ does }: Card) => html`${does}` },
    ],
    TEST_CARDS,
  )
