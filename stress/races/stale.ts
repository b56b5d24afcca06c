import { expect } from 'vitest'
import { RawConnection, signedBytes } from '../../packages/server/src/testing/http/raw-http.ts'
import type { Credentials } from '../../packages/server/src/testing/installations.ts'

/** Connections to each server that check all the time, and those that check right after a change. */
const WATCHERS = 2
const AIMED = 2
const MAX_AT_ONCE = 4

export interface StaleReport {
  changes: number
  /** Checks whose right response was known, and the others. */
  sure: number
  open: number
}

/** A request that changes what the reader may see, and the right response to a check from then on. */
export interface Change {
  bytes: string
  status: 200 | 404
}

/** The right response for the record; undefined while a change is in progress. */
interface Truth {
  status: 200 | 404 | undefined
  /** Counts the changes that were sent. */
  turn: number
  isOver: boolean
}

const WHO = 'rid=news&user_ref=hot'

/** The same check in two forms that are cached separately, and in one that is not cached. */
const questions = (key: Credentials) => [
  signedBytes(key, { target: `/r2/access?${WHO}` }),
  signedBytes(key, { target: `/r2/access?${WHO}&show_expired=true` }),
  signedBytes(key, { target: `/r2/access?user_ref=hot&rid=news`, headers: ['Content-Length: 0'] }),
]

/** The requests that give the reader access to a resource, and take it away. */
export function requestsFor(key: Credentials, rid: string) {
  const who = `rid=${rid}&user_ref=hot`
  const post = (target: string) => signedBytes(key, { method: 'POST', target })
  return {
    grant: post(`/r2/access/grant?${who}&email=hot%40example.com&suppress_email=true`),
    revoke: post(`/r2/access/revoke?${who}`),
  }
}

/** Gives the reader access to the resource, and takes it away, this many times. */
export function* grantsAndRevokes(key: Credentials, count: number): Generator<Change> {
  const { grant, revoke } = requestsFor(key, 'news')
  for (let made = 0; made < count; made++) {
    yield { bytes: grant, status: 200 }
    yield { bytes: revoke, status: 404 }
  }
}

/**
 * Changes what a reader may see, on any of the servers, while connections to all of them check it and send several
 * requests before they read a response. A check that is sent after a change was answered, and answered before the next
 * change is sent, must reflect it.
 */
export async function findStaleAnswers(
  urls: readonly string[],
  key: Credentials,
  { changes, random }: { changes: Iterable<Change>; random: () => number },
): Promise<StaleReport> {
  const truth: Truth = { status: undefined, turn: 0, isOver: false }
  const report: StaleReport = { changes: 0, sure: 0, open: 0 }
  const texts = questions(key)
  const watchers = await openAll(urls, WATCHERS)
  const aimed = await openAll(urls, AIMED)
  const writers = await openAll(urls, 1)

  async function ask(connection: RawConnection): Promise<void> {
    const { status, turn } = truth
    const count = 1 + Math.floor(random() * MAX_AT_ONCE)
    const bytes = Array.from({ length: count }, () => any(texts, random))
    await connection.write(bytes.join(''))
    for (const text of bytes) {
      const response = await connection.answer()
      const isSure = status !== undefined && truth.turn === turn
      report[isSure ? 'sure' : 'open']++
      expect([200, 404], response?.body).toContain(response?.status)
      if (isSure) expect(response?.status, `change ${turn}: ${text.split('\r\n')[0]}`).toBe(status)
    }
  }

  async function make({ bytes, status }: Change): Promise<void> {
    truth.turn++
    truth.status = undefined
    const writer = any(writers, random)
    await writer.write(bytes)
    const response = await writer.answer()
    expect(response?.status, `${bytes.split('\r\n')[0]} ${response?.body}`).toBe(200)
    truth.status = status
    report.changes++
    await Promise.all(aimed.map(ask))
  }

  const watching = Promise.all(
    watchers.map(async (connection) => {
      while (!truth.isOver) await ask(connection)
    }),
  )
  // The failure is reported where `watching` is awaited.
  watching.catch(() => {})
  try {
    for (const change of changes) await make(change)
  } finally {
    truth.isOver = true
    const all = [...watchers, ...aimed, ...writers]
    await watching.finally(() => all.map((connection) => connection.close()))
  }
  return report
}

/** Opens this many connections to each server. */
function openAll(urls: readonly string[], count: number): Promise<RawConnection[]> {
  return Promise.all(
    urls.flatMap((url) => Array.from({ length: count }, () => RawConnection.open(url))),
  )
}

const any = <T>(items: readonly T[], random: () => number) =>
  items[Math.floor(random() * items.length)] as T
