import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Where the built app may lie: beside the built server, or in a clone where it was made. */
const PLACES = ['../../dashboard/', '../../../dist/dashboard/', '../../../../dashboard/dist/']

const INDEX = 'index.html'

/** The files of the app. */
export interface AppFiles {
  /** Answers with a file, or with the page that holds the app; false if it is a file that is not there. */
  send(path: string, request: FastifyRequest, reply: FastifyReply): Promise<boolean>
}

export function findAppFolder(): string | undefined {
  const folders = PLACES.map((place) => fileURLToPath(new URL(place, import.meta.url)))
  return folders.find((folder) => existsSync(join(folder, INDEX)))
}

/** The app needs its own files and its own API, and pictures of resources from wherever they are. */
const PAGE_HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: https:; " +
    "connect-src 'self'; font-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'permissions-policy':
    'camera=(), geolocation=(), microphone=(), payment=(), usb=(), ' +
    'publickey-credentials-get=(self), publickey-credentials-create=(self)',
  'cross-origin-opener-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
} as const

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
}

/** What is named after its contents never changes. */
const HASHED = /^assets\//

function cacheOf(name: string): string {
  if (name === INDEX) return 'no-store'
  return HASHED.test(name) ? 'public, max-age=31536000, immutable' : 'no-cache'
}

const ENCODINGS = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const

/** Only what was in the folder at the start is ever sent: no path leads out of it. Undefined where the
 * app was not built. `home` is where it is mounted. */
export function readApp(place: string | undefined, home: string): AppFiles | undefined {
  if (place === undefined || !existsSync(join(place, INDEX))) return undefined
  const folder = place
  // From the start on, as the list of files is: a later build names others.
  const page = Buffer.from(
    readFileSync(join(folder, INDEX), 'utf8').replaceAll('"/dashboard/', `"${home}`),
  )
  const names = new Set(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/')),
  )
  const isShown = (name: string) => names.has(name) && TYPES[extname(name)] !== undefined

  async function sendFile(name: string, request: FastifyRequest, reply: FastifyReply) {
    const accepted = String(request.headers['accept-encoding'] ?? '')
    const packed = ENCODINGS.find(
      ([encoding, end]) => names.has(name + end) && new RegExp(`\\b${encoding}\\b`).test(accepted),
    )
    const headers = {
      ...PAGE_HEADERS,
      'content-type': TYPES[extname(name)] as string,
      'cache-control': cacheOf(name),
      vary: 'accept-encoding',
      ...(packed ? { 'content-encoding': packed[0] } : {}),
    }
    const bytes = name === INDEX ? page : await readFile(join(folder, name + (packed?.[1] ?? '')))
    reply.headers(headers).send(bytes)
  }

  return {
    async send(path, request, reply) {
      if (isShown(path)) await sendFile(path, request, reply)
      else if (HASHED.test(path)) return false
      else await sendFile(INDEX, request, reply)
      return true
    },
  }
}
