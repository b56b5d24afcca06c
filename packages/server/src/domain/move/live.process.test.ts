import { setTimeout as sleep } from 'node:timers/promises'
import { Gatehouse, UnavailableError } from '@gatehouse/sdk'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { inProcessCli, spawnedCli } from '../../testing/cli.ts'
import { databases } from '../../testing/databases.ts'
import { type Credentials, createApplicationIn } from '../../testing/installations.ts'
import {
  createMoveTarget,
  killAndWait,
  type MoveTarget,
  startMove,
} from '../../testing/postgres/move-target.ts'
import { type ServerProcess, startProcess } from '../../testing/processes/process.ts'
import { startTestService } from '../../testing/service.ts'
import { useFreshMigratedInstallation } from '../../testing/use-service.ts'

vi.setConfig({ testTimeout: 600_000 })

const CLIENTS = 4

/** How long each client pauses after a grant, which leaves the processor to the move. */
const PACE_MS = 5

describe('A move beside a running service', () => {
  let app: Credentials
  let server: ServerProcess
  let client: Gatehouse
  let target: MoveTarget
  const answered: string[] = []

  const installation = useFreshMigratedInstallation(databases[0])
  beforeEach(async () => {
    app = await createApplicationIn(installation)
    server = await startProcess({ env: installation.env })
    client = new Gatehouse({ baseUrl: await server.url, ...app })
    target = await createMoveTarget('tables')
    answered.length = 0
  })
  afterEach(async () => {
    await server.kill()
    await target.remove()
  })

  async function grant(ref: string): Promise<void> {
    await client.grantAccess({ rid: app.rid, email: `${ref}@example.com`, user_ref: ref })
    answered.push(ref)
  }

  const grantAt = (baseUrl: string, ref: string) =>
    new Gatehouse({ baseUrl, ...app }).grantAccess({
      rid: app.rid,
      email: `${ref}@example.com`,
      user_ref: ref,
    })

  /** Grants one after the other until a request fails; returns the error. */
  async function grantUntilRefused(who: number): Promise<unknown> {
    for (let i = 0; ; i++) {
      try {
        await grant(`reader-${who}-${i}`)
        await sleep(PACE_MS)
      } catch (error) {
        return error
      }
    }
  }

  /** Requires that every grant that succeeded is in the target, and that all invariants hold. */
  async function requireAllThere(): Promise<void> {
    const moved = await startTestService(databases[1], {
      installation: target.installationAt(installation),
      useRealTime: true,
    })
    try {
      const there = new Gatehouse({ baseUrl: moved.url, ...app })
      const found = new Set<string>()
      for (let page = 0; ; page++) {
        const { data } = await there.searchAccess({ pagesize: 1000, page })
        for (const { user_ref } of data) found.add(user_ref ?? '')
        if (data.length === 0) break
      }
      expect(answered.filter((ref) => !found.has(ref))).toEqual([])
      await moved.requireInvariants()
    } finally {
      await moved.stop()
    }
  }

  it('loses nothing that was answered, and after it the old service answers nothing', async () => {
    const load = Array.from({ length: CLIENTS }, (_, who) => grantUntilRefused(who))
    await expect.poll(() => answered.length).toBeGreaterThan(50)
    const { code, stderr } = await spawnedCli(installation.env).run('move', '--to', target.url)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const count = answered.length
    for (const end of await Promise.all(load)) expect(end).toBeInstanceOf(UnavailableError)
    expect(answered.length).toBe(count)
    const key = { rid: app.rid, user_ref: answered[0] as string }
    await expect(client.getAccess(key)).rejects.toBeInstanceOf(UnavailableError)
    expect(server.stdout).toContain('set GATEHOUSE_DATABASE_URL and restart')
    await requireAllThere()
  })

  it('that is killed half-way has changed nothing, and is done by the next one', async () => {
    await grant('early')
    const letGo = await target.lockTable('sandbox.users')
    const move = startMove(installation, target.url)
    await target.untilMoveWaits()

    // Reads continue while writes wait.
    const key = { rid: app.rid, user_ref: 'early' }
    expect(await client.getAccess(key)).toMatchObject({ user_ref: 'early' })
    const waited = grant('meanwhile')
    await client.getAccess(key)
    expect(answered).not.toContain('meanwhile')
    const copied = await target.query<{ count: string }>(
      'select count(*) from production.applications',
    )
    expect(Number(copied[0]?.count)).toBeGreaterThan(0)

    await killAndWait(move)
    await waited
    await letGo()
    await grant('late')
    await expect(
      startTestService(databases[1], { installation: target.installationAt(installation) }),
    ).rejects.toThrow(/was not finished/)
    const { code, stderr } = await spawnedCli(installation.env).run('move', '--to', target.url)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    await requireAllThere()
  })

  it('is undone though a service was started there, as long as that has done nothing', async () => {
    await server.stop()
    const cli = inProcessCli(installation.env)
    expect((await cli.run('move', '--to', target.url)).code).toBe(0)
    // There is no staff account, so the start creates a setup link.
    const there = await startProcess({ env: target.installationAt(installation).env })
    await there.url
    await there.stop()
    expect(await cli.run('move', '--to', target.url, '--verify')).toMatchObject({ code: 0 })
    expect(await cli.run('move', '--to', target.url, '--undo')).toMatchObject({
      code: 0,
      stderr: '',
    })
    server = await startProcess({ env: installation.env })
    await grantAt(await server.url, 'back')
    expect(server.stdout).not.toContain('hold')
  })
})
