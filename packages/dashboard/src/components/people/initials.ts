const LETTER = /\p{L}|\p{N}/u

/** The first letters of the first and the last word of a name, or the first one of the address; empty if there is
 * neither. Symbols are skipped, so that `“Ann” Example` is AE. */
export function initialsOf(name: string, email: string): string {
  const letters = name
    .trim()
    .split(/\s+/)
    .flatMap((word) => LETTER.exec(word)?.[0] ?? [])
  const [first, last] = [letters[0], letters.length > 1 ? letters.at(-1) : undefined]
  const shown = first === undefined ? (LETTER.exec(email)?.[0] ?? '') : `${first}${last ?? ''}`
  return shown.toLocaleUpperCase('en')
}
