const LONGEST_NAME = 40
const MOST_WORDS = 4
/** Letters and what stands between them in names; a dot ends a word, so that no address can be made. */
const WORDS = /^[\p{L}\p{M}'’-]+\.?(?: [\p{L}\p{M}'’-]+\.?)*$/u

/** Whether a text that a stranger typed can pass for a name, and for nothing else: it is put into mails that
 * may go to somebody else. */
export function isPlainName(text: string): boolean {
  return text.length <= LONGEST_NAME && WORDS.test(text) && text.split(' ').length <= MOST_WORDS
}
