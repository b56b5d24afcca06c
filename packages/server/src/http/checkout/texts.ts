import type { CheckoutStateKind } from '../../domain/payments/checkout/checkout-state.ts'
import type { CardName } from '../../domain/payments/test-cards/cards.ts'
import type { Terms } from '../../domain/resources/prices.ts'
import { textsIn } from '../../language.ts'
import { type Html, html } from '../pages/html.ts'
import type { ErrorTexts } from '../pages/texts.ts'

interface OutcomeText {
  heading: string
  text: (title: string, purchase: { isPaid: boolean }) => string
}

const days = (count: number) => (count === 1 ? 'day' : `${count} days`)

/** After an amount: `a month`, `every 3 months`. */
const perPeriod = (period: string) =>
  period.startsWith('1 ') ? `a ${period.slice(2)}` : `every ${period}`

const terms = {
  /** After the amount: `a month`, `for 30 days`, `for lifetime access`. */
  interval({ recurring, period }: Pick<Terms, 'recurring' | 'period'>): string {
    if (period === null) return 'for lifetime access'
    return recurring ? perPeriod(period) : `for ${period}`
  },
  /** In one line: `€4.99 a month, first 14 days free`. */
  line(offer: Terms, price: string): string {
    const trial = offer.trial_days > 0 ? `, first ${days(offer.trial_days)} free` : ''
    return `${price} ${terms.interval(offer)}${trial}`
  },
  /** The terms that the buyer agrees to besides the amount. */
  summary({ recurring, period, trial_days }: Terms, price: string): string {
    if (!recurring || period === null) {
      return period === null
        ? 'One-time payment.'
        : `One-time payment. Access ends after ${period}.`
    }
    return trial_days > 0
      ? `First ${days(trial_days)} free, then ${price} ${perPeriod(period)} until you cancel.`
      : 'Renews automatically until you cancel.'
  },
}

/** The summary of the order: each charge and its date. */
const order = {
  heading: 'Your order',
  today: 'Today',
  /** Before the price of a period: `Then, from 29 November`. */
  thenFrom: (day: Html) => html`Then, from ${day}`,
  perPeriod: (price: string, period: string) => `${price} ${perPeriod(period)}`,
  accessUntil: 'Access until',
  access: 'Access',
  lifetime: 'Lifetime',
  oneTime: () => html`One-time payment. It does not renew.`,
  renews: () => html`Renews automatically. You can cancel at any time.`,
  trial: (day: Html) =>
    html`Cancel before ${day} and you pay nothing. After that, it renews automatically until you cancel.`,
}

const buy = {
  emailLabel: 'Email',
  emailHint: 'Your receipt will be sent to this address.',
  /** Where no email can be sent. */
  emailHintUnsent: 'Your purchase will be registered with this address.',
  firstName: 'First name',
  lastName: 'Last name',
  chooseOffer: 'Choose an option',
  /** The button's text where the chosen option is not known. */
  submit: 'Continue to payment',
  /** The button says what it does. */
  submitOffer: ({ recurring, period, trial_days }: Terms, price: string) => {
    if (!recurring || period === null) return `Pay ${price}`
    return trial_days > 0 ? 'Start free trial' : `Subscribe for ${price} ${perPeriod(period)}`
  },
  submitHint: 'You will enter your card details on the next page.',
  owned: {
    heading: 'You already have this',
    lifetime: (title: string) => html`You have lifetime access to ${title}.`,
    until: (title: string, end: Html) => html`You have access to ${title} until ${end}.`,
    renews: (title: string, end: Html) =>
      html`You have a subscription to ${title}. It renews on ${end}.`,
    canceled: (title: string, end: Html) =>
      html`Your subscription to ${title} is canceled. It is paid until ${end}, and you can resume it until then.`,
    pastDue: (title: string) =>
      html`You have a subscription to ${title}, but the last payment failed.`,
    alreadyOpen: 'This is already open to you',
    throughPass: (title: string, pass: string) => html`You can open ${title} through ${pass}.`,
    throughPassUntil: (title: string, pass: string, end: Html) =>
      html`You can open ${title} through ${pass} until ${end}.`,
    manage: 'Manage your subscription',
    /** Where a one-time period is for sale. */
    extend: 'A one-time period that you buy now starts when the time you have paid for ends.',
  },
  problems: {
    offerMissing: 'Choose one of the options.',
    offerGone: 'This offer is no longer available. Please check the current price.',
    emailMissing: 'Enter your email address.',
    emailInvalid: 'Enter a valid email address, like name@example.com.',
    firstNameInvalid: 'Your first name is too long or contains characters that can’t be used.',
    lastNameInvalid: 'Your last name is too long or contains characters that can’t be used.',
  },
  trialUsed: (isAddressTyped: boolean) =>
    `The free trial has already been used${isAddressTyped ? ' with this email address' : ''}. Please check the price before you continue.`,
  trialAvailable: (isAddressTyped: boolean) =>
    `A free trial is available${isAddressTyped ? ' with this email address' : ''}. Please check the terms before you continue.`,
}

