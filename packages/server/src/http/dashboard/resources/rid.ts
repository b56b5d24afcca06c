import { fail } from '../../../errors.ts'
import { rid as kind } from '../../../fields.ts'

/**
 * Reads the resource id from a path. Paths contain no escapes here, so a rid with characters that a path
 * can't have is written as `~` and its UTF-8 bytes in base64url.
 */
export function ridFromPath({ rid = '' }: Readonly<Record<string, string>>): string {
  const text = rid.startsWith('~') ? Buffer.from(rid.slice(1), 'base64url').toString() : rid
  if (text === '' || typeof kind.read(text) === 'string') throw fail('resource_not_found')
  return text
}
