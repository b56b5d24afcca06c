import { type Kind, refined, text } from '../kinds.ts'

/** With either, a name would be a path on somebody's machine. */
const SEPARATOR = /[/\\]/
const HALF_A_CHARACTER = /\p{Cs}/u

function problemWithName(name: string): string | undefined {
  if (SEPARATOR.test(name)) return 'has a / or a \\ in it'
  if (name === '.' || name === '..') return 'is the name of a folder'
  if (HALF_A_CHARACTER.test(name)) return 'has half a character in it'
  return undefined
}

/** What a file is called on the reader's side. It is kept as it is given, and names nothing on ours. */
export const fileName: Kind<string> = refined(
  text(255, 'What the file is called: no path, no control characters.'),
  problemWithName,
)