const done = {
  confirmingPayment: 'Confirming your payment',
  confirmingCard: 'Confirming your card',
  waiting: 'This takes a few seconds. The page refreshes automatically.',
  waitingLong:
    'This is taking longer than usual. You can close this page: if you have paid, your purchase is completed without it. You are not charged twice, however often you refresh.',
  waitingLongForCard: 'This is taking longer than usual. You can close this page.',
  emailFollows: 'You will get an email when your payment is confirmed.',
  receiptFollows: 'Your receipt is on its way by email.',
  subscriptionReceiptFollows:
    'Your receipt is on its way by email, with a link to manage your subscription.',
  trialMailFollows: 'An email with the details and a link to cancel is on its way.',
  labels: {
    item: 'Item',
    price: 'Price',
    paid: 'Paid',
    access: 'Access',
    accessUntil: 'Access until',
    nextPayment: 'Next payment',
    firstPayment: 'First payment',
  },
  lifetime: 'Lifetime',
  paymentOn: (price: string, day: Html) => html`${price} on ${day}`,
  refresh: 'Refresh now',
  notFinished: 'Not finished yet?',
  backToPayment: 'Return to the payment page',
  notPaid: {
    heading: 'Payment not completed',
    text: 'You left the payment page before paying. Nothing was charged.',
  },
  expired: {
    heading: 'This checkout has expired',
    text: 'The payment was not completed in time. Nothing was charged.',
    startElsewhere: 'To try again, go back to the site where you started.',
  },
  ended: {
    heading: 'This page has ended',
    text: 'It showed a purchase for 30 days. What you bought is not affected.',
    useReceipt: 'Your receipt, which you got by email, leads to it.',
  },
  startAgain: 'Start again',
  openResource: (title: string) => `Open ${title}`,
  backToSite: (site: string) => `Back to ${site}`,
  withoutTrial: (terms: string) => `Without a free trial: ${terms}.`,
  refunds: {
    pending: 'The payment is being refunded in full.',
    succeeded: 'The payment has been refunded in full.',
  },
}

