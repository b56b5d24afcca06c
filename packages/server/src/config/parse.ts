import { isIP } from 'node:net'
import { availableParallelism } from 'node:os'
import { sender } from '../domain/mail/sender.ts'
import { parseUrl } from '../parse-url.ts'

/* The formats of settings. Each function returns undefined for an invalid value. */

export function parseBaseUrl(text: string): string | undefined {
  const url = parseUrl(text)
  if (!url || !/^https?:$/.test(url.protocol)) return undefined
  if (url.search || url.hash || url.username || url.password) return undefined
  // The path becomes part of every route, so it must not contain characters that are special there.
  const path = url.pathname.replace(/\/+$/, '')
  return /^(?:\/[A-Za-z0-9._~-]+)*$/.test(path) ? url.origin + path : undefined
}

const HOST_NAME = /^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$/
export const parseHostName = (text: string) =>
  HOST_NAME.test(text) ? text.toLowerCase() : undefined

export function parseHost(text: string): string | undefined {
  const address = text.replace(/^\[(.*)\]$/, '$1')
  if (isIP(address) > 0) return address
  return HOST_NAME.test(text) ? text : undefined
}

export const MAX_WORKERS = 256

export function parseWorkers(text: string): number | undefined {
  if (text === 'auto') return Math.min(availableParallelism(), MAX_WORKERS)
  const count = /^\d{1,3}$/.test(text) ? Number(text) : 0
  return count >= 1 && count <= MAX_WORKERS ? count : undefined
}

/** `~` is not expanded here: it would create a folder of that name, which is dangerous to remove. */
export const parseFolder = (text: string) => (text.startsWith('~') ? undefined : text)

export function parseMasterKeys(text: string): Buffer[] | undefined {
  const keys = text.split(',').map((part) => Buffer.from(part.trim(), 'base64url'))
  const exact = text.split(',').every((part) => /^[A-Za-z0-9_-]{43}$/.test(part.trim()))
  return exact && keys.every((key) => key.length === 32) ? keys : undefined
}

/** A list of addresses and networks. */
export function parseNetworks(text: string): string[] | undefined {
  const parts = text.split(',').map((part) => part.trim())
  const good = parts.every((part) => {
    const [address, bits, ...rest] = part.split('/')
    const version = isIP(address ?? '')
    if (version === 0 || rest.length > 0) return false
    return (
      bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
    )
  })
  return good ? parts : undefined
}

export function parseMailFrom(text: string): string | undefined {
  const result = sender.read(text)
  return typeof result === 'string' ? undefined : result.value
}

const PLAIN_PATH = /^[A-Za-z0-9._-]+(?:\/[A-Za-z0-9._-]+)*$/
const hasDots = (path: string) => path.split('/').some((part) => /^\.+$/.test(part))
export const parsePlainPath = (text: string) =>
  PLAIN_PATH.test(text) && !hasDots(text) ? text : undefined

/** Rejects credentials in the URL, and the bucket as a part of its path: they have their own settings. */
export const endpointOf =
  (bucket: string | undefined) =>
  (text: string): string | undefined => {
    const url = parseUrl(text)
    if (!url || !/^https?:$/.test(url.protocol)) return undefined
    if (url.search || url.hash || url.username || url.password) return undefined
    return bucket !== undefined && url.pathname.split('/').includes(bucket) ? undefined : text
  }

/** A path that begins with a slash, as nginx has it. */
export function parseAccelPath(text: string): string | undefined {
  const path = text.startsWith('/') ? parsePlainPath(text.slice(1)) : undefined
  return path === undefined ? undefined : `/${path}`
}

/** Returns a parser that accepts texts of this form, unchanged. */
export const matching = (pattern: RegExp) => (text: string) =>
  pattern.test(text) ? text : undefined

/** Returns a parser that accepts one of these texts. */
export const oneOf =
  <T extends string>(choices: readonly T[]) =>
  (text: string): T | undefined =>
    choices.find((choice) => choice === text)
