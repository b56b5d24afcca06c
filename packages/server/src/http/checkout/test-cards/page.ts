import type { Formats } from '../../../domain/brand/formats.ts'
import { TEST_CARDS } from '../../../domain/payments/test-cards/cards.ts'
import type { TestSession } from '../../../domain/payments/test-cards/sessions.ts'
import { type FormState, field, pageTitle, problemSummary } from '../../pages/form-fields.ts'
import { type Html, html, table } from '../../pages/html.ts'
import type { Page } from '../../pages/page.ts'
import { checkoutTexts } from '../texts.ts'

type Card = (typeof TEST_CARDS)[number]

const inFours = (number: string) => number.replace(/\d{4}(?=\d)/g, '$& ')

/** Renders the card form that replaces a provider's page, with the list of test cards below it. */
export function testPaymentPage(
  { title, charge, backUrl }: TestSession,
  form: FormState,
  formTargets: readonly string[],
  formats: Formats,
): Page {
  const texts = checkoutTexts().testCards
  const money = charge && formats.money(charge.amount, charge.currency)
  return {
    title: pageTitle(texts.pageTitle(title), form),
    layout: 'plastic',
    formTargets,
    content: html`<header class="head">
<p class="soft">${texts.brand}</p>
<h1>${title}</h1>
<p class="sum">${money ?? texts.nothingToPay}</p>
<p class="note warn">${texts.notice}</p>
</header>
<form class="card" method="post" autocomplete="off">
${problemSummary(form)}
${cardFields(form)}
<div class="actions">
<button>${money === undefined ? texts.saveCard : texts.pay(money)}</button>
</div>
<p><a href="${backUrl}">${money === undefined ? texts.backWithoutSaving : texts.backWithoutPaying}</a></p>
</form>
<div class="card">
${cardTable()}
</div>`,
  }
}

function cardFields(form: FormState): Html {
  const texts = checkoutTexts().testCards
  const common = { autocomplete: 'off', inputmode: 'numeric' } as const
  const placeholder = inFours(TEST_CARDS[0].number)
  return html`${field({ name: 'number', label: texts.number, ...common, placeholder }, form)}
<div class="pair">
${field({ name: 'expiry', label: texts.expiry, ...common }, form)}
${field({ name: 'cvc', label: texts.cvc, ...common }, form)}
</div>`
}

function cardTable(): Html {
  const { table: titles, cards } = checkoutTexts().testCards
  return table(
    titles.caption,
    [
      { title: titles.number, show: ({ number }: Card) => html`${inFours(number)}` },
      { title: titles.effect, show: ({ name }: Card) => html`${cards[name]}` },
    ],
    TEST_CARDS,
  )
}
