import { beforeAll, describe, expect, it } from 'vitest'
import { databases } from '../../testing/databases.ts'
import { dumpTables } from '../../testing/dump.ts'
import { useTransfer } from '../../testing/transfer/use-transfer.ts'
import { listHistory } from '../history/history.ts'
import { problemWithHeader } from './columns.ts'
import { openCsv } from './csv.ts'
import { BATCH } from './import.ts'

describe.each(databases)('CSV of access on $name', (database) => {
  const { service, imported, newApp, all, fileWith } = useTransfer(database)
  let now: number
  beforeAll(async () => {
    now = service.clock.now / 1000
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

    it('refuses former addresses that are none, or somebody else’s', async () => {
      const app = await newApp()
      const many = JSON.stringify(Array.from({ length: 1_001 }, (_, i) => `a${i}@example.com`))
      const cells = [
        '["cat@example.com"]',
        '["nobody"]',
        'x@example.com',
        '[""]',
        many,
        '["Bob@example.com"]',
      ]
      const rows = cells.map((cell) => `news,bob@example.com,"${cell.replaceAll('"', '""')}"`)
      const { reasons } = await imported(
        app,
        ['rid,email,former_addresses', 'news,cat@example.com,', ...rows].join('\n'),
      )
      const wanted = 'former_addresses: must be a JSON array of strings, like ["a","b"]'
      expect(reasons).toEqual({
        3: expect.stringContaining('This email address belongs to another user.'),
        4: 'former_addresses: each address: not a valid email address',
        5: wanted,
        6: wanted,
        7: 'former_addresses: must have at most 1000 entries',
      })
      await service.requireInvariants()
    })

    it('takes many rows with many tags each', async () => {
      const app = await newApp()
      // Too many values for one statement, on both databases.
      const tags = Array.from({ length: 100 }, (_, i) => `t${i}`).join(',')
      const rows = Array.from({ length: 230 }, (_, i) => `news,p${i}@example.com,"${tags}"`)
      const counts = await imported(app, ['rid,email,tags', ...rows].join('\n'))
      expect(counts).toMatchObject({ rows: 230, granted: 230 })
    })

    it.each(['user_refs', 'aliases', 'former_addresses'])(
      'counts %s for the size of a batch',
      async (column) => {
        const app = await newApp()
        // One row, and as many names that a second such row does not fit.
        const names = (n: number) =>
          JSON.stringify(
            Array.from({ length: BATCH[database.engine] / 2 }, (_, i) => `a${n}-${i}@example.com`),
          )
        const rows = [1, 2].map((n) => `news,p${n}@example.com,"${names(n).replaceAll('"', '""')}"`)
        let batches = 0
        const afterBatch = async () => {
          batches++
        }
        const text = [`rid,email,${column}`, ...rows].join('\n')
        expect(await imported(app, text, { afterBatch })).toMatchObject({ granted: 2 })
        expect(batches).toBe(2)
      },
    )

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
      // Mails of an import have a low priority: receipts and mails of single grants are sent first.
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
