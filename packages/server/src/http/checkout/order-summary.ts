import type { Seconds } from '../../db/tables.ts'
import type { Formats } from '../../domain/brand/formats.ts'
import type { Owned } from '../../domain/payments/checkout/owned.ts'
import { addPeriods } from '../../domain/resources/periods.ts'
import type { Terms } from '../../domain/resources/prices.ts'
import { dayHtml } from '../pages/date.ts'
import { type Html, html } from '../pages/html.ts'
import { checkoutTexts } from './texts.ts'

/** The facts that the dates and amounts of an order depend on. */
export interface OrderContext {
  formats: Formats
  now: Seconds
  owned: Owned | undefined
}

const DAY: Seconds = 86_400

/** Renders what is charged when, as it happens if the buyer pays now. */
export function orderSummary(terms: Terms, context: OrderContext): Html {
  const { order } = checkoutTexts()
  const { rows, note } = terms.recurring
    ? subscriptionRows(terms, context)
    : purchaseRows(terms, context)
  const today = terms.trial_days > 0 ? 0 : terms.amount
  return html`<dl class="facts">
<div class="total"><dt>${order.today}</dt><dd>${context.formats.money(today, terms.currency)}</dd></div>
${rows}
</dl>
<p class="soft small">${note}</p>`
}

const row = (label: Html | string, value: Html | string): Html =>
  html`<div><dt>${label}</dt><dd>${value}</dd></div>`

function subscriptionRows(terms: Terms, { formats, now }: OrderContext) {
  const { order } = checkoutTexts()
  const period = terms.period as string
  const isTrial = terms.trial_days > 0
  const next = isTrial ? now + terms.trial_days * DAY : addPeriods(now, period)
  const day = dayHtml(next, formats)
  const price = order.perPeriod(formats.money(terms.amount, terms.currency), period)
  return {
    rows: [row(order.thenFrom(day), price)],
    note: isTrial ? order.trial(day) : order.renews(),
  }
}

function purchaseRows({ period }: Terms, { formats, now, owned }: OrderContext) {
  const { order } = checkoutTexts()
  const rows =
    period === null
      ? [row(order.access, order.lifetime)]
      : [row(order.accessUntil, dayHtml(addPeriods(owned?.nextStart ?? now, period), formats))]
  return { rows, note: order.oneTime() }
}
