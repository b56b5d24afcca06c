import type { IncomingMessage } from 'node:http'
import { NO_PEERS, type Peers } from '../cluster/peers.ts'
import type { Config } from '../config/config.ts'
import { fail } from '../errors.ts'

const MINUTE: Window = { ms: 60_000, name: 'a minute' }
export const SECOND: Window = { ms: 1_000, name: 'a second' }

interface Window {
  ms: number
  /** Follows a number of requests in a sentence. */
  name: string
}

/** How often processes send each other the counts of the requests they accepted. */
const BROADCAST_INTERVAL_MS = 250

/** Counts requests per key and window of time, usually a minute. */
export interface Limiter {
  /** Throws 429 once a key is over its limit. */
  count(key: string): void
  /** Whether `count` would throw. */
  isReached(key: string): boolean
}

/** The limits of requests to the API: the routes and the fast path count toward the same ones. */
export interface RequestLimits {
  perAddress: Limiter
  perApplication: Limiter
  /** Requests that the fast path counted and then left to the route, which must not count them again. */
  counted: WeakSet<IncomingMessage>
}

export const createRequestLimits = ({ limits }: Config, peers: Peers): RequestLimits => ({
  perAddress: createLimiter('address', limits.perAddress, peers),
  perApplication: createLimiter('application', limits.perApplication, peers),
  counted: new WeakSet(),
})

interface PeerCounts {
  /** The number of the window since the start of the machine. */
  minute: number
  counts: [key: string, count: number][]
}

/** A monotonic clock in milliseconds that is the same in all processes of a machine. */
const machineTime = () => Number(process.hrtime.bigint() / 1_000_000n)

/**
 * `max` 0 means no limit. Requests that peers accepted under the same name count too, with a short delay. Memory is bounded
 * by the keys of one window.
 */
export function createLimiter(
  name: string,
  max: number,
  peers: Peers = NO_PEERS,
  window: Window = MINUTE,
): Limiter {
  if (max === 0) return { count() {}, isReached: () => false }
  const topic = `let in per ${name}`
  // All processes begin a window simultaneously: a client that waited for it must not be refused elsewhere.
  const origin = peers === NO_PEERS ? machineTime() : 0
  const sinceOrigin = () => machineTime() - origin
  let minute = -1
  let counts = new Map<string, number>()
  let unsentCounts = new Map<string, number>()

  function startWindow(now: number): void {
    const current = Math.floor(now / window.ms)
    if (current === minute) return
    minute = current
    counts = new Map()
    unsentCounts = new Map()
  }

  function broadcastCounts(): void {
    // A new window has begun since.
    if (unsentCounts.size === 0) return
    peers.broadcast(topic, { minute, counts: [...unsentCounts] } satisfies PeerCounts)
    unsentCounts = new Map()
  }

  function addUnsent(key: string): void {
    if (unsentCounts.size === 0) setTimeout(broadcastCounts, BROADCAST_INTERVAL_MS).unref()
    add(unsentCounts, key, 1)
  }

  peers.onBroadcast(topic, (content) => {
    const theirs = content as PeerCounts
    startWindow(sinceOrigin())
    if (theirs.minute !== minute) return
    for (const [key, count] of theirs.counts) add(counts, key, count)
  })

  function isReached(key: string, now: number): boolean {
    startWindow(now)
    return (counts.get(key) ?? 0) >= max
  }

  return {
    isReached: (key) => isReached(key, sinceOrigin()),
    count(key) {
      const now = sinceOrigin()
      // Only accepted requests count: a refusal here must not use up the limit in another process.
      if (isReached(key, now)) {
        const seconds = Math.ceil((window.ms - (now % window.ms)) / 1000)
        throw fail('too_many_requests', `No more than ${max} requests ${window.name}.`, seconds)
      }
      add(counts, key, 1)
      if (peers !== NO_PEERS) addUnsent(key)
    },
  }
}

function add(counts: Map<string, number>, key: string, count: number): void {
  counts.set(key, (counts.get(key) ?? 0) + count)
}
