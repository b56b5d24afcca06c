import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)
const real = require('@node-rs/argon2') as typeof import('@node-rs/argon2')

/** The least that Argon2 accepts: a hash takes microseconds instead of 30 ms. */
const CHEAP = { memoryCost: 8, timeCost: 1 }

let isCheap = true

/** Hashes at full cost while `work` runs, for tests about how long a password check takes. */
export async function withFullHashCost<R>(work: () => Promise<R>): Promise<R> {
  isCheap = false
  try {
    return await work()
  } finally {
    isCheap = true
  }
}

/** Replaces the package in the tests' own process (see `vitest.config.ts`), where hashes at full cost would take a minute
 * of processor time. Processes that tests start use the package itself. */
export function hash(password: Uint8Array): Promise<string> {
  return real.hash(password, isCheap ? CHEAP : undefined)
}

export async function verify(hashed: string, password: Uint8Array): Promise<boolean> {
  // A hash may have been made at low cost before; hashing once more takes as long as verifying one of full cost.
  if (!isCheap) await real.hash(password)
  return await real.verify(hashed, password)
}
