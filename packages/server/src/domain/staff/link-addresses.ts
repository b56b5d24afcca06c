import type { LinkKind } from './links.ts'

/** The parts of the service that say where the dashboard is served. */
export interface AddressContext {
  config: { baseUrl: string | undefined; host: string }
  environments: { production: { address(): string } }
}

const PAGES: Record<LinkKind, string> = { setup: 'welcome', invite: 'invite', reset: 'reset' }

/** A service listening on one of these is reachable at `localhost`, the only name browsers trust without https. */
const OWN_MACHINE = new Set(['127.0.0.1', '::1', '0.0.0.0', '::', 'localhost'])

/** The URL of the dashboard, with a trailing slash. */
export function dashboardAddress({ config, environments }: AddressContext): string {
  const { baseUrl, host } = config
  const url = new URL(environments.production.address())
  if (baseUrl === undefined) {
    const own = host.includes(':') ? `[${host}]` : host
    url.hostname = OWN_MACHINE.has(host) ? 'localhost' : own
  }
  return `${url.href.replace(/\/$/, '')}/dashboard/`
}

/** The token follows the `#`, which browsers never send, so it appears in no log. */
export const linkAddress = (
  ctx: AddressContext,
  { kind, token }: { kind: LinkKind; token: string },
) => `${dashboardAddress(ctx)}${PAGES[kind]}#${token}`
