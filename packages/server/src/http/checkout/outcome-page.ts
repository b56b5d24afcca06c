import type {
  CheckoutState,
  CheckoutStateKind,
} from '../../domain/payments/checkout/checkout-state.ts'
import { dayHtml } from '../pages/date.ts'
import { fileList } from '../pages/file-list.ts'
import { type Html, html, NOTHING } from '../pages/html.ts'
import type { Page } from '../pages/page.ts'
import { backLink, type CheckoutPageData, donePage } from './done-page.ts'
import { openLink } from './open-link.ts'
import { checkoutTexts } from './texts.ts'

type Ending = Exclude<CheckoutStateKind, 'open' | 'expired'>

const bothLinks = (data: CheckoutPageData) => html`${resourceLink(data)}${backLink(data)}`

/** The files come first: they are what was bought. */
const filesAndLink = (data: CheckoutPageData) => html`${fileList(data.files.files, data.files.url)}
${resourceLink(data)}`

const resourceLink = (data: CheckoutPageData) => html`<p>${openLink(data)}</p>`

/** The content of the page below its heading, by outcome: facts about the purchase, and links to go on. */
const NEXT: Record<Ending, (data: CheckoutPageData) => Html> = {
  granted: (data) => html`${data.thumb}
${purchaseFacts(data)}
${filesAndLink(data)}
${mailLine(data)}`,
  card_saved: () => NOTHING,
  duplicate: bothLinks,
  late: backLink,
  mismatch: backLink,
  trial_used: withoutTrial,
  refunded: backLink,
  disputed: (data) => html`${filesAndLink(data)}
${backLink(data)}`,
  lost: backLink,
  ended: backLink,
}

/** Renders the result of a completed checkout. */
export function outcomePage(data: CheckoutPageData, state: CheckoutState): Page {
  const kind = state.kind as Ending
  const { outcomes, done } = checkoutTexts()
  const { heading, text } = outcomes[kind]
  const isGood = kind === 'granted' || kind === 'card_saved'
  const refund = state.refund === undefined ? '' : ` ${done.refunds[state.refund]}`
  return donePage(
    data,
    heading,
    html`${isGood ? html`<span class="mark"></span>` : NOTHING}
<h1>${heading}</h1>
<p>${text(data.title, state)}${refund}</p>
${NEXT[kind](data)}`,
    // The form for a refused trial redirects to the provider's page.
    kind === 'trial_used' ? { formTargets: ['https:'] } : {},
  )
}

/** Renders what was bought, for how much and until when. */
function purchaseFacts({ checkout, title, formats, ends }: CheckoutPageData): Html {
  const { labels, lifetime, paymentOn } = checkoutTexts().done
  const { amount, currency, recurring, period, trial_days } = checkout
  const price = formats.money(amount, currency)
  const paid = trial_days > 0 ? formats.money(0, currency) : price
  const row = (label: string, value: Html | string) =>
    html`<div><dt>${label}</dt><dd>${value}</dd></div>`
  const accessRow = () => {
    if (period === null) return row(labels.access, lifetime)
    if (ends === undefined) return row(labels.access, period)
    const day = dayHtml(ends, formats)
    if (!recurring) return row(labels.accessUntil, day)
    const label = trial_days > 0 ? labels.firstPayment : labels.nextPayment
    return row(label, paymentOn(price, day))
  }
  return html`<dl class="facts">
${row(labels.item, title)}
${row(labels.paid, paid)}
${accessRow()}
</dl>`
}

function mailLine({ isMailed, checkout }: CheckoutPageData): Html {
  const { receiptFollows, subscriptionReceiptFollows, trialMailFollows } = checkoutTexts().done
  const receipt = checkout.recurring ? subscriptionReceiptFollows : receiptFollows
  const text = checkout.trial_days > 0 ? trialMailFollows : receipt
  return isMailed ? html`<p class="soft">${text}</p>` : NOTHING
}

function withoutTrial(data: CheckoutPageData): Html {
  const { terms, buy, done } = checkoutTexts()
  const offer = { ...data.checkout, trial_days: 0 }
  const price = data.formats.money(offer.amount, offer.currency)
  return html`<p class="soft">${done.withoutTrial(terms.line(offer, price))}</p>
<form method="post"><button>${buy.submitOffer(offer, price)}</button></form>
${backLink(data)}`
}
