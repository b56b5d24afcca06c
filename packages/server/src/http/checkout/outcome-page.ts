import type { Outcome, OutcomeKind } from '../../domain/payments/checkout/outcome.ts'
import { showTerms } from '../../domain/resources/price-text.ts'
import { problemWithUrl } from '../../domain/resources/url.ts'
import { type Html, html, NOTHING } from '../pages/html.ts'
import type { Page } from '../pages/page.ts'
import { backLink, type CheckoutPageData, donePage } from './done-page.ts'

type Ending = Exclude<OutcomeKind, 'open' | 'expired'>

/** The text for a checkout that is over: a heading, a sentence, and what the buyer can do next. */
interface Message {
  heading: string
  text: (data: CheckoutPageData, outcome: Outcome) => string
  more?: (data: CheckoutPageData) => Html
}

const MESSAGES: Record<Ending, Message> = {
  granted: {
    heading: 'Thank you',
    text: ({ title, checkout }) =>
      `${title} is now open to you.${checkout.trial_days > 0 ? '' : ' A receipt is on its way by e-mail.'}`,
    more: (data) => html`<p class="soft">${showTerms(data.checkout)}</p>
${resourceLink(data)}`,
  },
  card_saved: {
    heading: 'Your card was saved',
    text: ({ title }) => `It will be charged for ${title} from now on.`,
  },
  duplicate: {
    heading: 'You already have this',
    text: ({ title }, { isPaid }) =>
      isPaid
        ? `${title} was already paid for, so this payment was not needed.`
        : `There is already a subscription to ${title}. No second one was started, and nothing was charged.`,
    more: (data) => html`${resourceLink(data)}${backLink(data)}`,
  },
  late: {
    heading: 'This purchase was closed',
    text: ({ title }, { isPaid }) =>
      isPaid
        ? `Your payment arrived after this purchase was closed. ${title} has not been opened.`
        : `${title} has not been opened, and nothing was charged.`,
    more: (data) => backLink(data),
  },
  mismatch: {
    heading: 'Your payment needs a check',
    text: ({ title }) =>
      `What was paid is not what ${title} costs, so it has not been opened. The seller has to look at the payment. Please contact the seller if you don’t hear from them.`,
    more: (data) => backLink(data),
  },
  trial_used: {
    heading: 'No free trial',
    text: ({ title }) =>
      `There is no free trial of ${title} with this card or this e-mail address. Nothing was charged, and no subscription was started.`,
    more: withoutTrial,
  },
  refunded: {
    heading: 'Payment refunded',
    text: ({ title }) => `${title} is not open to you through this payment any more.`,
    more: (data) => backLink(data),
  },
  disputed: {
    heading: 'Payment disputed',
    text: ({ title }) =>
      `Your bank is reviewing this payment. ${title} stays open to you meanwhile.`,
    more: (data) => html`${resourceLink(data)}${backLink(data)}`,
  },
  lost: {
    heading: 'Payment taken back',
    text: ({ title }) =>
      `Your bank has taken this payment back. ${title} is not open to you through it any more.`,
    more: (data) => backLink(data),
  },
  ended: {
    heading: 'Your access has ended',
    text: ({ title }) => `${title} is not open to you through this purchase any more.`,
    more: (data) => backLink(data),
  },
}

/** Renders the result of a completed checkout. */
export function outcomePage(data: CheckoutPageData, outcome: Outcome): Page {
  const { heading, text, more } = MESSAGES[outcome.kind as Ending]
  const isGood = outcome.kind === 'granted' || outcome.kind === 'card_saved'
  return donePage(
    data,
    heading,
    html`${isGood ? html`<span class="mark"></span>` : NOTHING}
<h1>${heading}</h1>
<p>${text(data, outcome)}${REFUNDS[outcome.refund ?? 'none']}</p>
${more ? more(data) : NOTHING}`,
    // The form for a refused trial redirects to the provider's page.
    outcome.kind === 'trial_used' ? { formTargets: ['https:'] } : {},
  )
}

const REFUNDS = {
  none: '',
  pending: ' The payment is being refunded in full.',
  succeeded: ' The payment has been refunded in full.',
} as const

function resourceLink({ url, title }: CheckoutPageData): Html {
  const isLink = url !== '' && problemWithUrl(url) === undefined
  return isLink ? html`<p><a class="button" href="${url}">Open ${title}</a></p>` : NOTHING
}

function withoutTrial(data: CheckoutPageData): Html {
  return html`<p class="soft">${showTerms({ ...data.checkout, trial_days: 0 })}</p>
<form method="post"><button>Continue without a free trial</button></form>
${backLink(data)}`
}
