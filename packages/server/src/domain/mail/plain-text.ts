import { parseUrl } from '../../parse-url.ts'

const MAX_SUBJECT = 200

/** Reduces text to one line, without characters that break it, reverse its direction, or look like the
 * encoding of mail headers. */
export function oneLine(text: string): string {
  return text
    .replace(/[\u202a-\u202e\u2066-\u2069]/g, '')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replaceAll('=?', '= ?')
    .trim()
}

export const subjectLine = (text: string) =>
  [...oneLine(text)].slice(0, MAX_SUBJECT).join('').trim()

const WEB_ADDRESS = /^https?:\/\/[^\s\p{Cc}<>"\\]+$/iu

/** Returns the text if it is a valid web URL, otherwise an empty string. */
export const webAddress = (text: string) => (WEB_ADDRESS.test(text) && parseUrl(text) ? text : '')
