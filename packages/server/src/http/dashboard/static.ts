import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Where the built app is, seen from the built server and from its sources. */
const PLACES = ['./dashboard/', '../../../dist/dashboard/']

const INDEX = 'index.html'

export interface AppFiles {
  /** Sends a file, or the page of the app. Returns false for an asset that does not exist. */
  send(path: string, request: FastifyRequest, reply: FastifyReply): Promise<boolean>
}

export function findAppFolder(): string | undefined {
  const folders = PLACES.map((place) => fileURLToPath(new URL(place, import.meta.url)))
  return folders.find((folder) => existsSync(join(folder, INDEX)))
}

/** The app needs its own files and API, and resource images from any https host. */
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

/** Asset names contain a hash of the content, so the content of a name never changes. */
const HASHED = /^assets\//

function cacheOf(name: string): string {
  if (name === INDEX) return 'no-store'
  return HASHED.test(name) ? 'public, max-age=31536000, immutable' : 'no-cache'
}

const ENCODINGS = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const

/** Serves only files that were in the folder at startup, so that no path leads out of it. Returns undefined
 * if the app was not built. `home` is the path it is mounted at. */
export function readApp(place: string | undefined, home: string): AppFiles | undefined {
  if (place === undefined || !existsSync(join(place, INDEX))) return undefined
  const folder = place
  // Read at startup, like the list of files: a later build has other file names.
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
