import { mkdtempSync, promises, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { databases } from '../../testing/databases.ts'
import { addDownload } from '../../testing/downloads/downloads.ts'
import { fetchBytes } from '../../testing/http/fetching.ts'
import { RawConnection } from '../../testing/http/raw-http.ts'
import { seededRandom, shuffled } from '../../testing/random.ts'
import { useApplication, useService } from '../../testing/use-service.ts'

const [SQLITE] = databases
const BYTES = Buffer.from('the file itself')
const CANARY = 'canary-that-nobody-may-read'

/** Each run tries others: the seeds are random. */
const OTHER_LETTERS = 8
const ATTEMPTS = 2_000

/** Records the path of every file that is opened from now on. */
function watchOpens(): { paths: string[]; stop(): void } {
  const { open } = promises
  const paths: string[] = []
  promises.open = (path, ...rest) => {
    paths.push(String(path))
    return open(path, ...rest)
  }
  syncBuiltinESMExports()
  return {
    paths,
    stop() {
      promises.open = open
      syncBuiltinESMExports()
    },
  }
}

/** Requests all targets over a few connections, and returns the responses in order. */
async function askAll(url: string, targets: readonly string[]) {
  const answers: { status: number; body: string }[] = []
  let next = 0
  const worker = async () => {
    let connection = await RawConnection.open(url)
    while (next < targets.length) {
      const at = next++
      await connection.write(`GET ${targets[at]} HTTP/1.1\r\nHost: x\r\n\r\n`)
      const response = await connection.answer()
      answers[at] = response ?? { status: 0, body: '' }
      // Invalid HTTP ends the connection.
      if (response && response.headers.get('connection') !== 'close') continue
      connection.close()
      connection = await RawConnection.open(url)
    }
    connection.close()
  }
  await Promise.all([worker(), worker(), worker(), worker()])
  return answers
}

/** Fragments for path traversal attempts against different parsers. */
const PIECES = [
  ...['..', '.', '...', '....//', '%2e%2e', '%2E.', '%252e%252e', '..;', '..%00', '%c0%ae%c0%ae'],
  ...['/', '//', '\\', '%2f', '%2F', '%5c', '%252f', '%c0%af', '%ef%bc%8f', ';', '?', '#', '%'],
  ...['etc/passwd', 'proc/self/environ', 'master.key', 'control.sqlite', 'uploads', 'files', 'd'],
  ...[
    'C:',
    'file:',
    'NUL',
    'CON',
    '~',
    '%00',
    '%0a',
    '%0d%0a',
    '*',
    '\x7f',
    '\xff',
    '"',
    "'",
    '$(',
  ],
  'A'.repeat(300),
]

/** A new random sequence; a failed test tells its seed. */
function newRandom() {
  const seed = Date.now() % 1e9
  const random = seededRandom(seed)
  const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)] as T
  return { seed, random, pick }
}

describe('against links and names that are made to do harm', () => {
  const service = useService(SQLITE)
  const app = useApplication(service, { resources: ['film'] })
  let target: string
  let outside: string
  beforeAll(async () => {
    await addDownload(app, 'film', BYTES)
    const { url } = await app.client.getDownloadUrl({
      rid: 'film',
      lifetime: 3600,
      filename: 'ä.txt',
    })
    target = new URL(url).pathname
    outside = mkdtempSync(join(tmpdir(), 'gatehouse-outside-'))
    writeFileSync(join(outside, 'canary'), CANARY)
  })
  afterAll(async () => {
    rmSync(outside, { recursive: true })
  })

  const store = () => realpathSync(join(service.ctx.config.dataFolder, 'files', 'production'))
  const inside = (path: string) =>
    /^[^/]{64}$/.test(path.slice(store().length + 1)) && path.startsWith(`${store()}/`)

  it('every single byte of a link counts', { timeout: 60_000 }, async () => {
    const { seed, random } = newRandom()
    const alphabet = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~']
    const changed = [...target].flatMap((letter, at) =>
      shuffled(
        alphabet.filter((other) => other !== letter),
        random,
      )
        .slice(0, OTHER_LETTERS)
        .map((other) => target.slice(0, at) + other + target.slice(at + 1)),
    )
    const shorter = [...target].map((_, at) => target.slice(0, at) + target.slice(at + 1))
    const longer = [...target].map((letter, at) => target.slice(0, at) + letter + target.slice(at))
    const opens = watchOpens()
    const answers = await askAll(service.url, [...changed, ...shorter, ...longer])
    opens.stop()
    expect(answers.length).toBeGreaterThan(target.length * OTHER_LETTERS)
    const taken = answers.filter(({ status }) => ![400, 403, 404].includes(status))
    expect(taken, `seed ${seed}`).toEqual([])
    expect(opens.paths).toEqual([])
    // The link itself still works.
    expect((await fetchBytes(service.url + target)).body.equals(BYTES)).toBe(true)
  })

  it('no path leads out of the store', { timeout: 60_000 }, async () => {
    const { seed, random, pick } = newRandom()
    const starts = [
      '/d/',
      '/d',
      '/sandbox/d/',
      '/d/../',
      '/files/',
      `${target}/`,
      target,
      `/d/${outside}`,
    ]
    const targets = Array.from({ length: ATTEMPTS }, () => {
      const length = 1 + Math.floor(random() * 6)
      const piece = Array.from({ length }, () => pick(PIECES)).join(random() < 0.5 ? '/' : '')
      return (pick(starts) + piece).replaceAll(' ', '')
    })
    const opens = watchOpens()
    const answers = await askAll(service.url, targets)
    opens.stop()
    const context = `seed ${seed}`
    expect(answers, context).toHaveLength(ATTEMPTS)
    for (const [at, { status, body }] of answers.entries()) {
      // A query is not part of the link.
      const isLink = targets[at]?.split('?')[0] === target
      const allowed = [400, 403, 404, ...(isLink ? [200] : [])]
      expect(allowed, `${targets[at]} ${context}`).toContain(status)
      expect(body.includes(CANARY), context).toBe(false)
    }
    expect(
      opens.paths.filter((path) => !inside(path)),
      context,
    ).toEqual([])
  })

  it('no name of a file or a resource becomes a path, or a header of its own', {
    timeout: 60_000,
  }, async () => {
    const { seed, random, pick } = newRandom()
    const odd = ['\r\n', "''", '%0d%0a', ...'\n\0"\\\u202e／‥\ud83c\udfacé;=']
    const opens = watchOpens()
    let refused = 0
    let delivered = 0
    for (let i = 0; i < 200; i++) {
      const length = 1 + Math.floor(random() * 4)
      const filename = Array.from({ length }, () => pick([...odd, ...PIECES])).join('')
      const answer = await app.client
        .getDownloadUrl({ rid: 'film', lifetime: 60, filename })
        .catch((error: { status?: number }) => error.status)
      if (typeof answer !== 'object') {
        expect(answer, `${JSON.stringify(filename)} seed ${seed}`).toBe(400)
        refused++
        continue
      }
      const { status, headers, body } = await fetchBytes(answer.url)
      expect([status, body.equals(BYTES)], `${JSON.stringify(filename)} seed ${seed}`).toEqual([
        200,
        true,
      ])
      expect(headers['content-disposition']).toMatch(/^attachment; filename=[ -~]+$/)
      expect(headers['x-content-type-options']).toBe('nosniff')
      delivered++
    }
    opens.stop()
    expect(refused, `seed ${seed}`).toBeGreaterThan(20)
    expect(delivered, `seed ${seed}`).toBeGreaterThan(20)
    expect(opens.paths.filter((path) => !inside(path))).toEqual([])
  })
})
