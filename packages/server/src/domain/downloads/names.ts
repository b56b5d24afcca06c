import { type Field, nameText, refined } from '../../fields.ts'

/** Either character would turn the name into a path on the reader's machine. */
const SEPARATOR = /[/\\]/

function problemWithName(name: string): string | undefined {
  if (SEPARATOR.test(name)) return 'must not contain / or \\'
  if (name === '.' || name === '..') return 'must not be the name of a folder'
  return undefined
}

/** The file name offered to the reader. It is stored as given and never used as a path on the server. */
export const fileNameField: Field<string> = refined(
  nameText(255, 'What the file is called: no path, no control characters.'),
  problemWithName,
)
