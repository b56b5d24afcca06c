import type { ApplicationTable, Seconds } from '../../../db/tables.ts'
import { brandOf } from '../../../domain/brand/brand.ts'
import type { Formats } from '../../../domain/brand/formats.ts'
import type { SubscriptionRow } from '../../../domain/subscriptions/subscriptions.ts'
import { dayHtml } from '../../pages/date.ts'
import { fileList } from '../../pages/file-list.ts'
import { type Html, html, NOTHING } from '../../pages/html.ts'
import type { Page } from '../../pages/page.ts'
import type { FilesPart } from '../files.ts'
import { openLink } from '../open-link.ts'
import { checkoutTexts } from '../texts.ts'
import { manageTexts } from './texts.ts'

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
  /** The picture of the resource, small. */
  thumb: Html
  formats: Formats
  /** The files that the reader can download now. */
  files: FilesPart
  /** URL of the resource; may be empty. */
  url: string
}

export const ACTIONS = ['card', 'cancel', 'resume'] as const
export type Action = (typeof ACTIONS)[number]

export function managePage(data: ManagePageData, notice: Action | undefined): Page {
  const { subscription, app, title, formats } = data
  const { status, amount, currency, period } = subscription
  const texts = manageTexts()
  const { labels } = texts
  const interval = checkoutTexts().terms.interval({ period, recurring: 1 })
  return {
    title: texts.pageTitle(title),
    formTargets: ['https:'],
    brand: brandOf(app),
    content: html`<div class="card">
<h1>${texts.heading}</h1>
${data.thumb}
${noticeOf(subscription, notice)}
<dl class="facts">
<div><dt>${labels.title}</dt><dd>${title}</dd></div>
<div><dt>${labels.price}</dt><dd>${formats.money(amount, currency)} ${interval}</dd></div>
<div><dt>${labels.status}</dt><dd><span class="pill ${status}">${texts.status[status]}</span></dd></div>
${endOf(data)}
</dl>
<p>${nextPaymentText(data)}</p>
${actionsOf(data)}
</div>
${filesCard(data)}`,
  }
}

/** Renders what the reader can read now. */
function filesCard({ files, url, title }: ManagePageData): Html {
  const open = files.isLive ? openLink({ url, title }) : NOTHING
  if (open === NOTHING && files.files.length === 0) return NOTHING
  return html`<section class="card" aria-labelledby="content">
<h2 id="content">${manageTexts().content}</h2>
${fileList(files.files, files.url)}
${open}
</section>`
}

/** Shows the notice only if it matches the status, since anybody can edit the URL. */
function noticeOf({ status }: SubscriptionRow, notice: Action | undefined): Html {
  const isOff = status === 'canceled' || status === 'ended'
  if (notice === undefined || (notice === 'cancel') !== isOff) return NOTHING
  return html`<p class="note" role="status">${manageTexts().notices[notice]}</p>`
}

function endOf({ subscription, now, formats }: ManagePageData): Html {
  const { status, current_period_end, ended } = subscription
  const { labels } = manageTexts()
  const fact = (label: string, at: Seconds) =>
    html`<div><dt>${label}</dt><dd>${dayHtml(at, formats)}</dd></div>`
  if (status === 'ended') return fact(labels.ended, ended ?? current_period_end)
  if (status === 'trialing') return fact(labels.freeUntil, current_period_end)
  return fact(current_period_end > now ? labels.paidUntil : labels.wasPaidUntil, current_period_end)
}

function nextPaymentText({ subscription, now, formats }: ManagePageData): Html {
  const { status, amount, currency, current_period_end, next_due, next_step, method } = subscription
  const texts = manageTexts().next
  const price = formats.money(amount, currency)
  const end = dayHtml(current_period_end, formats)
  if (status === 'ended') return texts.ended()
  if (status === 'canceled') return texts.canceled(end)
  if (status === 'past_due') {
    const isRenewal = next_step === 'renew'
    if (next_due === null || (isRenewal && next_due <= now)) return texts.retrying(price)
    return isRenewal ? texts.retryOn(price, dayHtml(next_due, formats)) : texts.failed(price)
  }
  if (next_due === null) return texts.charging()
  if (method === null) return texts.noCard(end)
  return status === 'trialing' ? texts.trial(price, end) : texts.renews(price, end)
}

function actionsOf(data: ManagePageData): Html {
  const { subscription, takesCards, isOnSale } = data
  const { aid, rid, status, method } = subscription
  const { actions } = manageTexts()
  if (status === 'ended') {
    const address = `../checkout/${aid}/${encodeURIComponent(rid)}`
    return isOnSale
      ? html`<p><a class="button" href="${address}">${actions.subscribeAgain}</a></p>`
      : NOTHING
  }
  const isFirst = status === 'past_due' || method === null
  const cardLabel = method === null ? actions.addCard : actions.updateCard
  const card = takesCards
    ? html`<button class="${isFirst ? '' : 'quiet'}" name="action" value="card">${cardLabel}</button>`
    : NOTHING
  const other =
    status === 'canceled'
      ? html`<button name="action" value="resume">${actions.resume}</button>`
      : html`<button class="quiet" name="action" value="cancel">${actions.cancel}</button>`
  return html`<form method="post" action="?">
<div class="actions">${status === 'canceled' ? [other, card] : [card, other]}</div>
${status === 'canceled' ? NOTHING : html`<p class="hint">${cancelEffectText(data)}</p>`}
</form>`
}

function cancelEffectText({ subscription, now, formats }: ManagePageData): Html {
  const { current_period_end, next_due } = subscription
  const texts = manageTexts().ifCanceled
  if (next_due === null) return texts.charging()
  return current_period_end > now
    ? texts.accessUntil(dayHtml(current_period_end, formats))
    : texts.accessEnds()
}
