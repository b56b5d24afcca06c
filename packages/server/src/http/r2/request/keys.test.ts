import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Gatehouse } from '@gatehouse/sdk'
import { describe, expect, it } from 'vitest'
import { archiveApplication } from '../../../domain/apps/applications.ts'
import { listLiveKeys, revokeKey, rotateKey } from '../../../domain/apps/keys.ts'
import { Failure } from '../../../errors.ts'
import { databases } from '../../../testing/databases.ts'
import { useFreshApplication, useService } from '../../../testing/use-service.ts'

const HOUR = 3_600
const REFUSED = { status: 401, code: 'unauthorized' }

/** Two services on one database: `second` learns of a change only through the database. */
describe.each(databases)('Private keys on $name', (database) => {
  const service = useService(database)
  const second = useService(database, () => ({ installation: service.installation }))
  const app = useFreshApplication(service)

  const advance = (seconds: number) => {
    for (const { clock } of [service, second]) clock.advance(seconds)
  }
  const rotate = (overlap: number) =>
    app.environment.database.write((trx) =>
      rotateKey(trx, service.ctx.masterKey, app.aid, overlap * 1000, app.environment.realTime()),
    )
  const clients = (privateKey: string) =>
    [service, second].map(({ url }) => new Gatehouse({ baseUrl: url, aid: app.aid, privateKey }))

  /** A request whose signature check may be cached. With a valid key it gets a 404. */
  const check = (client: Gatehouse) => client.getAccess({ rid: 'none', user_ref: 'nobody' })

  async function expectGood(privateKey: string): Promise<void> {
    for (const client of clients(privateKey)) {
      await client.searchAccess()
      await expect(check(client)).rejects.toMatchObject({ status: 404 })
    }
  }
  async function expectRefused(privateKey: string): Promise<void> {
    for (const client of clients(privateKey)) {
      await expect(client.searchAccess()).rejects.toMatchObject(REFUSED)
      await expect(check(client)).rejects.toMatchObject(REFUSED)
    }
  }

  it('are 40 letters and digits, for an AID of 10', () => {
    expect(app.privateKey).toMatch(/^[A-Za-z0-9]{40}$/)
    expect(app.aid).toMatch(/^[A-Za-z0-9]{10}$/)
  })

  it('work at once in another process, as new ones of a rotation do', async () => {
    await expectGood(app.privateKey)
    const { privateKey } = await rotate(HOUR)
    await app.clientAt(second.url).searchAccess()
    await expectGood(privateKey)
  })

  it('work at once although the other process is looking for others all the time', async () => {
    const stranger = new Gatehouse({
      baseUrl: second.url,
      aid: 'AAAAAAAAAA',
      privateKey: 'x'.repeat(40),
    })
    let done = false
    const asking = Promise.all(
      Array.from({ length: 4 }, async () => {
        while (!done) await stranger.searchAccess().catch(() => {})
      }),
    )
    for (let i = 0; i < 10; i++) {
      const fresh = await service.newApplication()
      await fresh.clientAt(second.url).searchAccess()
    }
    done = true
    await asking
  })

  it('overlap in a rotation by the wall clock, to the moment', async () => {
    const { privateKey } = await rotate(HOUR)
    advance(HOUR - 1)
    await expectGood(app.privateKey)
    await expectGood(privateKey)
    advance(1)
    await expectRefused(app.privateKey)
    await expectGood(privateKey)
  })

  it('change over at once in a rotation without an overlap', async () => {
    await expectGood(app.privateKey)
    const { privateKey } = await rotate(0)
    await expectGood(privateKey)
    // The new key was unknown, so both services have refreshed their keys: there is no delay.
    await expectRefused(app.privateKey)
  })

  it('are two at most: a third is refused until one is over', async () => {
    await rotate(HOUR)
    await expect(rotate(HOUR)).rejects.toMatchObject({ code: 'too_many_keys' })
    advance(HOUR)
    const { privateKey } = await rotate(HOUR)
    await expectGood(privateKey)
  })

  it('let exactly one of five rotations at once through', async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: 5 }, () => rotate(HOUR)))
    const lost = outcomes.filter((one) => one.status === 'rejected').map((one) => one.reason)
    expect(lost).toHaveLength(4)
    for (const reason of lost) {
      expect(reason).toBeInstanceOf(Failure)
      expect(reason).toMatchObject({ code: 'too_many_keys' })
    }
    const live = await listLiveKeys(
      app.environment.database.read,
      app.aid,
      app.environment.realTime(),
    )
    expect(live).toHaveLength(2)
  })

  it('are dead in every process within 5 s of a revoke or an archiving, whatever its clock', async () => {
    const { database: db, clock, realTime } = app.environment
    const archived = await service.newApplication()
    const { id: keptId, privateKey: kept } = await rotate(HOUR)
    const [old] = (await listLiveKeys(db.read, app.aid, realTime())).filter(
      ({ id }) => id !== keptId,
    )
    const doomed = [app.clientAt(second.url), archived.clientAt(second.url)]
    for (const client of doomed) await expect(check(client)).rejects.toMatchObject({ status: 404 })
    second.clock.advance(-HOUR)
    await db.write(async (trx) => {
      await revokeKey(trx, app.aid, old?.id ?? '', realTime())
      await archiveApplication(trx, archived.aid, clock(), 'test')
    })
    const start = performance.now()
    for (const client of doomed) {
      let alive: unknown = true
      while (alive && performance.now() - start < 5_000) {
        alive = await check(client).catch(({ status }) => status === 404)
      }
      await expect(client.searchAccess()).rejects.toMatchObject(REFUSED)
      await expect(check(client)).rejects.toMatchObject(REFUSED)
    }
    expect(performance.now() - start).toBeLessThan(5_000)
    second.clock.advance(HOUR)
    await expectGood(kept)
    await expect(archived.client.searchAccess()).rejects.toMatchObject(REFUSED)
  })

  it('cannot be revoked twice, nor by another application', async () => {
    const { id } = await rotate(HOUR)
    const other = await service.newApplication()
    const revoke = (aid: string) =>
      app.environment.database.write((trx) => revokeKey(trx, aid, id, app.environment.realTime()))
    await expect(revoke(other.aid)).rejects.toMatchObject({ code: 'key_not_found' })
    await revoke(app.aid)
    await expect(revoke(app.aid)).rejects.toMatchObject({ code: 'key_not_found' })
  })

  it('are nowhere at rest but sealed', async () => {
    const { privateKey } = await rotate(HOUR)
    const rows = await app.environment.database.read
      .selectFrom('application_keys')
      .selectAll()
      .where('aid', '=', app.aid)
      .execute()
    expect(rows).toHaveLength(2)
    const folder = service.installation.env.GATEHOUSE_DATA as string
    const files = readdirSync(folder).map((name) => readFileSync(join(folder, name)))
    const stored = [Buffer.from(JSON.stringify(rows)), ...files]
    for (const bytes of stored) {
      for (const key of [app.privateKey, privateKey]) expect(bytes.includes(key)).toBe(false)
    }
    // Proves that the search works: it finds a value that is stored.
    const sealed = rows[0]?.sealed ?? ''
    expect(stored.some((bytes) => bytes.includes(sealed))).toBe(true)
    if (database.engine === 'sqlite') {
      expect(existsSync(join(folder, 'production.sqlite-wal'))).toBe(true)
      expect(files.some((bytes) => bytes.includes(sealed))).toBe(true)
    }
  })

  it('are sealed under a master key that only its owner can read', () => {
    const path = join(service.installation.env.GATEHOUSE_DATA as string, 'master.key')
    expect(statSync(path).mode & 0o777).toBe(0o600)
  })
})
