import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { findViolations } from '../../../db/invariants/invariants.ts'
import type { Seconds } from '../../../db/tables.ts'
import { databases } from '../../../testing/databases.ts'
import { plansOf } from '../../../testing/query-plans.ts'
import { seededRandom } from '../../../testing/random.ts'
import { startTestService, type TestApplication } from '../../../testing/service.ts'
import { useService } from '../../../testing/use-service.ts'
import { mergeUsers } from '../../people/merge.ts'
import { foldCounts } from './counting.ts'
import { countLive } from './totals.ts'
import { readWatermark } from './watermark.ts'

const RIDS = ['news', 'archive']
const TAGS = ['gift', 'spring', 'press']

describe.each(databases)('totals of searches on $name', (database) => {
  const service = useService(database)
  let app: TestApplication

  const newApplication = async () => {
    app = await service.newApplication()
    for (const rid of RIDS) await app.addResource(rid)
  }
  const fold = () => foldCounts(app.environment.database, app.environment.clock())

  /** Counts by reading every row. */
  async function countRows(filter: { rid?: string; tag?: string }, now?: Seconds): Promise<number> {
    const { rows } = await sql<{ total: number }>`select count(*) as total from access a
      where a.aid = ${app.aid} and a.revoked is null
      ${filter.rid === undefined ? sql`` : sql`and a.rid = ${filter.rid}`}
      ${now === undefined ? sql`` : sql`and a.ends > ${now}`}
      ${filter.tag === undefined ? sql`` : sql`and a.tags like ${`%"${filter.tag}"%`}`}`.execute(
      app.environment.database.read,
    )
    return rows[0]?.total ?? 0
  }

  async function requireTrueTotals(after: string): Promise<void> {
    const scopes = [{}, ...RIDS.map((rid) => ({ rid })), ...TAGS.map((tag) => ({ tag }))]
    for (const scope of scopes) {
      const live = await app.client.searchAccess({ ...scope, pagesize: 1 })
      const all = await app.client.searchAccess({ ...scope, pagesize: 1, show_expired: true })
      expect([live.total, all.total], `${JSON.stringify(scope)} ${after}`).toEqual([
        await countRows(scope, app.environment.clock()),
        await countRows(scope),
      ])
    }
  }

  it('are those of the rows after any history, wherever it was folded', async () => {
    const seed = Math.floor(Math.random() * 2 ** 32)
    const random = seededRandom(seed)
    const pick = <T>(items: readonly T[]) => items[Math.floor(random() * items.length)] as T
    await newApplication()
    const people = Array.from({ length: 8 }, (_, i) => `p${i}`)
    const grant = () =>
      app.client.grantAccess({
        rid: pick(RIDS),
        email: `${pick(people)}@example.com`,
        suppress_email: true,
        ...(random() < 0.6 ? { expiration: service.clock.seconds + pick([-5, 0, 1, 7, 40]) } : {}),
        ...(random() < 0.7 ? { tags: TAGS.filter(() => random() < 0.5).join() } : {}),
      })
    const uidOf = async (person: string) => {
      const { data } = await app.client.searchAccess({ email: `${person}@example.com` })
      return data[0]?.uid
    }
    const revoke = async () => {
      const uid = await uidOf(pick(people))
      if (uid === undefined) return
      await app.client.revokeAccess({ rid: pick(RIDS), user_ref: uid }).catch(() => {})
    }
    const merge = async () => {
      const [from, into] = [await uidOf(pick(people)), await uidOf(pick(people))]
      if (from === undefined || into === undefined || from === into) return
      const input = { aid: app.aid, from, into, actor: 'test' }
      await app.environment.database.write((trx) => mergeUsers(trx, input, service.clock.seconds))
    }
    const steps = { grant, revoke, merge, fold, wait: async () => service.clock.advance(3) }
    const likely = ['grant', 'grant', 'grant', 'grant', 'revoke', 'merge', 'fold', 'wait'] as const
    for (let n = 0; n < 80; n++) {
      const step = pick(likely)
      await steps[step]()
      if (n % 10 === 0) await requireTrueTotals(`after step ${n}, ${step}, of seed ${seed}`)
    }
    while ((await fold()) > 0);
    await requireTrueTotals(`at the end of seed ${seed}`)
  })

  it('follow a clock that is turned back, also by so much that the counts go back with it', async () => {
    await newApplication()
    for (const [i, rid] of [...RIDS, ...RIDS].entries()) {
      const expiration = service.clock.seconds + 1_000 * (i + 1)
      await app.client.grantAccess({ rid, email: `${i}@example.com`, tags: 'gift', expiration })
    }
    const watermark = async () => (await readWatermark(app.environment.database.read, app.aid)).ends
    const began = service.clock.now
    for (const [back, isFollowed] of [
      [30, false],
      [3_500, true],
    ] as const) {
      service.clock.advance(4_000)
      while ((await fold()) > 0);
      await requireTrueTotals('with all expired')
      service.clock.advance(-back)
      await requireTrueTotals(`${back} s back`)
      while ((await fold()) > 0);
      await requireTrueTotals(`${back} s back, and folded`)
      // A small step back leaves the watermark in place, because clocks of machines differ.
      expect((await watermark()) > service.clock.seconds + 1).toBe(!isFollowed)
      service.clock.now = began
    }
  })

  it('are folded once, and not written again while nothing happens', async () => {
    await newApplication()
    await app.client.grantAccess({ rid: 'news', email: 'a@example.com', tags: 'gift' })
    // Past the end of every record in this test.
    service.clock.advance(5_000)
    expect(await foldCounts(app.environment.database, service.clock.seconds, 1_000)).toBe(0)
    expect(await fold()).toBeGreaterThan(0)
    while ((await fold()) > 0);
    service.clock.advance(10)
    expect(await fold()).toBe(0)
  })

  it('forget tags that nothing has any more', async () => {
    await newApplication()
    const input = { rid: 'news', email: 'a@example.com' }
    const kept = async () => {
      while ((await fold()) > 0);
      const { rows } = await sql<{ scope: string }>`select scope from access_counts
        where aid = ${app.aid} order by scope`.execute(app.environment.database.read)
      return rows.map(({ scope }) => scope)
    }
    await app.client.grantAccess({ ...input, tags: 'gift,press' })
    expect(await kept()).toEqual(['', 'rnews', 'tgift', 'tpress'])
    await app.client.grantAccess({ ...input, tags: 'gift' })
    expect(await kept()).toEqual(['', 'rnews', 'tgift'])
  })

  it('stay true while two processes grant, revoke and fold at once', async () => {
    await newApplication()
    const other = await startTestService(database, { installation: service.installation })
    other.clock.now = service.clock.now
    try {
      const environments = [app.environment, other.ctx.environments.production]
      let granting = true
      const folding = environments.map(async ({ database: own, clock }) => {
        let folded = 0
        while (granting) {
          folded += await foldCounts(own, clock())
          await setImmediate()
        }
        return folded
      })
      const clients = [app.client, app.clientAt(other.url)]
      await Promise.all(
        clients.flatMap((client, c) =>
          Array.from({ length: 3 }, async (_, n) => {
            for (let i = 0; i < 12; i++) {
              const who = { rid: 'news', user_ref: `${c}.${n}.${i % 4}` }
              const expiration = service.clock.seconds + i
              const email = `${who.user_ref}@example.com`
              await client.grantAccess({ ...who, email, expiration, tags: TAGS[i % 3] ?? '' })
              if (i % 5 === 4) await client.revokeAccess(who)
            }
          }),
        ),
      )
      granting = false
      const folded = await Promise.all(folding)
      expect(folded.reduce((sum, one) => sum + one)).toBeGreaterThan(0)
      await requireTrueTotals('at the end')
      const violations = await findViolations(app.environment.database.read, service.clock.seconds)
      expect(violations).toEqual([])
    } finally {
      await other.stop()
    }
  })
})

describe('totals of searches on SQLite', () => {
  const service = useService(databases[0])

  it('read no records but those that expired after they were last counted', async () => {
    const { aid, environment } = await service.newApplication()
    const { read } = environment.database
    for (const scope of [{ aid }, { aid, rid: 'news' }, { aid, tag: 'gift' }]) {
      const plans = await plansOf('sqlite', read, (db) => countLive(db, scope, environment.clock()))
      const reads = plans.join('\n').match(/SEARCH a .*/g)
      const range =
        'SEARCH a USING INDEX access_ends (aid=? AND (ends,id)>(?,?) AND (ends,id)<(?,?))'
      expect(reads).toEqual([range, range])
    }
  })
})
