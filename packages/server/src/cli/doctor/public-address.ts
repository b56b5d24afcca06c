import { addressesOf } from '../../config/addresses.ts'
import { type Context, ENVIRONMENTS, type Environment } from '../../context.ts'
import { errorReasonOf } from '../../db/outage.ts'
import { listApplications } from '../../domain/apps/applications.ts'
import { decryptKey, listLiveKeys } from '../../domain/apps/keys.ts'
import { authorize } from '../../signing/curl.ts'
import { type Finding, failed, ok, warning } from './checks.ts'

const CHECK = 'public address'
const TIMEOUT_MS = 10_000

const PLAIN_TARGET = '/r2/user/doctor'
/** With what proxies decode, encode again, sort or drop. */
const ODD_TARGET = '/r2/user/a%2Fb%7E(c)?y=%c3%bc+%20&x=1&&z='

/**
 * Sends two signed requests through the public address, one of them with unusual escapes: a proxy that changes those
 * makes signatures invalid, for a few requests only, which is hard to find.
 */
export async function checkPublicAddress(ctx: Context): Promise<Finding[]> {
  const { baseUrl } = ctx.config
  const signer = baseUrl === undefined ? undefined : await findSigner(ctx)
  if (baseUrl === undefined || signer === undefined) return []
  const address = addressesOf(ctx.config, baseUrl)[signer.env.name]
  try {
    const plain = await ask(address, signer, PLAIN_TARGET)
    if (plain !== 'accepted') return [unexpected(address, plain)]
    const odd = await ask(address, signer, ODD_TARGET)
    return [
      odd === 'accepted'
        ? ok(CHECK, `${address} passes signed requests on unchanged`)
        : changed(address, odd),
    ]
  } catch (error) {
    return [unreachable(address, error)]
  }
}

interface Signer {
  env: Environment
  aid: string
  key: string
}

/** An application that can sign; its requests ask for a user that does not exist. */
async function findSigner(ctx: Context): Promise<Signer | undefined> {
  for (const name of ENVIRONMENTS) {
    const env = ctx.environments[name]
    const { read } = env.database
    const apps = (await listApplications(read)).filter(({ archived }) => archived === null)
    for (const { aid } of apps) {
      const key = (await listLiveKeys(read, aid, env.realTime())).at(-1)
      if (key) return { env, aid, key: decryptKey(ctx.masterKey, key) }
    }
  }
  return undefined
}

/** Returns what was answered instead, unless the signature was accepted. */
async function ask(address: string, { aid, key }: Signer, target: string): Promise<string> {
  const response = await fetch(address + target, {
    headers: { authorization: authorize(aid, key, 'GET', target) },
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  const text = await response.text()
  const code = /"code":"([a-z_]{1,40})"/.exec(text)?.[1]
  if (code === 'user_not_found') return 'accepted'
  return code === undefined ? `${response.status}` : `${response.status} ${code}`
}

const unexpected = (address: string, answer: string) =>
  warning(
    CHECK,
    `${address} answers a signed request with ${answer}`,
    'check that the proxy leads to this installation, and that it passes requests on unchanged; see docs/run/troubleshooting.md',
  )

const changed = (address: string, answer: string) =>
  failed(
    CHECK,
    `a proxy in front of ${address} changes requests: one with escapes in path and query is answered with ${answer}, a plain one is accepted`,
    'see the page of your proxy in docs/run: nginx.md, apache.md, haproxy.md',
  )

function unreachable(address: string, error: unknown): Finding {
  const { cause } = error as { cause?: unknown }
  return warning(
    CHECK,
    `${address} can't be reached from this machine (${errorReasonOf(cause ?? error)})`,
    'open it in a browser; some networks only lack a way from inside to their own public address',
  )
}
