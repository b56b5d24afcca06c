const WORD = /[^\s<>"'(),:;=]+/g

/** Whether there is something before and behind an `@`. */
function hasAddress(word: string): boolean {
  const at = word.indexOf('@', 1)
  return at > 0 && at < word.length - 1
}

/** Replaces email addresses. Word by word, so that a long text without any takes no longer than a pass over it. */
export const withoutAddresses = (text: string): string =>
  text.replace(WORD, (word) => (hasAddress(word) ? '(address)' : word))
