/** The longest text that is normalized, in UTF-16 units. Names, addresses and passwords are shorter. */
const MAX_NORMALIZED = 1_024

/**
 * Normalizes a text, so that one that was typed in another way is the same text. Nothing else may call `normalize`
 * (`scripts/normalizing.mjs`): the time it takes grows with the square of the number of combining marks in a row, up to
 * seconds for a cell of a spreadsheet. A text that is too long to be a name is returned as it is.
 */
export function normalizeText(text: string, form: 'NFC' | 'NFD' | 'NFKD' = 'NFC'): string {
  return text.length > MAX_NORMALIZED ? text : text.normalize(form)
}

/** More combining marks in a row than any language has. */
const MANY_MARKS = /\p{M}{11}/u

/** Whether a text has so many marks in a row that to normalize thousands of such texts takes long. */
export const hasManyMarks = (text: string): boolean => MANY_MARKS.test(text)

/** Returns the same text for all texts that only differ in case or in how their letters were typed. For names in a list, which
 * may have many: those that have too many marks differ by them. What is stored has a key of its own, like `emailKey`. */
export function foldCase(text: string): string {
  const isOdd = text.length > MAX_NORMALIZED || hasManyMarks(text)
  return (isOdd ? text : normalizeText(text)).toLowerCase()
}
