import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { userRef } from '../../fields.ts'
import { databases } from '../../testing/databases.ts'
import { dumpTables } from '../../testing/dump.ts'
import type { TestApplication } from '../../testing/service.ts'
import { useService } from '../../testing/use-service.ts'
import { grantMany } from '../access/grants/grant.ts'
import type { Grant } from '../access/grants/input.ts'
import { listHistory } from '../history/history.ts'
import { mergeUsers } from '../people/merge.ts'
import { COLUMNS, problemWithHeader } from './columns.ts'
import { openCsv } from './csv.ts'
import { exportCsv, exportRecords } from './export.ts'
import { type ImportInput, importAccess } from './import.ts'

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-transfer-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let files = 0
function fileWith(content: string | Uint8Array): string {
  const path = join(folder, `${files++}.csv`)
  writeFileSync(path, content)
  return path
}

async function exported(app: TestApplication): Promise<string> {
  return await app.environment.database.snapshot(async (db) => {
    let text = ''
    for await (const part of exportCsv(db, app.aid)) text += part
    return text
  })
}

async function imported(app: TestApplication, content: string, more: Partial<ImportInput> = {}) {
  const { database, clock, realTime } = app.environment
  const refused: Record<number, string> = {}
  const counts = await importAccess(database, await openCsv(fileWith(content), problemWithHeader), {
    aid: app.aid,
    clocks: () => ({ now: clock(), realTime: realTime() }),
    onRefused: async (row, reason) => {
      refused[row.line] = reason
    },
    ...more,
  })
  return { ...counts, reasons: refused }
}

