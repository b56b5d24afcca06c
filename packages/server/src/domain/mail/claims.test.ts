import { DatabaseSync } from '@photostructure/sqlite'
import { describe, expect, it, vi } from 'vitest'
import type { EnvironmentDatabase } from '../../db/database.ts'
import { connector } from '../../db/sqlite/file.ts'
import { newId } from '../../ids.ts'
import { databases } from '../../testing/databases.ts'
import { withContext } from '../../testing/installations.ts'
import { claimMails, releaseMails } from './claims.ts'
import { enqueueMails, type NewMail } from './outbox.ts'

const MAILS = 2_000
const WORKERS = 4
const AT_ONCE = 25
const SETTINGS = {
  ...{ return_urls: '[]', grace_days: 7, require_ts: 0 as const, time_zone: 'UTC' },
  ...{ legal_links: '{}', mail_templates: '{}' },
}
const NOW = Date.UTC(2027, 2, 3, 9)

async function addApplication({ write }: EnvironmentDatabase, aid: string): Promise<void> {
  await write((trx) =>
    trx
      .insertInto('applications')
      .values({ ...{ aid, name: '', currency: 'EUR', created: 0 }, ...SETTINGS })
      .execute(),
  )
}

async function fill(database: EnvironmentDatabase): Promise<void> {
  const { write } = database
  await addApplication(database, 'demo')
  const mails = Array.from({ length: MAILS }, (_, n) => ({
    key: `claim:${n}`,
    aid: 'demo',
    uid: `user${n}`,
    kind: 'grant' as const,
    recipient: `reader${n}@example.com`,
    linkNumber: 0,
    payload: {} as never,
    delivery: 'queued' as const,
  }))
  for (let n = 0; n < MAILS; n += 500) {
    await write((trx) =>
      enqueueMails(trx, mails.slice(n, n + 500), { now: NOW / 1000, realTime: NOW }),
    )
  }
}

/** Claims mails until none are left. Returns the ids of the claimed ones. */
async function work(database: EnvironmentDatabase): Promise<string[]> {
  const taken: string[] = []
  for (;;) {
    const lease = { token: newId(), until: NOW + 90_000 }
    const mails = await claimMails(database, lease, AT_ONCE, NOW)
    if (mails.length === 0) return taken
    taken.push(...mails.map(({ id }) => id))
  }
}

describe.each(databases)('claims on $name', (database) => {
  it(`of ${WORKERS} workers at once give each of ${MAILS} mails to one of them`, async () => {
    const installation = await database.createMigrated()
    await withContext(installation, ({ environments }) => fill(environments.production.database))
    let opened = 0
    let begin = () => {}
    const allOpened = new Promise<void>((resolve) => {
      begin = resolve
    })
    const workWithOthers = () =>
      withContext(installation, async ({ environments }) => {
        if (++opened === WORKERS) begin()
        await allOpened
        return await work(environments.production.database)
      })
    const shares = await Promise.all(Array.from({ length: WORKERS }, workWithOthers))
    const taken = shares.flat()
    expect(taken).toHaveLength(MAILS)
    expect(new Set(taken).size).toBe(MAILS)
    // Each worker got some without waiting for another to finish. SQLite allows only one writer at a time.
    if (database.engine === 'postgres') {
      for (const share of shares) expect(share.length).toBeGreaterThan(0)
    }
    await installation.remove()
  })

  it('give receipts before single grants before those of an import, and each application its turn', async () => {
    const installation = await database.createMigrated()
    await withContext(installation, async ({ environments }) => {
      const db = environments.production.database
      let n = 0
      const queue = (aid: string, kind: 'grant' | 'receipt', count: number, bulk?: boolean) =>
        db.write((trx) => {
          const mails = Array.from({ length: count }, () => {
            const to = { key: `${kind}:${n}`, uid: `user${n}`, recipient: `${n++}@example.com` }
            const links = { linkNumber: 0, delivery: 'queued' }
            return { aid, ...to, kind, bulk, payload: {}, ...links } as never as NewMail
          })
          return enqueueMails(trx, mails, { now: NOW / 1000, realTime: NOW + n })
        })
      const claim = async (count: number) => {
        const lease = { token: newId(), until: NOW + 90_000 }
        const mails = await claimMails(db, lease, count, NOW + 1_000)
        return mails.map((mail) => ({ mail, lease }))
      }
      const prioritiesOf = (claimed: Awaited<ReturnType<typeof claim>>, aid: string) =>
        claimed.flatMap(({ mail }) => (mail.aid === aid ? mail.priority : [])).sort()
      for (const aid of ['busy', 'calm']) await addApplication(db, aid)
      await queue('busy', 'grant', 20, true)
      await queue('busy', 'grant', 3)
      await queue('busy', 'receipt', 2)
      const [receipts, grants] = [await claim(2), await claim(3)]
      expect(prioritiesOf(receipts, 'busy')).toEqual([0, 0])
      expect(prioritiesOf(grants, 'busy')).toEqual([1, 1, 1])

      // However urgent the mails of one application are, another one's import goes on.
      await queue('busy', 'receipt', 20)
      await queue('calm', 'grant', 4, true)
      const shared = await claim(8)
      expect(prioritiesOf(shared, 'busy')).toEqual([0, 0, 0, 0])
      expect(prioritiesOf(shared, 'calm')).toEqual([2, 2, 2, 2])

      // A released mail has used up no attempt, and waits until it is due.
      const calm = shared.filter(({ mail }) => mail.aid === 'calm')
      await db.write((trx) => releaseMails(trx, calm, NOW + 5_000))
      expect(prioritiesOf(await claim(100), 'calm')).toEqual([])
      const rows = await db.read
        .selectFrom('outbox')
        .selectAll()
        .where('aid', '=', 'calm')
        .execute()
      expect(rows).toMatchObject(
        Array(4).fill({ status: 'queued', attempts: 0, due: NOW + 5_000, lease_token: null }),
      )
    })
    await installation.remove()
  })
})

it('Claims of 5 to 8 mails are one statement, which SQLite prepares once', async () => {
  const prepared: string[] = []
  vi.spyOn(connector, 'open').mockImplementation((path) => {
    const database = new DatabaseSync(path)
    const prepare = database.prepare.bind(database)
    const value = (text: string) => {
      prepared.push(text)
      return prepare(text)
    }
    return Object.defineProperty(database, 'prepare', { value })
  })
  const installation = await databases[0].createMigrated()
  await withContext(installation, async ({ environments: { production } }) => {
    await fill(production.database)
    for (const count of [5, 6, 7, 8]) {
      const lease = { token: newId(), until: NOW + 90_000 }
      expect(await claimMails(production.database, lease, count, NOW)).toHaveLength(count)
    }
  })
  vi.restoreAllMocks()
  await installation.remove()
  expect(prepared.filter((text) => text.startsWith('update "outbox"'))).toHaveLength(1)
})
