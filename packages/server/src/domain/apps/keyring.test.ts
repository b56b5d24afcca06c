import { setImmediate } from 'node:timers/promises'
import type { KyselyPlugin } from 'kysely'
import { describe, expect, it, vi } from 'vitest'
import { databases } from '../../testing/databases.ts'
import { useService } from '../../testing/use-service.ts'
import { createKeyring } from './keyring.ts'

/** Delays query results while the gate is closed. */
function gate(): KyselyPlugin & { close(): { reached: Promise<void>; open(): void } } {
  let reach = () => {}
  let opened: Promise<void> | undefined
  return {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      reach()
      await opened
      return result
    },
    close() {
      let open = () => {}
      opened = new Promise<void>((resolve) => {
        open = resolve
      })
      const reached = new Promise<void>((resolve) => {
        reach = resolve
      })
      return { reached, open }
    },
  }
}

describe.each(databases)('A keyring on $name', (database) => {
  const service = useService(database)

  it('that is looking already looks again for a key that was made meanwhile', async () => {
    const { database: db, realTime } = service.ctx.environments.production
    const slow = gate()
    const keyring = createKeyring(db.read.withPlugin(slow), service.ctx.masterKey, realTime)
    await keyring.refresh()
    const { reached, open } = slow.close()
    const underWay = keyring.refresh()
    await reached
    const { aid, privateKey } = await service.newApplication()
    const later = keyring.refresh()
    open()
    await Promise.all([underWay, later])
    expect(keyring.keysOf(aid)).toEqual([privateKey])
  })

  it('asks nobody while its keys are fresh, and nobody knows an unknown application', async () => {
    const { database: db, realTime } = service.ctx.environments.production
    const keyring = createKeyring(db.read, service.ctx.masterKey, realTime)
    expect(keyring.refreshIfStale()).toBeInstanceOf(Promise)
    await keyring.refreshIfStale()
    expect(keyring.refreshIfStale()).toBeUndefined()
    expect(keyring.keysOf('AAAAAAAAAA')).toEqual([])
  })

  it('looks again in the background before its keys are too old to be trusted', async () => {
    const { database: db, realTime } = service.ctx.environments.production
    const slow = gate()
    const keyring = createKeyring(db.read.withPlugin(slow), service.ctx.masterKey, realTime)
    vi.useFakeTimers({ toFake: ['performance'] })
    try {
      await keyring.refresh()
      const { aid, privateKey } = await service.newApplication()
      const { reached, open } = slow.close()
      vi.advanceTimersByTime(1_500)
      // The keys are still trusted, so no request waits for the new ones.
      expect(keyring.refreshIfStale()).toBeUndefined()
      await reached
      expect(keyring.refreshIfStale()).toBeUndefined()
      open()
      await vi.waitFor(() => expect(keyring.keysOf(aid)).toEqual([privateKey]))
      vi.advanceTimersByTime(1_500)
      expect(keyring.refreshIfStale()).toBeUndefined()
      vi.advanceTimersByTime(3_000)
      expect(keyring.refreshIfStale()).toBeInstanceOf(Promise)
      await keyring.refreshIfStale()
    } finally {
      vi.useRealTimers()
    }
  })

  it("that can't look ends nothing, also if nobody waits for it", async () => {
    const { realTime } = service.ctx.environments.production
    const broken = {
      transformQuery() {
        throw new Error('gone')
      },
    } as unknown as KyselyPlugin
    const { read } = service.ctx.environments.production.database
    const keyring = createKeyring(read.withPlugin(broken), service.ctx.masterKey, realTime)
    const unhandled = vi.fn()
    process.on('unhandledRejection', unhandled)
    void keyring.refreshIfStale()
    await expect(keyring.refreshIfStale()).rejects.toThrow('gone')
    void keyring.refreshIfStale()
    await setImmediate()
    process.off('unhandledRejection', unhandled)
    expect(unhandled).not.toHaveBeenCalled()
  })
})