describe.each(databases)('CSV of access on $name', (database) => {
  const service = useService(database)
  let now: number
  beforeAll(async () => {
    now = service.clock.now / 1000
  })

  async function newApp(environment: 'production' | 'sandbox' = 'production') {
    const app = await service.newApplication(environment)
    for (const rid of ['news', 'maps', '=1+1,"x"']) await app.addResource(rid)
    return app
  }

  const all = async (app: TestApplication) =>
    (await app.client.searchAccess({ show_expired: true, pagesize: 1000 })).data

  describe('there and back', () => {
    it('keeps the names of a user who was merged, and which of them are aliases', async () => {
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

  describe('an import', () => {
    it('needs no more than rid and email, in any order, with or without a byte order mark', async () => {
      const app = await newApp()
      await imported(app, '\ufeffemail,rid\r\na@example.com,news\r\n\r\nb@example.com,maps\r\n')
      expect((await all(app)).map((one) => [one.user_email, one.rid]).sort()).toEqual([
        ['a@example.com', 'news'],
        ['b@example.com', 'maps'],
      ])
      const history = await listHistory(app.environment.database.read, app.aid, { rid: 'news' })
      expect(history.at(-1)).toMatchObject({ actor: 'import', action: 'granted' })
    })

    it.each([
      ['unknown columns', 'rid,email,colour,size\n', /colour, size/],
      ['a column twice', 'rid,email,rid\n', /rid appears twice/],
      ['no e-mail', 'rid,tags\n', /missing columns: email/],
      ['neither', 'tags\n', /missing columns: rid, email/],
      ['nothing at all', '', /empty/],
      ['quotes that never end', 'rid,email\nnews,"a@example.com\n', /is not valid CSV/],
      ['text after a quote', 'rid,email\nnews,a@example.com\nnews,"b"x\n', /is not valid CSV/],
      ['bytes that are not UTF-8', new Uint8Array([0x72, 0xff, 0x0a]), /not UTF-8/],
    ])('refuses a file with %s, whole', async (_, content, reason) => {
      await expect(openCsv(fileWith(content), problemWithHeader)).rejects.toThrow(reason)
    })

    it('refuses a row by the rules of the API, says why, and takes the others', async () => {
      const app = await newApp()
      const rows = [
        ['news', 'good@example.com', '', '', '', ''],
        ['nowhere', 'a@example.com', '', '', '', ''],
        ['news', 'not an address', '', '', '', ''],
        ['news', 'a@example.com', '1700000000000', '', '', ''],
        ['news', 'a@example.com', '', 'a,,b', '', ''],
        ['news', 'a@example.com', '', '', '"line\nbreak"', ''],
        ['', '', '', '', '', ''],
        ['news', 'a@example.com', '', '', '', '9.99'],
        ['news', 'zero@example.com', '', '', '', '0.00'],
      ].map((cells) => cells.map((cell) => (/[,]/.test(cell) ? `"${cell}"` : cell)).join(','))
      const short = 'news,short@example.com'
      const header = 'rid,email,expires,tags,first_name,amount'
      const result = await imported(app, `${[header, ...rows, short].join('\n')}\n`)
      expect(result).toMatchObject({ rows: 10, granted: 2, refused: 8 })
      expect(result.reasons).toEqual({
        3: 'No such resource.',
        4: 'email: not a valid email address',
        5: expect.stringContaining('expires: must be 253402300799 or less'),
        6: 'tags: each tag must not be empty',
        7: 'first_name: must not contain control characters',
        9: 'rid: must not be empty; email: must not be empty',
        10: expect.stringContaining('payments that were made elsewhere'),
        12: 'The row has 2 values, but the header has 6.',
      })
      expect((await all(app)).map((one) => one.user_email).sort()).toEqual([
        'good@example.com',
        'zero@example.com',
      ])
    })

    it('refuses a reference, a uid or an id that is somebody else’s', async () => {
      const app = await newApp()
      const { id, uid } = await app.client.grantAccess({
        rid: 'news',
        email: 'ann@example.com',
        user_ref: 'reference-of-ann',
      })
      const { reasons } = await imported(
        app,
        [
          'rid,email,user_ref,user_refs,uid,id',
          'news,bob@example.com,reference-of-ann,,,',
          'news,bob@example.com,,"[""reference-of-ann""]",,',
          `news,bob@example.com,${uid},,,`,
          `news,bob@example.com,,,${uid},`,
          'news,bob@example.com,,,reference-of-ann,',
          `news,bob@example.com,,,,${id}`,
          'news,cat@example.com,later-a-uid,,,',
          'news,dog@example.com,,,later-a-uid,',
          'news,eve@example.com,,,uid-of-eve-1,',
          'news,fay@example.com,uid-of-eve-1,,,',
        ].join('\n'),
      )
      expect(Object.keys(reasons)).toEqual(['2', '3', '4', '5', '6', '7', '9', '11'])
      await service.requireInvariants()
    })

    it('refuses a uid or an id other than that which is there already', async () => {
      const app = await newApp()
      const email = 'ann@example.com'
      const { id, uid } = await app.client.grantAccess({ rid: 'news', email })
      const before = await all(app)
      const rows = [`news,${email},another-uid,`, `news,${email},,another-id`]
      const counts = await imported(app, ['rid,email,uid,id', ...rows].join('\n'))
      expect(counts.reasons).toEqual({
        2: 'uid: the user with this email address has another uid',
        3: 'id: the record of this user and resource has another id',
      })
      expect(await all(app)).toEqual(before)
      const same = await imported(app, `rid,email,uid,id\nnews,${email},${uid},${id}\n`)
      expect(same.reasons).toEqual({})
    })

    it('takes many rows with many tags each', async () => {
      const app = await newApp()
      // Too many values for one statement, on both databases.
      const tags = Array.from({ length: 100 }, (_, i) => `t${i}`).join(',')
      const rows = Array.from({ length: 230 }, (_, i) => `news,p${i}@example.com,"${tags}"`)
      const counts = await imported(app, ['rid,email,tags', ...rows].join('\n'))
      expect(counts).toMatchObject({ rows: 230, granted: 230 })
    })

    it('takes the rows of one person in their order', async () => {
      const app = await newApp()
      const rows = [1, 2, 3, 4, 5].map((n) => `news,a@example.com,${now + n},t${n}`)
      const others = [1, 2, 3].map((n) => `news,b${n}@example.com,,`)
      const mixed = rows.flatMap((row, i) => [row, ...(others[i] ? [others[i]] : [])])
      const counts = await imported(app, ['rid,email,expires,tags', ...mixed].join('\n'))
      expect(counts).toMatchObject({ rows: 8, granted: 8 })
      const records = (await all(app)).filter((one) => one.user_email === 'a@example.com')
      expect(records).toMatchObject([{ expires: now + 5, tags: ['t5'] }])
    })

    it('sends no mail unless it is told to', async () => {
      const app = await newApp()
      const mails = async () =>
        (await dumpTables(app.environment.database.read)).outbox?.filter((row) =>
          row.includes(app.aid),
        ).length
      await imported(app, 'rid,email\nnews,a@example.com\n')
      expect(await mails()).toBe(0)
      await imported(app, 'rid,email\nnews,a@example.com\nmaps,b@example.com\n', { notify: 'kept' })
      expect(await mails()).toBe(2)
      const { read } = app.environment.database
      const bulk = read.selectFrom('outbox').select('id').where('aid', '=', app.aid)
      // They wait for receipts and single grants.
      expect(await bulk.where('priority', '=', 2).execute()).toHaveLength(2)
    })

    it('tries everything and keeps nothing in a dry run, and counts as the real one does', async () => {
      const app = await newApp()
      // The last row is refused because of the first one, which is many batches earlier.
      const rows = Array.from({ length: 1_100 }, (_, i) => `news,p${i}@example.com,ref ${i}`)
      const content = ['rid,email,user_ref', ...rows, 'news,thief@example.com,ref 0'].join('\n')
      const before = await dumpTables(app.environment.database.read)
      const dry = await imported(app, content, { dryRun: true })
      expect(await dumpTables(app.environment.database.read)).toEqual(before)
      expect(dry).toMatchObject({ rows: 1_101, granted: 1_100, refused: 1 })
      expect(await imported(app, content)).toEqual(dry)
    })

    it('keeps to its own application', async () => {
      const [app, other] = [await newApp(), await newApp()]
      const theirs = await other.client.grantAccess({
        rid: 'news',
        email: 'a@example.com',
        user_ref: 'a',
      })
      await imported(app, 'rid,email,user_ref\nnews,a@example.com,a\n')
      expect(await all(other)).toEqual([theirs])
      expect((await all(app))[0]?.uid).not.toBe(theirs.uid)
    })
  })
})
