import { dictionary } from '@zxcvbn-ts/language-common'

/** Some 49,000 passwords that were found most often in published leaks. Loaded with this module, on first use. */
const COMMON: ReadonlySet<string> = new Set(dictionary['passwords-common'])

const DIGITS = '1234567890'.repeat(21)

/** Shorter words are in too many good passwords by chance. */
const SHORTEST_WORD = 4

const isLetter = (char: string) => /\p{L}/u.test(char)

/** The password in lower case without the digits and symbols that people add before and after a word. A password that is the
 * same text twice counts once. */
function wordOf(password: string): string {
  const text = password.toLowerCase()
  const half = text.slice(0, text.length / 2)
  const chars = [...(half + half === text ? half : text)]
  const first = chars.findIndex(isLetter)
  const last = chars.findLastIndex(isLetter)
  return chars.slice(Math.max(first, 0), last + 1).join('')
}

/** Splits names and addresses into the words that a password could be made of. */
const wordsOf = (texts: readonly string[]) =>
  texts.flatMap((text) => {
    const whole = text.toLowerCase()
    return [whole.replace(/[^\p{L}\p{N}]/gu, ''), ...whole.split(/[^\p{L}\p{N}]+/u)]
  })

/** What makes a password easy to guess: `common`, or the word of the context that it consists of. Undefined if nothing does. */
export function findGuess(password: string, context: readonly string[]): string | undefined {
  const word = wordOf(password)
  if (DIGITS.includes(password) || COMMON.has(password.toLowerCase())) return 'common'
  if (word.length < SHORTEST_WORD) return undefined
  const plain = word.replace(/[^\p{L}\p{N}]/gu, '')
  const known = wordsOf([...context, 'Gatehouse']).find((one) => one === word || one === plain)
  return known ?? (COMMON.has(word) ? 'common' : undefined)
}
