import { describe, expect, it } from 'vitest'
import type { EnvironmentDatabase } from '../../db/database.ts'
import { newId } from '../../ids.ts'
import { databases } from '../../testing/databases.ts'
import { withContext } from '../../testing/installations.ts'
import { claimMails, enqueueMails } from './outbox.ts'

const MAILS = 2_000
const AT_ONCE = 25
const SETTINGS = {
  ...{ return_urls: '[]', grace_days: 7, require_ts: 0 as const, time_zone: 'UTC' },
  ...{ legal_links: '{}', mail_templates: '{}' },
}
const NOW = Date.UTC(2027, 2, 3, 9)

async function fill({ write }: EnvironmentDatabase): Promise<void> {
  await write((trx) =>
    trx
      .insertInto('applications')
      .values({ ...{ aid: 'demo', name: '', currency: 'EUR', created: 0 }, ...SETTINGS })
      .execute(),
  )
  const mails = Array.from({ length: MAILS }, (_, n) => ({
    key: `claim:${n}`,
    aid: 'demo',
    uid: `user${n}`,
    kind: 'grant' as const,
    recipient: `reader${n}@example.com`,
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
  it(`of four workers at once give each of ${MAILS} mails to one of them`, async () => {
    const installation = await database.createMigrated()
    const inHome = (fn: (db: EnvironmentDatabase) => Promise<string[]>) =>
      withContext(installation, ({ environments }) => fn(environments.production.database))
    await withContext(installation, ({ environments }) => fill(environments.production.database))
    const shares = await Promise.all(Array.from({ length: 4 }, () => inHome(work)))
    const taken = shares.flat()
    expect(taken).toHaveLength(MAILS)
    expect(new Set(taken).size).toBe(MAILS)
    // Each worker got some without waiting for another to finish. SQLite allows only one writer at a time.
    if (database.engine === 'postgres') {
      for (const share of shares) expect(share.length).toBeGreaterThan(0)
    }
    await installation.remove()
  })
})
