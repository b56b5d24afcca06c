import type { Context } from '../../context.ts'
import { ENVIRONMENTS } from '../../context.ts'
import { type Finding, ok, warning } from './checks.ts'

const CHECK = 'connections'

/** Warns of each connection to another machine that somebody on the way could read or take over. */
export function checkConnections(ctx: Context): Finding[] {
  const findings = [...ofDatabases(ctx), ...ofMailServers(ctx), ...ofFiles(ctx), ...ofTraces(ctx)]
  return findings.length > 0
    ? findings
    : [ok(CHECK, 'every connection to another machine is encrypted')]
}

const LOCAL = /^(localhost|127\.[\d.]+|\[?::1\]?)$/

/** Whether a host is this machine; PostgreSQL's can also be the folder of a socket. */
const isHere = (host: string): boolean => host === '' || host.startsWith('/') || LOCAL.test(host)

function ofDatabases({ config }: Context): Finding[] {
  const named = [
    ['GATEHOUSE_DATABASE_URL', config.databaseUrl],
    ['GATEHOUSE_DATABASE_REPLICA_URL', config.databaseReplicaUrl],
  ] as const
  return named.flatMap(([variable, text]) => {
    if (text === undefined) return []
    const { hostname, searchParams } = new URL(text)
    const host = searchParams.get('host') ?? decodeURIComponent(hostname)
    const problem = isHere(host) ? undefined : findTlsProblem(searchParams)
    const todo = `add sslmode=verify-full to ${variable}; see docs/run/postgresql.md`
    return problem === undefined ? [] : [warning(CHECK, `PostgreSQL on ${host}: ${problem}`, todo)]
  })
}

/** As the driver reads the parameters: without one of them it never asks for TLS, and all modes but two check everything. */
function findTlsProblem(parameters: URLSearchParams): string | undefined {
  const mode = parameters.get('sslmode')
  if (mode === 'disable') return NOT_ENCRYPTED
  if (mode === 'no-verify') return "the server's certificate is not checked"
  const isOn = ['true', '1'].includes(parameters.get('ssl') ?? '')
  const others = ['sslmode', 'sslcert', 'sslkey', 'sslrootcert'].some((name) =>
    parameters.has(name),
  )
  return isOn || others || parameters.get('sslnegotiation') === 'direct' ? undefined : NOT_ENCRYPTED
}

const NOT_ENCRYPTED = 'the connection is not encrypted'

/** With a password, and wherever the server offers it, TLS is used. Without one, nothing insists on it. */
function ofMailServers({ environments }: Context): Finding[] {
  return ENVIRONMENTS.flatMap((name) => {
    const { smtpUrl } = environments[name].connections.mail
    if (smtpUrl === undefined) return []
    const { protocol, hostname, username, searchParams } = new URL(smtpUrl)
    const isSafe = protocol === 'smtps:' || username !== '' || isHere(hostname)
    if (isSafe || searchParams.get('requireTLS') === 'true') return []
    const message = `the mail server of ${name}, ${hostname}: nothing insists on encryption`
    return [warning(CHECK, message, 'use smtps://, or add ?requireTLS=true to the URL')]
  })
}

const ofFiles = ({ config }: Context): Finding[] =>
  ofHttp(config.s3?.endpoint, 'the storage for files', 'GATEHOUSE_S3_ENDPOINT')

const ofTraces = ({ config }: Context): Finding[] =>
  ofHttp(config.tracing?.exporter?.url, 'the collector of traces', 'OTEL_EXPORTER_OTLP_ENDPOINT')

function ofHttp(address: string | undefined, what: string, variable: string): Finding[] {
  if (address === undefined) return []
  const { protocol, hostname } = new URL(address)
  if (protocol === 'https:' || isHere(hostname)) return []
  return [warning(CHECK, `${what}, ${hostname}: ${NOT_ENCRYPTED}`, `use https in ${variable}`)]
}
