import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import { databases } from '../../testing/databases.ts'
import { useApplication, useService } from '../../testing/use-service.ts'
import { addApplicationKey } from './keys.ts'
import { createMasterKey, readKeyFile } from './master-key.ts'
import { rotateKeyFile } from './rotate-master.ts'
import { findSealProblems } from './sealed.ts'

describe.each(databases)('a rotation of the master key on $name', (database) => {
  const service = useService(database)
  const app = useApplication(service)

  const folder = () => service.ctx.config.dataFolder
  const file = () => readFileSync(join(folder(), 'master.key'), 'utf8')
  const rotate = () => {
    const { production, sandbox } = service.ctx.environments
    return rotateKeyFile(service.ctx.control, [production.database, sandbox.database], folder())
  }
  /** Reads the key file as a newly started process would. */
  const troubles = () =>
    findSealProblems(
      app.environment.database.read,
      createMasterKey('test', () => readKeyFile(folder())),
    )

  it('loses no key that is made meanwhile', async () => {
    const before = file()
    let rotation: Promise<number> | undefined
    await app.environment.database.write(async (trx) => {
      await addApplicationKey(trx, service.ctx.masterKey, app.aid, Date.now())
      rotation = rotate()
      await vi.waitFor(() => expect(file()).not.toBe(before), { timeout: 60_000 })
      // The rotation must be blocked by this transaction; otherwise it would finish within this time.
      await Promise.race([rotation, sleep(200)])
    })
    expect(await rotation).toBe(2)
    expect(await troubles()).toEqual({ count: 2, unreadable: [], old: [] })
  })

  it('may be asked for by several at once', async () => {
    await Promise.all([rotate(), rotate(), rotate()])
    expect(readKeyFile(folder())).toHaveLength(1)
    expect(await troubles()).toEqual({ count: 2, unreadable: [], old: [] })
    await app.client.searchAccess()
  })
})
