import { fail } from '../../errors.ts'
import { rid as kind } from '../../kinds.ts'

/**
 * The resource that a path names. A path has no escapes here, and a rid may have letters that no path has:
 * such a one is written as `~` and its UTF-8 in base64url.
 */
export function ridIn({ rid = '' }: Readonly<Record<string, string>>): string {
  const text = rid.startsWith('~') ? Buffer.from(rid.slice(1), 'base64url').toString() : rid
  if (text === '' || typeof kind.read(text) === 'string') throw fail('resource_not_found')
  return text
}
