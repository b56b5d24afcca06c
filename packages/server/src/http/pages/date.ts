import type { Seconds } from '../../db/tables.ts'
import { formatDay } from '../../language.ts'
import { type Html, html } from './html.ts'

/** Renders the date in UTC, with the exact time as a tooltip and in the `datetime` attribute. */
export function dayHtml(at: Seconds): Html {
  const iso = new Date(at * 1000).toISOString()
  return html`<time datetime="${iso}" title="${iso.slice(0, 16).replace('T', ' ')} UTC">${formatDay(at)}</time>`
}
