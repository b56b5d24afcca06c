import type { Config } from './config.ts'

type PerEnvironment = Readonly<Record<'production' | 'sandbox', string>>

/** The path prefix before `/r2/` in each environment. */
export type Prefixes = PerEnvironment

export function prefixesOf(config: Config): Prefixes {
  const base =
    config.baseUrl === undefined ? '' : new URL(config.baseUrl).pathname.replace(/\/$/, '')
  return { production: base, sandbox: `${base}/sandbox` }
}

/** The URL at which a program on this machine reaches a service that listens there. */
export function localUrlOf(host: string, port: number): string {
  const own = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host
  return `http://${own.includes(':') ? `[${own}]` : own}:${port}`
}

/** The public base URLs, without a trailing slash. `listening` is used if none is configured. */
export function addressesOf(config: Config, listening: string): PerEnvironment {
  const base = config.baseUrl ?? listening
  const at = (host: string) => {
    const url = new URL(base)
    url.hostname = host
    return url.href.replace(/\/$/, '')
  }
  const { production, sandbox } = config.hostNames
  return {
    production: production === undefined ? base : at(production),
    sandbox: sandbox === undefined ? `${base}/sandbox` : at(sandbox),
  }
}
