import type { LookupAddress } from 'node:dns'
import dns from 'node:dns/promises'

/** Finds all addresses of a host. */
export type Resolve = (host: string) => Promise<LookupAddress[]>

/** How long the addresses of a host are used without another lookup. */
const CACHE_MS = 5_000
const MAX_CACHED_HOSTS = 1_000

/** The name servers that are asked instead of the system's, by tests. */
interface Options {
  servers?: readonly string[]
  cacheMs?: number
}

/**
 * Creates a resolver that asks name servers itself: the system's `getaddrinfo` blocks one of few threads, so that one
 * host whose name server is silent would delay all others. The system is asked only for names that DNS does not have,
 * such as those in /etc/hosts.
 */
export function createResolver({ servers, cacheMs = CACHE_MS }: Options = {}): Resolve {
  const resolver = new dns.Resolver({ timeout: 2_000, tries: 3 })
  if (servers) resolver.setServers(servers)
  const cached = new Map<string, Promise<LookupAddress[]>>()
  return (host) => {
    const known = cached.get(host)
    if (known) return known
    const found = resolveHost(resolver, host)
    const forget = () => {
      if (cached.get(host) === found) cached.delete(host)
    }
    if (cacheMs > 0 && cached.size < MAX_CACHED_HOSTS) {
      cached.set(host, found)
      found.then(() => setTimeout(forget, cacheMs).unref(), forget)
    }
    return found
  }
}

const NO_SUCH_NAME = ['ENOTFOUND', 'ENODATA', 'EBADNAME']

async function resolveHost(resolver: dns.Resolver, host: string): Promise<LookupAddress[]> {
  const name = host.replace(/\.$/, '')
  const [v4, v6] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
  const addressesOf = (result: PromiseSettledResult<string[]>, family: 4 | 6) =>
    result.status === 'fulfilled' ? result.value.map((address) => ({ address, family })) : []
  const found = [...addressesOf(v4, 4), ...addressesOf(v6, 6)]
  if (found.length > 0) return found
  const errors = [v4, v6].flatMap((result) => (result.status === 'rejected' ? result.reason : []))
  const failure = errors.find(({ code }) => !NO_SUCH_NAME.includes(code))
  if (failure) throw failure
  return await dns.lookup(name, { all: true })
}
