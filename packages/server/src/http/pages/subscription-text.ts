import type { Seconds, SubscriptionTable } from '../../db/tables.ts'
import { type Html, html } from './html.ts'

const DATE = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })

/** Renders the date in UTC, with the exact time as a tooltip and in the `datetime` attribute. */
export function dayHtml(at: Seconds): Html {
  const iso = new Date(at * 1000).toISOString()
  return html`<time datetime="${iso}" title="${iso.slice(0, 16).replace('T', ' ')} UTC">${DATE.format(at * 1000)}</time>`
}

export const STATUS_LABELS: Record<SubscriptionTable['status'], string> = {
  trialing: 'Free trial',
  active: 'Active',
  past_due: 'Payment failed',
  canceled: 'Canceled',
  ended: 'Ended',
}
