import type { Trx } from '../../../db/database.ts'
import { claimLease, type Lease, releaseLease, renewLease } from '../../../db/lease.ts'
import type { Millis } from '../../../db/tables.ts'
import { OperatorError } from '../../../errors.ts'
import { newId } from '../../../ids.ts'
import type { PaymentContext } from '../context.ts'

const LEASE_NAME = 'reconciliation_lease'
/** Short, so that a process that was killed, or cut off from the database, does not delay `gatehouse resume`. */
const LEASE_MS: Millis = 60_000
const RENEW_MS: Millis = 15_000

/** The right to reconcile, which one process has at a time. */
export interface ReconciliationLease {
  /** Throws once it is known that another process took over. */
  requireHeld(): void
  /** Runs a write, unless another process took over. */
  write<R>(fn: (trx: Trx) => Promise<R>): Promise<R>
  release(): Promise<void>
}

/** Takes the lease, and renews it until it is released. */
export async function holdLease({
  database,
  realTime,
}: PaymentContext): Promise<ReconciliationLease> {
  const lease: Lease = { name: LEASE_NAME, token: newId() }
  const now = realTime()
  if (!(await database.write((trx) => claimLease(trx, lease, now + LEASE_MS, now))))
    throw new OperatorError('another reconciliation is under way: try again in a minute')
  let isLost = false
  const requireHeld = () => {
    if (!isLost) return
    throw new OperatorError(
      'another reconciliation took over while this one was cut off from the database: try again in a minute',
    )
  }
  const renew = async (trx: Trx) => {
    isLost = !(await renewLease(trx, lease, realTime() + LEASE_MS))
    requireHeld()
  }
  let renewed: Promise<unknown> = Promise.resolve()
  const timer = setInterval(() => {
    // If the database is away or the lease is lost, the comparison itself reports it.
    renewed = database.write(renew).catch(() => {})
  }, RENEW_MS)
  return {
    requireHeld,
    write: (fn) =>
      database.write(async (trx) => {
        await renew(trx)
        return await fn(trx)
      }),
    async release() {
      clearInterval(timer)
      await renewed
      await database.write((trx) => releaseLease(trx, lease))
    },
  }
}
