import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { userRef } from '../../fields.ts'
import { databases } from '../../testing/databases.ts'
import { dumpTables } from '../../testing/dump.ts'
import { exported, useTransfer } from '../../testing/transfer/use-transfer.ts'
import { grantMany } from '../access/grants/grant.ts'
import type { Grant } from '../access/grants/input.ts'
import { mergeUsers } from '../people/merge.ts'
import { COLUMNS } from './columns.ts'
import { exportRecords } from './export.ts'

describe.each(databases)('CSV of access on $name', (database) => {
  const { service, imported, newApp, all } = useTransfer(database)
  let now: number
  beforeAll(async () => {
    now = service.clock.now / 1000
  })

  describe('there and back', () => {
    it('keeps the names of a user who was merged, aliases and former addresses too', async () => {
      const [from, into] = [await newApp(), await newApp('sandbox')]
      const gone = await from.client.grantAccess({
        ...{ rid: 'news', email: 'old@example.com', user_ref: 'old' },
      })
      const kept = await from.client.grantAccess({ rid: 'maps', email: 'new@example.com' })
      const input = { aid: from.aid, from: gone.uid, into: kept.uid, actor: 'test' }
      await from.environment.database.write((trx) => mergeUsers(trx, input, now))
      const text = await exported(from)
      expect(await imported(into, text)).toMatchObject({ granted: 2, refused: 0 })
      expect(await exported(into)).toBe(text)
      // The remaining user has only aliases, so their uid works too.
      for (const user_ref of ['old', gone.uid, kept.uid]) {
        expect((await into.client.getAccess({ rid: 'news', user_ref })).uid).toBe(kept.uid)
      }
      expect((await into.client.searchAccess({ email: 'old@example.com' })).total).toBe(2)
      expect(await imported(into, text)).toMatchObject({ unchanged: 2, refused: 0 })
      await service.requireInvariants()
    })

    it('loses nothing, whatever the values look like', async () => {
      const [from, into] = [await newApp(), await newApp('sandbox')]
      const grant = from.client.grantAccess.bind(from.client)
      const hostile = {
        email: "Zoë+'=x@exämple.com",
        user_ref: '=cmd|"/c calc",\u2028🙂 \'--',
        first_name: '"quoted", and\u00a0comma;',
        last_name: ' =SUM(A1) ',
        tags: '=tag,🙂,"quoted",;,tab?',
      }
      await grant({ rid: '=1+1,"x"', ...hostile })
      await grant({ rid: 'news', email: hostile.email, user_ref: '["second","ref"]' })
      await grant({ rid: 'maps', email: hostile.email, user_ref: ' spaces ' })
      await grant({ rid: 'news', email: 'never@example.com' })
      await grant({ rid: 'news', email: 'over@example.com', expiration: 0 })
      await grant({ rid: 'maps', email: 'later@example.com', expiration: 253402300799 })
      await grant({ rid: 'maps', email: 'revoked@example.com', user_ref: 'revoked' })
      await from.client.revokeAccess({ rid: 'maps', user_ref: 'revoked' })
      service.clock.advance(1000)

      const text = await exported(from)
      expect(await imported(into, text)).toEqual({
        rows: 6,
        granted: 6,
        unchanged: 0,
        refused: 0,
        reasons: {},
      })
      expect(await exported(into)).toBe(text)
      const [old, copy] = [await all(from), await all(into)]
      expect(copy).toEqual(old.map((one) => ({ ...one, aid: into.aid })))
      for (const user_ref of [hostile.user_ref, '["second","ref"]', ' spaces ']) {
        expect((await into.client.getAccess({ rid: 'news', user_ref })).uid).toBe(
          (await from.client.getAccess({ rid: 'news', user_ref })).uid,
        )
      }
      await service.requireInvariants()
    })

    it('gives the same file for any values that a grant takes', async () => {
      const text = fc
        .string({ unit: 'binary', minLength: 1, maxLength: 20 })
        .filter((value) => typeof userRef.read(value) !== 'string')
      const tag = text.map((value) => value.replaceAll(',', '').trim()).filter(Boolean)
      const person = fc.record({
        first_name: text,
        last_name: text,
        refs: fc.array(text, { maxLength: 3 }),
        tags: fc.array(tag, { maxLength: 3 }),
      })
      const [from, into] = [await newApp(), await newApp('sandbox')]
      const seed = fc.sample(fc.integer(), 1)[0] as number
      const taken = new Set<string>()
      const grants: Grant[] = []
      for (const [i, one] of fc.sample(person, { numRuns: 60, seed }).entries()) {
        const refs = one.refs.filter((ref) => !taken.has(ref))
        for (const [n, ref] of [undefined, ...refs].entries()) {
          if (ref !== undefined) taken.add(ref)
          grants.push({
            aid: from.aid,
            rid: n % 2 === 0 ? 'news' : 'maps',
            email: `p${i}@example.com`,
            firstName: one.first_name,
            lastName: one.last_name,
            tags: [...new Set(one.tags)],
            userRef: ref,
            ends: now + n,
            actor: 'test',
          })
        }
      }
      await from.environment.database.write((trx) =>
        grantMany(trx, grants, { now, realTime: now * 1000 }),
      )
      const file = await exported(from)
      expect((await imported(into, file)).reasons, `seed ${seed}`).toEqual({})
      expect(await exported(into), `seed ${seed}`).toBe(file)
    })

    it('changes nothing where everything is there already', async () => {
      const app = await newApp()
      await app.client.grantAccess({
        rid: 'news',
        email: 'a@example.com',
        user_ref: 'a',
        tags: 't',
      })
      await app.client.grantAccess({ rid: 'maps', email: 'a@example.com', user_ref: 'b' })
      const before = await dumpTables(app.environment.database.read)
      const counts = await imported(app, await exported(app))
      expect(counts).toMatchObject({ rows: 2, granted: 0, unchanged: 2, refused: 0 })
      expect(await dumpTables(app.environment.database.read)).toEqual(before)
    })

    it('is the same as objects', async () => {
      const app = await newApp()
      const { id, uid } = await app.client.grantAccess({ rid: 'news', email: 'a@example.com' })
      const records: unknown[] = []
      await app.environment.database.snapshot(async (db) => {
        for await (const one of exportRecords(db, app.aid)) records.push(one)
      })
      const empty = Object.fromEntries(COLUMNS.map((name) => [name, '']))
      const created = String(service.clock.now / 1000)
      const set = { id, uid, rid: 'news', email: 'a@example.com', created, amount: '0' }
      expect(records).toEqual([{ ...empty, ...set }])
    })
  })
})
