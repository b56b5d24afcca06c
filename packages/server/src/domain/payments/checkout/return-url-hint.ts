import type { ApplicationTable } from '../../../db/tables.ts'
import { parseUrl } from '../../../parse-url.ts'
import { problemWithReturnPrefix } from '../../../signing/return-urls.ts'

/** Returns the message about a return URL that isn't allowed, with the whole command that allows it: the command replaces
 * the list. Undefined for a URL that no application can allow. */
export function returnUrlHint(app: ApplicationTable, returnUrl: string): string | undefined {
  const origin = parseUrl(returnUrl)?.origin ?? ''
  if (problemWithReturnPrefix(origin) !== undefined) return undefined
  const allowed = [...(JSON.parse(app.return_urls) as string[]), origin]
  const options = allowed.map((url) => `--return-url ${quoted(url)}`).join(' ')
  return (
    'This return URL is not allowed for the application. Allow it with: ' +
    `gatehouse app set ${app.aid} ${options}`
  )
}

/** A stored URL may have characters that a shell would interpret. */
const quoted = (url: string) =>
  /^[\w:/.[\]-]+$/.test(url) ? url : `'${url.replaceAll("'", String.raw`'\''`)}'`