const outcomes: Record<Exclude<CheckoutStateKind, 'open' | 'expired'>, OutcomeText> = {
  granted: {
    heading: 'Thank you',
    text: (title) => `You now have access to ${title}.`,
  },
  card_saved: {
    heading: 'Your card was saved',
    text: (title) => `Future payments for ${title} will be charged to this card.`,
  },
  duplicate: {
    heading: 'You already have this',
    text: (title, { isPaid }) =>
      isPaid
        ? `You had already paid for ${title}, so this payment was not needed.`
        : `You already have a subscription to ${title}. No second one was started, and nothing was charged.`,
  },
  late: {
    heading: 'This purchase was closed',
    text: (title, { isPaid }) =>
      isPaid
        ? `Your payment arrived after this purchase was closed. It did not give you access to ${title}.`
        : `You did not get access to ${title}, and nothing was charged.`,
  },
  mismatch: {
    heading: 'Your payment needs a review',
    text: (title) =>
      `The amount paid is not the price of ${title}, so you don’t have access yet. The seller will review the payment. Please contact the seller if you don’t hear from them.`,
  },
  trial_used: {
    heading: 'Free trial not available',
    text: (title) =>
      `The free trial of ${title} has already been used with this card or this email address. Nothing was charged, and no subscription was started.`,
  },
  refunded: {
    heading: 'Payment refunded',
    text: (title) => `This payment no longer gives you access to ${title}.`,
  },
  disputed: {
    heading: 'Payment disputed',
    text: (title) =>
      `Your bank is reviewing this payment. You keep your access to ${title} in the meantime.`,
  },
  lost: {
    heading: 'Payment reversed',
    text: (title) =>
      `Your bank has reversed this payment. It no longer gives you access to ${title}.`,
  },
  ended: {
    heading: 'Your access has ended',
    text: (title) => `This purchase no longer gives you access to ${title}.`,
  },
}

const cards: Record<CardName, string> = {
  good: 'Always succeeds.',
  declined: 'Is always declined.',
  declined_later: 'Succeeds at the checkout. Every renewal is declined.',
  needs_payer: 'Succeeds at the checkout. The cardholder has to confirm every renewal.',
  disputed: 'Succeeds. The cardholder then disputes the payment.',
  hangs: 'The first attempt gets no answer and charges nothing. The second attempt succeeds.',
  times_out: 'Is charged, but the answer gets lost.',
}

const testCards = {
  pageTitle: (title: string) => `Test payment – ${title}`,
  brand: 'Test cards',
  nothingToPay: 'Nothing to pay now',
  notice:
    'This page replaces the payment provider in the sandbox. It accepts only the card numbers listed here, and no money is charged. Never enter a real card number.',
  number: 'Card number',
  expiry: 'Expires (MM/YY)',
  cvc: 'Security code',
  pay: (price: string) => `Pay ${price}`,
  saveCard: 'Save this card',
  backWithoutPaying: 'Go back without paying',
  backWithoutSaving: 'Go back without saving',
  table: { caption: 'Test cards', number: 'Number', effect: 'What happens' },
  cards,
  problems: {
    declined: 'This card was declined. Try another one.',
    number: 'Enter one of the card numbers listed on this page.',
    expiry: 'Enter a month in the future, like 12/99.',
    cvc: 'Enter three or four digits.',
  },
}

const errors: ErrorTexts = {
  link_invalid: {
    title: 'This link does not work',
    text: 'The link may be incomplete. Open it again from where you got it, or ask for a new one there.',
  },
  link_expired: {
    title: 'This link has expired',
    text: 'Please ask for a new link where you got this one.',
  },
  link_used: {
    title: 'This link has already been used',
    text: 'This link was good for one purchase. To buy again, ask for a new link where you got this one.',
  },
  checkout_expired: {
    title: 'This payment page has expired',
    text: 'The payment was not completed in time. Nothing was charged.',
  },
  checkout_not_found: {
    title: 'Checkout not found',
    text: 'The address may be incomplete, or the checkout was never paid and has been deleted.',
  },
  already_subscribed: {
    title: 'You are already subscribed',
    text: 'You already have a subscription to this. Nothing was charged.',
  },
  trial_used: {
    title: 'Free trial not available',
    text: 'The free trial has already been used. Please check the price before you continue.',
  },
  on_hold: {
    title: 'Buying is paused',
    text: 'Buying is paused at the moment. Nothing was charged. Please try again later.',
  },
}

/** The made-up resource in the preview of the pages that staff see. */
const sample = {
  title: 'Issue 7',
  description: 'Stories for **long nights**, as PDF and EPUB.',
}

const en = { terms, order, buy, done, outcomes, testCards, errors, sample }

export type CheckoutTexts = typeof en

export const checkoutTexts = textsIn<CheckoutTexts>({ en })
