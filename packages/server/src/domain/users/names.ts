const MAX_NAME = 40
const MAX_NAME_PARTS = 4
/** Letters and the marks used in names. A dot may only end a word, so the text can't contain a domain name. */
const WORDS = /^[\p{L}\p{M}'’-]+\.?(?: [\p{L}\p{M}'’-]+\.?)*$/u

/** Whether a text typed by an unverified person can only be a name. It appears in mails to other people. */
export function isPlainName(text: string): boolean {
  return text.length <= MAX_NAME && WORDS.test(text) && text.split(' ').length <= MAX_NAME_PARTS
}
