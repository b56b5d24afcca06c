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
  const { production, sandbox } = config.hostNames
  return {
    production: production === undefined ? base : withHostName(base, production),
    sandbox: sandbox === undefined ? `${base}/sandbox` : withHostName(base, sandbox),
  }
}

/** The base URLs of files and images, without a trailing slash: those of the service, unless files have their own host. */
export function fileAddressesOf(config: Config, listening: string): PerEnvironment {
  const { files } = config.hostNames
  if (files === undefined) return addressesOf(config, listening)
  const base = withHostName(config.baseUrl ?? listening, files)
  return { production: base, sandbox: `${base}/sandbox` }
}

function withHostName(address: string, hostName: string): string {
  const url = new URL(address)
  url.hostname = hostName
  return url.href.replace(/\/$/, '')
}

/** Returns a sentence for each host name that is used twice: it would not be known what a request to it is for. */
export function findSameHosts({ baseUrl, hostNames }: Config): string[] {
  const { production, sandbox, files } = hostNames
  const differ = (one: string, other: string) => [`GATEHOUSE_${one} must differ from ${other}`]
  if (sandbox !== undefined && sandbox === production) {
    return differ('SANDBOX_HOST', 'GATEHOUSE_PRODUCTION_HOST')
  }
  if (files === undefined) return []
  if (files === production) return differ('FILES_HOST', 'GATEHOUSE_PRODUCTION_HOST')
  if (files === sandbox) return differ('FILES_HOST', 'GATEHOUSE_SANDBOX_HOST')
  const isBase = baseUrl !== undefined && new URL(baseUrl).hostname === files
  return isBase ? differ('FILES_HOST', 'the host of GATEHOUSE_BASE_URL') : []
}
