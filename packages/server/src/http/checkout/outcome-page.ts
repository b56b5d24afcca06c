import type {
  CheckoutState,
  CheckoutStateKind,
} from '../../domain/payments/checkout/checkout-state.ts'
import { problemWithUrl } from '../../domain/resources/url.ts'
import { type Html, html, NOTHING } from '../pages/html.ts'
import type { Page } from '../pages/page.ts'
import { backLink, type CheckoutPageData, donePage } from './done-page.ts'
import { checkoutTexts } from './texts.ts'

type Ending = Exclude<CheckoutStateKind, 'open' | 'expired'>

const bothLinks = (data: CheckoutPageData) => html`${resourceLink(data)}${backLink(data)}`

/** What the buyer can do next. */
const NEXT: Record<Ending, (data: CheckoutPageData) => Html> = {
  granted: (data) => html`<p class="soft">${checkoutTexts().terms.line(data.checkout)}</p>
${resourceLink(data)}`,
  card_saved: () => NOTHING,
  duplicate: bothLinks,
  late: backLink,
  mismatch: backLink,
  trial_used: withoutTrial,
  refunded: backLink,
  disputed: bothLinks,
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
  const purchase = { isPaid: state.isPaid, isTrial: data.checkout.trial_days > 0 }
  return donePage(
    data,
    heading,
    html`${isGood ? html`<span class="mark"></span>` : NOTHING}
<h1>${heading}</h1>
<p>${text(data.title, purchase)}${refund}</p>
${NEXT[kind](data)}`,
    // The form for a refused trial redirects to the provider's page.
    kind === 'trial_used' ? { formTargets: ['https:'] } : {},
  )
}

function resourceLink({ url, title }: CheckoutPageData): Html {
  const isLink = url !== '' && problemWithUrl(url) === undefined
  const { openResource } = checkoutTexts().done
  return isLink ? html`<p><a class="button" href="${url}">${openResource(title)}</a></p>` : NOTHING
}

function withoutTrial(data: CheckoutPageData): Html {
  const { terms, done } = checkoutTexts()
  return html`<p class="soft">${terms.line({ ...data.checkout, trial_days: 0 })}</p>
<form method="post"><button>${done.continueWithoutTrial}</button></form>
${backLink(data)}`
}
