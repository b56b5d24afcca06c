import { fail } from '../../../errors.ts'
import { rid as kind } from '../../../fields.ts'

/** URL parsers resolve `.` and `..` in a path, also escaped ones. A rid has no white space, so that a space before them
 * makes them names without making them ambiguous. */
const SPACED_DOTS = /^ (\.\.?)$/

/** Reads the resource id from a path, which the router has decoded. */
export function ridFromPath({ rid = '' }: Readonly<Record<string, string>>): string {
  const text = rid.replace(SPACED_DOTS, '$1')
  if (text === '' || typeof kind.read(text) === 'string') throw fail('resource_not_found')
  return text
}
