import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { readMeta, setMeta } from '../../../db/meta.ts'
import { databases } from '../../../testing/databases.ts'
import { useBooks } from '../../../testing/stripe/books.ts'
import type { FakeIntent } from '../../../testing/stripe/objects.ts'
import type { ProviderLedger } from '../provider.ts'
import { listOpenFindings } from './findings.ts'
import type { Reconciliation } from './reconcile.ts'

const TOOK_OVER = 'another reconciliation took over'
const LEASE_S = 60
const RENEW_MS = 15_000

describe.each(databases)(
  'a reconciliation that was cut off for longer than its lease, on $name,',
  (database) => {
    const { fake, service, app, env, buy, compare } = useBooks(database)
    const db = () => env().database
    const lease = () => readMeta(db().read, 'reconciliation_lease')

    // Leases are renewed only when a test says so.
    beforeAll(() => {
      vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    })
    afterAll(() => {
      vi.useRealTimers()
    })
    afterEach(async () => {
      fake.ledger.intents.delete(added?.id ?? '')
      fake.ledger.charges.delete(added?.latest_charge ?? '')
      await db().write((trx) => trx.deleteFrom('reconciliation_findings').execute())
      // A lease that an older process took over is not released.
      service.clock.advance(2 * LEASE_S)
    })

    interface Paused {
      running: Promise<Reconciliation>
      resume(): void
    }

    /** Starts a reconciliation, and stops it where it asks the provider for a list. */
    async function pauseAt(list: 'charges' | 'disputes'): Promise<Paused> {
      const ledger = env().provider?.ledger as ProviderLedger
      const original = ledger[list]
      let running: Promise<Reconciliation> | undefined
      const resume = await new Promise<() => void>((resolve, reject) => {
        const pause = async function* (since: number) {
          Object.assign(ledger, { [list]: original })
          await new Promise<void>((resumed) => resolve(resumed))
          yield* original(since)
        }
        Object.assign(ledger, { [list]: pause })
        running = compare()
        running.catch(reject)
      })
      return { running: running as Promise<Reconciliation>, resume }
    }

    let added: FakeIntent | undefined
    /** Adds a charge that nothing here explains, and returns its id. */
    async function addUnknownCharge(): Promise<string> {
      const metadata = { gatehouse_payment: 'lost', gatehouse_aid: app.aid }
      added = fake.ledger.addIntent({ amount: 700, currency: 'eur', metadata })
      fake.ledger.capture(added)
      return added.id
    }
    const foundRefs = async () =>
      (await listOpenFindings(db().read)).map(({ provider_ref }) => provider_ref)

    it('keeps the findings of the one that took over', async () => {
      const first = await pauseAt('disputes')
      service.clock.advance(LEASE_S)
      const ref = await addUnknownCharge()
      expect((await compare()).open).toMatchObject([{ providerRef: ref }])
      first.resume()
      const [outcome] = await Promise.allSettled([first.running])
      expect(await foundRefs()).toEqual([ref])
      const reason = expect.objectContaining({ message: expect.stringContaining(TOOK_OVER) })
      expect(outcome).toEqual({ status: 'rejected', reason })
    })

    it('leaves the lease to the one that took over', async () => {
      const first = await pauseAt('disputes')
      service.clock.advance(LEASE_S)
      const second = await pauseAt('disputes')
      const held = await lease()
      first.resume()
      await expect(first.running).rejects.toThrow(TOOK_OVER)
      expect(await lease()).toBe(held)
      await expect(compare()).rejects.toThrow('under way')
      second.resume()
      expect(await second.running).toMatchObject({ open: [] })
      expect(await lease()).toBe('0')
    })

    it('goes no further once it can’t renew its lease', async () => {
      await buy('ann')
      const first = await pauseAt('charges')
      service.clock.advance(LEASE_S)
      await compare()
      const renewals = collectWrites()
      vi.advanceTimersByTime(RENEW_MS)
      await Promise.allSettled(renewals)
      fake.calls.length = 0
      first.resume()
      await expect(first.running).rejects.toThrow(TOOK_OVER)
      const lists = fake.calls.map(({ route }) => route)
      expect(lists).not.toContain('GET /v1/refunds')
      expect(await lease()).toBe('0')
    })

    /** Collects the transactions that begin from now on, until the next one has begun. */
    function collectWrites(): Promise<unknown>[] {
      const writes: Promise<unknown>[] = []
      const { write } = db()
      db().write = (fn, options) => {
        db().write = write
        const writing = write(fn, options)
        writes.push(writing)
        return writing
      }
      return writes
    }

    it('goes on if nobody took over', async () => {
      const first = await pauseAt('disputes')
      service.clock.advance(2 * LEASE_S)
      const ref = await addUnknownCharge()
      first.resume()
      expect(await first.running).toMatchObject({ open: [] })
      expect(await lease()).toBe('0')
      expect((await compare()).open).toMatchObject([{ providerRef: ref }])
    })

    it('stops for a process of an older version, which stores the end of its lease alone', async () => {
      const first = await pauseAt('disputes')
      expect(await lease()).toBe(String(service.clock.now + LEASE_S * 1000))
      service.clock.advance(LEASE_S)
      const end = String(service.clock.now + LEASE_S * 1000)
      await db().write((trx) => setMeta(trx, 'reconciliation_lease', end))
      first.resume()
      await expect(first.running).rejects.toThrow(TOOK_OVER)
      expect(await lease()).toBe(end)
    })
  },
)
