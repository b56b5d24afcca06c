import { type Event, Gatehouse } from '@gatehouse/sdk'
import { describe, expect, it, onTestFinished } from 'vitest'
import { inProcessCli } from '../../testing/cli.ts'
import { databases } from '../../testing/databases.ts'
import { createBackup } from '../../testing/restores/on-hold.ts'
import { startTestService, type TestService } from '../../testing/service.ts'
import { useFreshApplication, useService } from '../../testing/use-service.ts'
import { continueResync, requestResync } from './resync.ts'

/** A site that does with events what the documentation says, and no more. */
class Site {
  cursor: string | undefined
  readers = new Map<string, { sequence: number; rids: string[] }>()
  /** The types of events that were handled, in order. */
  handled: string[] = []

  /** Handles the events that there are. */
  async read(client: Gatehouse): Promise<void> {
    const done = new AbortController()
    // The last event of all: nothing else ends the following.
    const { cursor: end } = await client.searchEvents({ after: 'latest' })
    await client.followEvents({
      load: () => this.cursor,
      save: (cursor) => {
        this.cursor = cursor
        if (cursor === end) done.abort()
      },
      lastSequence: (uid) => this.readers.get(uid)?.sequence,
      handle: (event) => this.handle(event),
      signal: done.signal,
    })
  }

  handle({ type, sequence = 0, data }: Event): void {
    this.handled.push(type)
    if (type === 'service.restored') this.#forgetBefore(data.sequence)
    const { uid } = data as { uid?: string }
    if (uid === undefined) return
    const { rids } = this.readers.get(uid) ?? { rids: [] }
    const known = type === 'user.access_changed' ? data.entitlements.map(({ rid }) => rid) : rids
    this.readers.set(uid, { sequence, rids: known })
  }

  #forgetBefore(sequence: number): void {
    for (const [uid, reader] of this.readers) {
      if (reader.sequence < sequence) this.readers.delete(uid)
    }
  }
}

describe.each(databases)('Events after a restore on $name', (database) => {
  const service = useService(database, { useRealTime: true })
  const app = useFreshApplication(service, { resources: ['news', 'archive'] })

  /** Restores a backup, lets an operator resume, and serves what was restored. */
  async function restore(from: TestService): Promise<{
    begin(): Promise<TestService>
    resume(service: TestService): Promise<void>
  }> {
    const backup = await createBackup(from.installation, {})
    onTestFinished(backup.remove)
    return {
      async begin() {
        const installation = await backup.restore(database)
        const restored = await startTestService(database, { installation, useRealTime: true })
        onTestFinished(async () => {
          await restored.requireInvariants()
          await restored.stop()
          await installation.remove()
        })
        return restored
      },
      async resume({ installation, ctx }) {
        await inProcessCli(installation.env).run('resume', '--yes')
        for (const { database: own, clock } of Object.values(ctx.environments)) {
          while ((await continueResync(own, clock())) > 0);
        }
      },
    }
  }
  const clientAt = ({ url }: TestService) =>
    new Gatehouse({ baseUrl: url, aid: app.aid, privateKey: app.privateKey })
  const grant = (client: Gatehouse, user_ref: string, rid = 'news') =>
    client.grantAccess({ rid, email: `${user_ref}@example.com`, user_ref })
  const revoke = (client: Gatehouse, user_ref: string, rid = 'news') =>
    client.revokeAccess({ rid, user_ref })

  it('have numbers above all that were sent, and reach a site that read what was undone', async () => {
    const site = new Site()
    const { uid: ann } = await grant(app.client, 'ann')
    const { uid: ben } = await grant(app.client, 'ben')
    const { uid: cid } = await grant(app.client, 'cid')
    await site.read(app.client)
    const backup = await restore(service)
    // What comes now never happened: the restored service knows nothing of it.
    await grant(app.client, 'ann', 'archive')
    await revoke(app.client, 'ben')
    for (let n = 0; n < 5; n++) await app.client.grantAccess({ ...named('cid'), tags: `n${n}` })
    const { uid: eve } = await grant(app.client, 'eve')
    await site.read(app.client)
    expect(site.readers.get(ben)?.rids).toEqual([])

    const restored = await backup.begin()
    const client = clientAt(restored)
    const lost = site.cursor as string
    // On hold, grants and revokes work: their events are above what the site has.
    await revoke(client, 'cid')
    await site.read(client)
    expect(site.cursor).not.toBe(lost)
    expect(site.readers.get(cid)?.rids).toEqual([])
    expect(site.handled).not.toContain('service.restored')

    await backup.resume(restored)
    await site.read(client)
    expect(site.handled.at(-1)).toBe('service.restored')
    expect(site.handled.filter((type) => type === 'service.restored')).toHaveLength(1)
    expect(Object.fromEntries([...site.readers].map(([uid, { rids }]) => [uid, rids]))).toEqual({
      ...{ [ann]: ['news'], [ben]: ['news'], [cid]: [] },
    })
    expect(site.readers.has(eve)).toBe(false)
    expect(site.handled).toContain('catalogue.changed')
    // Nothing is told a second time.
    const { cursor } = site
    await inProcessCli(restored.installation.env).run('resume', '--yes')
    expect((await client.searchEvents({ after: cursor as string })).data).toEqual([])
  })

  it('go on above all futures that were undone, restore upon restore', async () => {
    const site = new Site()
    const { uid } = await grant(app.client, 'ann')
    const backup = await restore(service)
    let { client }: { client: Gatehouse } = app
    for (let round = 0; round < 3; round++) {
      for (let n = 0; n < 3; n++) await client.grantAccess({ ...named('ann'), tags: `n${n}` })
      await grant(client, `new${round}`)
      await site.read(client)
      const restored = await backup.begin()
      client = clientAt(restored)
      await backup.resume(restored)
      await revoke(client, 'ann')
      await site.read(client)
      expect([...site.readers].map(([one, { rids }]) => [one, rids])).toEqual([[uid, []]])
      await grant(client, 'ann')
    }
  })

  it('are kept by sites also if the clock of the machine that ended the hold is ahead', async () => {
    const site = new Site()
    const { uid } = await grant(app.client, 'ann')
    await site.read(app.client)
    const { database: own, clock, realTime } = app.environment
    await requestResync(own, realTime() + 5_000)
    while ((await continueResync(own, clock())) > 0);
    await site.read(app.client)
    expect(site.handled.at(-1)).toBe('service.restored')
    expect(site.readers.get(uid)?.rids).toEqual(['news'])
  })

  it('begin again for a cursor that is not of this installation, and refuse one that is none', async () => {
    await grant(app.client, 'ann')
    const { data } = await app.client.searchEvents()
    // The time of a cursor is that of its event: earlier than all of them.
    const early = await app.client.searchEvents({ after: '7-0VbCj4' })
    expect(early.data.map(({ id }) => id)).toEqual(data.map(({ id }) => id))
    expect(data.find(({ sequence }) => sequence !== undefined)?.sequence).toBeGreaterThan(
      Date.UTC(2026, 0),
    )
    const refused = app.client.searchEvents({ after: '7-zzzzzz' })
    await expect(refused).rejects.toMatchObject({ status: 400, parameter: 'after' })
  })

  const named = (user_ref: string) => ({ rid: 'news', email: `${user_ref}@example.com`, user_ref })
})
