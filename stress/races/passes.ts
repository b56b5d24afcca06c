import { requestBytes } from '../../packages/server/src/testing/http/raw-http.ts'
import type { Credentials } from '../../packages/server/src/testing/installations.ts'
import { type Change, requestsFor } from './stale.ts'

/** A pass of the application. */
export const PASS = 'gold'

interface Opens {
  rids: string[]
  prefixes: string[]
  all: boolean
}

const OPENS: readonly [Opens, ...Opens[]] = [
  { rids: [], prefixes: [], all: false },
  { rids: ['other'], prefixes: [], all: false },
  { rids: ['news'], prefixes: [], all: false },
  { rids: [], prefixes: ['ne'], all: false },
  { rids: [], prefixes: [], all: true },
]

/** Whether a pass with these settings opens the resource that is asked about. */
const doesOpenNews = ({ rids, prefixes, all }: Opens) =>
  all || rids.includes('news') || prefixes.some((prefix) => 'news'.startsWith(prefix))

/**
 * Draws changes of what a reader may see: she gets and loses the resource itself and a pass, and the pass opens and closes
 * it, by its rid, by a prefix, or with everything else.
 */
export function* passChanges(
  key: Credentials,
  { count, token, random }: { count: number; token: string; random: () => number },
): Generator<Change> {
  const has = { news: false, pass: false }
  let [opens] = OPENS
  const now = (): 200 | 404 => (has.news || (has.pass && doesOpenNews(opens)) ? 200 : 404)
  const requests = { news: requestsFor(key, 'news'), pass: requestsFor(key, PASS) }
  const target = `/management/v1/production/applications/${key.aid}/resources/${PASS}/opens`
  // A token is taken only over https, or on the same machine.
  const host = 'localhost'
  const headers = [`Authorization: Bearer ${token}`, 'Content-Type: application/json']
  for (let made = 0; made < count; made++) {
    const drawn = random()
    if (drawn < 0.5) {
      opens = OPENS[Math.floor(random() * OPENS.length)] as Opens
      yield {
        bytes: requestBytes({ method: 'PUT', host, target, headers, body: JSON.stringify(opens) }),
        status: now(),
      }
      continue
    }
    const which = drawn < 0.85 ? 'pass' : 'news'
    has[which] = !has[which]
    yield { bytes: requests[which][has[which] ? 'grant' : 'revoke'], status: now() }
  }
}
