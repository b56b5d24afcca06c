import type { SubscriptionTable } from '../../../db/tables.ts'
import { textsIn } from '../../../language.ts'
import { type Html, html } from '../../pages/html.ts'
import { type ErrorTexts, mailedLinkErrors } from '../../pages/texts.ts'

/** Sentences with a date are HTML, because a date carries its exact time. */
const status: Record<SubscriptionTable['status'], string> = {
  trialing: 'Free trial',
  active: 'Active',
  past_due: 'Payment failed',
  canceled: 'Canceled',
  ended: 'Ended',
}

const errors: ErrorTexts = {
  ...mailedLinkErrors(
    'Please use the link in the newest email about your subscription, or ask for a new link where you got this one.',
  ),
  subscription_not_found: {
    title: 'This subscription has ended',
    text: 'It can’t be changed any more.',
  },
  on_hold: {
    title: 'Changes are paused',
    text: 'Subscriptions can’t be changed at the moment. Nothing was charged. Please try again later.',
  },
}

const en = {
  pageTitle: (title: string) => `Your subscription to ${title}`,
  heading: 'Your subscription',
  labels: {
    title: 'Subscription',
    price: 'Price',
    status: 'Status',
    ended: 'Ended',
    freeUntil: 'Free until',
    paidUntil: 'Paid until',
    wasPaidUntil: 'Was paid until',
  },
  status,
  content: 'What you can read',
  notices: {
    card: 'Your new card has been saved.',
    cancel: 'Your subscription has been canceled.',
    resume: 'Your subscription has been resumed.',
  },
  next: {
    ended: () => html`This subscription has ended. You will not be charged again.`,
    canceled: (end: Html) =>
      html`Your access continues until ${end}. The subscription will not renew.`,
    retrying: (price: string) => html`We are trying to charge ${price} again now.`,
    retryOn: (price: string, at: Html) =>
      html`The last payment of ${price} failed. We will try again on ${at}. Update your card to keep your access.`,
    failed: (price: string) =>
      html`The last payment of ${price} failed. Update your card to keep your access.`,
    charging: () => html`The payment for the next period is being processed.`,
    noCard: (end: Html) => html`No card is saved. Add one before ${end} to keep your access.`,
    trial: (price: string, end: Html) =>
      html`Your free trial ends on ${end}. You will then be charged ${price}, unless you cancel before.`,
    renews: (price: string, end: Html) => html`Your next payment of ${price} is due on ${end}.`,
  },
  ifCanceled: {
    charging: () => html`If you cancel, this payment is the last one.`,
    accessUntil: (end: Html) => html`If you cancel, your access continues until ${end}.`,
    accessEnds: () =>
      html`If you cancel, your access ends immediately, because the paid period is over.`,
  },
  actions: {
    subscribeAgain: 'Subscribe again',
    addCard: 'Add a card',
    updateCard: 'Update card',
    resume: 'Resume subscription',
    cancel: 'Cancel subscription',
  },
  errors,
}

export type ManageTexts = typeof en

export const manageTexts = textsIn<ManageTexts>({ en })
