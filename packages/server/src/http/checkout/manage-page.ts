import type { ApplicationTable, Seconds } from '../../db/tables.ts'
import { showMoney } from '../../domain/apps/currency.ts'
import { billingInterval } from '../../domain/resources/price-text.ts'
import type { SubscriptionRow } from '../../domain/subscriptions/subscriptions.ts'
import { type Html, html, NOTHING } from '../pages/html.ts'
import type { Page } from '../pages/page.ts'
import { dayHtml, STATUS_LABELS } from '../pages/subscription-text.ts'
import { seller } from './buy-page.ts'

/** Data for the manage page. Anyone with its link can open the page: never render who the reader is. */
export interface ManagePageData {
  subscription: SubscriptionRow
  app: ApplicationTable
  title: string
  /** Whether there is a payment provider that accepts a new card. */
  takesCards: boolean
  /** Whether the resource can be bought again. */
  isOnSale: boolean
  now: Seconds
}

export const ACTIONS = ['card', 'cancel', 'resume'] as const
export type Action = (typeof ACTIONS)[number]

export function managePage(data: ManagePageData, notice: Action | undefined): Page {
  const { subscription, app, title } = data
  const { status, amount, currency, period } = subscription
  const rhythm = billingInterval({ amount, currency, period, recurring: 1, trial_days: 0 })
  return {
    title: `Your subscription to ${title} – ${app.name}`,
    formTargets: ['https:'],
    footer: seller(app),
    content: html`<header class="head">
<p class="brand">${app.name}</p>
<h1>Your subscription</h1>
</header>
<div class="card">
${noticeOf(subscription, notice)}
<dl class="facts">
<div><dt>For</dt><dd>${title}</dd></div>
<div><dt>Price</dt><dd>${showMoney(amount, currency)} ${rhythm}</dd></div>
<div><dt>Status</dt><dd><span class="pill ${status}">${STATUS_LABELS[status]}</span></dd></div>
${endOf(data)}
</dl>
<p>${nextPaymentText(data)}</p>
${actionsOf(data)}
</div>`,
  }
}

const DONE: Record<Action, string> = {
  card: 'Your new card is saved.',
  cancel: 'Your subscription is canceled.',
  resume: 'Your subscription goes on.',
}

/** Shows the notice only if it matches the status, since anybody can edit the URL. */
function noticeOf({ status }: SubscriptionRow, notice: Action | undefined): Html {
  const isOff = status === 'canceled' || status === 'ended'
  if (notice === undefined || (notice === 'cancel') !== isOff) return NOTHING
  return html`<p class="note" role="status">${DONE[notice]}</p>`
}

function endOf({ subscription, now }: ManagePageData): Html {
  const { status, current_period_end, ended } = subscription
  if (status === 'ended') {
    return html`<div><dt>Ended</dt><dd>${dayHtml(ended ?? current_period_end)}</dd></div>`
  }
  const label = current_period_end > now ? 'Paid until' : 'Was paid until'
  return html`<div><dt>${status === 'trialing' ? 'Free until' : label}</dt><dd>${dayHtml(current_period_end)}</dd></div>`
}

function nextPaymentText({ subscription, now }: ManagePageData): Html {
  const { status, amount, currency, current_period_end, next_due, next_step, method } = subscription
  const money = showMoney(amount, currency)
  const end = dayHtml(current_period_end)
  if (status === 'ended') return html`This subscription has ended. Nothing more is charged.`
  if (status === 'canceled') {
    return html`Your access stays open until ${end}. Nothing more is charged, unless you resume.`
  }
  if (status === 'past_due') {
    if (next_due === null || (next_step === 'renew' && next_due <= now)) {
      return html`The payment of ${money} is being tried again now.`
    }
    const again = next_step === 'renew' ? html` We try again on ${dayHtml(next_due)}.` : NOTHING
    return html`The last payment of ${money} could not be made.${again} Put in a new card to keep your access.`
  }
  if (next_due === null) return html`The payment for the next period is under way.`
  if (method === null) return html`No card is saved. Put one in before ${end} to keep your access.`
  return status === 'trialing'
    ? html`Your trial is free until ${end}. Then ${money} is charged, unless you cancel before.`
    : html`The next payment of ${money} is on ${end}.`
}

function actionsOf(data: ManagePageData): Html {
  const { subscription, takesCards, isOnSale } = data
  const { aid, rid, status, method } = subscription
  if (status === 'ended') {
    const address = `../checkout/${aid}/${encodeURIComponent(rid)}`
    return isOnSale ? html`<p><a class="button" href="${address}">Subscribe again</a></p>` : NOTHING
  }
  const isFirst = status === 'past_due' || method === null
  const cardLabel = method === null ? 'Add a card' : 'Update card'
  const card = takesCards
    ? html`<button class="${isFirst ? '' : 'quiet'}" name="action" value="card">${cardLabel}</button>`
    : NOTHING
  const other =
    status === 'canceled'
      ? html`<button name="action" value="resume">Resume</button>`
      : html`<button class="quiet" name="action" value="cancel">Cancel subscription</button>`
  return html`<form method="post" action="?">
<div class="actions">${status === 'canceled' ? [other, card] : [card, other]}</div>
${status === 'canceled' ? NOTHING : html`<p class="hint">${cancelEffectText(data)}</p>`}
</form>`
}

function cancelEffectText({ subscription, now }: ManagePageData): Html {
  const { current_period_end, next_due } = subscription
  if (next_due === null) return html`If you cancel, nothing more is charged after this payment.`
  return current_period_end > now
    ? html`If you cancel, your access stays open until ${dayHtml(current_period_end)}.`
    : html`If you cancel, your access ends at once: what was paid for is over.`
}
