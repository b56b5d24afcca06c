import type { Seconds } from '../../db/tables.ts'
import type { Formats } from '../../domain/brand/formats.ts'
import { type Html, html } from './html.ts'

/** Renders a date, with the exact time as a tooltip and in the `datetime` attribute. */
export function dayHtml(at: Seconds, formats: Formats): Html {
  const iso = new Date(at * 1000).toISOString()
  return html`<time datetime="${iso}" title="${formats.moment(at)}">${formats.day(at)}</time>`
}
