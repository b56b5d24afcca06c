import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { newId } from '../../ids.ts'
import { databases } from '../../testing/databases.ts'
import { useService } from '../../testing/use-service.ts'
import { claimMails } from '../mail/claims.ts'
import { takeInTurns } from './turns.ts'

describe.each(databases)('due work on $name', (database) => {
  const service = useService(database, () => ({
    env: { GATEHOUSE_SMTP_URL: 'smtp://127.0.0.1:9' },
  }))

  it('of an application with many mails does not delay those of the others', async () => {
    const busy = await service.newApplication()
    const calm = [await service.newApplication(), await service.newApplication()]
    for (const app of [busy, ...calm]) await app.addResource('news')
    for (let n = 0; n < 60; n++) {
      await busy.client.grantAccess({ rid: 'news', email: `${n}@example.com` })
    }
    for (const app of calm) await app.client.grantAccess({ rid: 'news', email: 'ann@example.com' })
    const db = busy.environment.database
    const now = service.clock.now
    const turns: string[] = []
    for (let n = 0; n < 6; n++) {
      const lease = { token: newId(), until: now + 90_000 }
      const [mail] = await claimMails(db, lease, 1, now)
      turns.push((mail as { aid: string }).aid)
    }
    // Each of the calm ones has its turn in the first round, although its mail is the youngest.
    expect(new Set(turns.slice(0, 3))).toEqual(new Set([busy, ...calm].map(({ aid }) => aid)))
    expect(turns.slice(3)).toEqual([busy.aid, busy.aid, busy.aid])
  })

  it('is shared when many rows are taken at once, and everyone is served however many there are', async () => {
    const apps = []
    for (let n = 0; n < 7; n++) apps.push((await service.newApplication('sandbox')).aid)
    const db = service.ctx.environments.sandbox.database
    const work = { name: 'test', table: 'application_keys', isDue: sql<boolean>`true` } as const
    const taken: [string, number][] = []
    const take = async (aid: string, count: number) => {
      taken.push([aid, count])
      return Array.from({ length: count }, () => aid)
    }
    // More applications than one call serves: the second call continues where the first one ended.
    expect(await takeInTurns(db, work, 4, take)).toHaveLength(4)
    expect(await takeInTurns(db, work, 3, take)).toHaveLength(3)
    expect(new Set(taken.map(([aid]) => aid))).toEqual(new Set(apps))
    taken.length = 0
    expect(await takeInTurns(db, work, 70, take)).toHaveLength(70)
    expect(taken.map(([, count]) => count)).toEqual(apps.map(() => 10))
  })
})
