import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { foldCounts } from '../../domain/access/counts/counting.ts'
import { recordDeliveries } from '../../domain/downloads/deliveries.ts'
import { countUse } from '../../domain/downloads/uses.ts'
import { foldRevenue } from '../../domain/figures/sums.ts'
import { databases } from '../../testing/databases.ts'
import { addDownload, toDeliveryRows, uploadBytes } from '../../testing/downloads/downloads.ts'
import { ACCESS_BREAKS } from '../../testing/invariants/access-breaks.ts'
import { EVENT_BREAKS } from '../../testing/invariants/event-breaks.ts'
import { FILE_BREAKS } from '../../testing/invariants/file-breaks.ts'
import { PAYMENT_BREAKS } from '../../testing/invariants/payment-breaks.ts'
import { MONTHLY, openShop, type Shop } from '../../testing/payments/shop.ts'
import { DAY } from '../../testing/time.ts'
import { useService } from '../../testing/use-service.ts'
import { addWebhookRows } from '../../testing/webhooks/rows.ts'
import type { Trx } from '../database.ts'
import { findViolations, hasViolations } from './invariants.ts'

const BREAKS = [...ACCESS_BREAKS, ...PAYMENT_BREAKS, ...FILE_BREAKS, ...EVENT_BREAKS]

class Undo extends Error {}

describe.each(databases)('The invariants on $name', (database) => {
  const service = useService(database)
  let app: Shop
  beforeAll(async () => {
    await service.newApplication('sandbox')
    app = await openShop(service)
    await app.addResource('news')
    await app.addResource('pass')
    await app.buy({ rid: 'news', userRef: 'cat', terms: { period: '30 days' } })
    await app.buy({ rid: 'pass', userRef: 'dan', terms: MONTHLY })
    await app.buy({ rid: 'pass', userRef: 'eve', terms: MONTHLY })
    await app.client.revokeAccess({ rid: 'pass', user_ref: 'eve', refund: true })
    await foldCounts(app.environment.database, service.clock.seconds)
    await foldRevenue(app.environment.database)
    for (const name of ['ann', 'bob']) {
      await app.client.grantAccess({
        rid: 'news',
        email: `${name}@example.com`,
        user_ref: name,
        expiration: service.clock.seconds + 60,
        tags: 'a,b',
      })
    }
    await app.client.revokeAccess({ rid: 'news', user_ref: 'bob' })
    app.environment.refusals.add(app.aid, 'news', 'ann', service.clock.seconds - 1)
    await app.environment.refusals.flush()
    const { masterKey } = service.ctx
    await app.environment.database.write((trx) => addWebhookRows(trx, masterKey, app.aid))
    await fetchFiles()
  })

  /** Adds a file fetched through a link whose two uses are used up, and a file that no record refers to. */
  async function fetchFiles(): Promise<void> {
    await uploadBytes(app, Buffer.from('nobody names me'), async () => {})
    const begin = service.clock.seconds - DAY
    const { database } = app.environment
    const { id: downloadId } = await addDownload(app, 'news')
    const link = { id: 'link', aid: app.aid, downloadId, expires: begin + 5 * DAY }
    for (const opened of [begin, begin + DAY]) {
      await database.write((trx) => countUse(trx, link, 2, opened))
    }
    const delivery = {
      aid: app.aid,
      rid: 'news',
      download_id: downloadId,
      link: link.id,
      uid: null,
    }
    const done = { at: begin + DAY, bytes: 16, outcome: 'complete' } as const
    await database.write((trx) =>
      recordDeliveries(trx, toDeliveryRows([{ ...delivery, ...done }]), begin + DAY),
    )
  }

  /** Runs in a transaction that never commits, with foreign keys disabled. If a rule is named, only that one is looked
   * at: all of them take a hundred queries. */
  async function violationsAfter(statements: readonly string[], only?: string): Promise<string[]> {
    let rules: string[] = []
    const run = async (trx: Trx) => {
      const blind = {
        sqlite: 'pragma defer_foreign_keys = on',
        postgres: 'set local session_replication_role = replica',
      }[database.engine]
      for (const one of [blind, ...statements]) await sql.raw(one).execute(trx)
      rules = (await findViolations(trx, service.clock.seconds, only)).map(({ rule }) => rule)
      if (only === undefined) {
        expect(await hasViolations(trx, service.clock.seconds)).toBe(rules.length > 0)
      }
      throw new Undo()
    }
    await expect(app.environment.database.write(run)).rejects.toBeInstanceOf(Undo)
    return rules
  }

  it('hold for what the service itself has written', async () => {
    expect(await violationsAfter([])).toEqual([])
    await service.requireInvariants()
  })

  it.each(BREAKS)('notice: $break', async ({ rule, before, break: statement }) => {
    const first = typeof before === 'object' ? before[database.engine] : before
    const rules = await violationsAfter([...(first === undefined ? [] : [first]), statement], rule)
    expect(rules).toEqual([rule])
  })

  it.each(['update access set amount = -1', 'delete from access_tags'])(
    'are found broken by one query too: %s',
    async (statement) => {
      expect(await violationsAfter([statement])).not.toEqual([])
    },
  )

  it('are not alarmed by a silent import, which no event tells of', async () => {
    const silent = `update event_sequences set silent_at = sequence`
    const rule = 'the last event about what a reader has access to tells what they have now'
    const changed = `update access set ends = ends + 1 where user_ref = 'ann'`
    expect(await violationsAfter([silent, changed])).not.toContain(rule)
  })

  it('are looked at in seconds where there are many mails', async () => {
    const numbers = `with recursive n (n) as (select 1 union all select n + 1 from n where n < 10000)`
    const startedAt = performance.now()
    const rules = await violationsAfter([
      `insert into history (aid, seq, at, actor, action, mail_key) ${numbers}
        select '${app.aid}', n, 0, 'test', 'test', 'many:' || n from n`,
      `insert into outbox (id, key, aid, uid, kind, recipient, payload, status, attempts, created, due)
        ${numbers} select 'many:' || n, 'many:' || n, '${app.aid}', '', 'grant', '', '{}', 'kept', 0, 0, 0
        from n`,
    ])
    expect(rules).toEqual([])
    // Comparing each mail with every other would take a hundred million steps in the database.
    expect(performance.now() - startedAt).toBeLessThan(20_000)
  })

  it('are not alarmed by a tag that is somebody’s address, or by an address with a % in it', async () => {
    await app.client.grantAccess({ rid: 'news', email: '%@e', tags: 'x@example.com,%@e' })
    await app.client.grantAccess({ rid: 'news', email: 'x@example.com', tags: 'X@example.com' })
    expect(await violationsAfter([])).toEqual([])
  })

  it('name examples of the rows, and not too many', async () => {
    await app.environment.database
      .write(async (trx) => {
        await sql`update access set amount = -1`.execute(trx)
        const [violation, ...more] = await findViolations(trx, service.clock.seconds)
        expect(more).toEqual([])
        expect(violation?.rows.length).toBeGreaterThan(0)
        expect(violation?.rows.length).toBeLessThanOrEqual(5)
        throw new Undo()
      })
      .catch((error) => {
        if (!(error instanceof Undo)) throw error
      })
  })
})
