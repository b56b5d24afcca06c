/** Where a spreadsheet would begin a formula: it also takes text with leading white space or a full-width sign for one, and
 * in some locales begins a new cell at a semicolon. Quotes before it are those of an earlier sealing. */
const SIGN = String.raw`'*(?:\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|[\t\r\n])`
const UNSEALED = new RegExp(`(?<=^|;)(?=${SIGN})`, 'gu')
const SEALED = new RegExp(`(?<=^|;)'(?=${SIGN})`, 'gu')

/** Makes a spreadsheet show a text instead of running it, by a quote before what would be a formula. */
export const sealFormulas = (text: string): string => text.replace(UNSEALED, "'")

/** Returns the text that was sealed. */
export const unsealFormulas = (text: string): string => text.replace(SEALED, '')
