import type { Reader } from './reader.ts'

export interface LimitSettings {
  /** Requests per minute, 0 for no limit. */
  perApplication: number
  perAddress: number
  connections: number
  connectionsPerAddress: number
  /** The maximum size of incomplete requests, over all connections. */
  unfinishedBytes: number
  inFlight: number
  /** Concurrent file downloads. They don't count as requests in flight. */
  downloads: number
  /** Concurrent downloads per address; 0 for no limit. */
  downloadsPerAddress: number
  checkouts: CheckoutLimitSettings
}

/** Limits of the pages on which anybody can buy, for each environment; 0 for no limit. */
export interface CheckoutLimitSettings {
  /** Checkouts begun per minute, over all addresses; and as many payments with test cards. */
  perMinute: number
  /** Forms of these pages per minute and address. */
  perAddress: number
  /** Checkouts of an address that are open at a time. */
  openPerAddress: number
  /** Calls to the payment provider per second that readers cause. */
  providerCalls: number
}

const MIB = 2 ** 20

export const readLimits = (r: Reader): LimitSettings => ({
  perApplication: r.whole('LIMIT_PER_APPLICATION', 0, 0, 1e9),
  perAddress: r.whole('LIMIT_PER_ADDRESS', 0, 0, 1e9),
  connections: r.whole('LIMIT_CONNECTIONS', 10_000, 1, 1e6),
  connectionsPerAddress: r.whole('LIMIT_CONNECTIONS_PER_ADDRESS', 0, 0, 1e6),
  unfinishedBytes: r.whole('LIMIT_UNFINISHED_BYTES', 32 * MIB, MIB, 1e12),
  inFlight: r.whole('LIMIT_IN_FLIGHT', 1_000, 1, 1e6),
  downloads: r.whole('LIMIT_DOWNLOADS', 1_000, 1, 1e6),
  downloadsPerAddress: r.whole('LIMIT_DOWNLOADS_PER_ADDRESS', 100, 0, 1e6),
  checkouts: {
    perMinute: r.whole('LIMIT_CHECKOUTS', 600, 0, 1e6),
    perAddress: r.whole('LIMIT_CHECKOUTS_PER_ADDRESS', 20, 0, 1e6),
    openPerAddress: r.whole('LIMIT_OPEN_CHECKOUTS_PER_ADDRESS', 10, 0, 1_000),
    providerCalls: r.whole('LIMIT_CHECKOUT_CALLS', 20, 0, 1e6),
  },
})
