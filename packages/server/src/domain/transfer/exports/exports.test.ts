import { describe, expect, it } from 'vitest'
import type { Db } from '../../../db/database.ts'
import { databases } from '../../../testing/databases.ts'
import { dumpTables } from '../../../testing/dump.ts'
import { MONTHLY } from '../../../testing/payments/shop.ts'
import { DAY } from '../../../testing/time.ts'
import { useFreshShop, useService } from '../../../testing/use-service.ts'
import { listResources } from '../../resources/resources.ts'
import { type AppliedRow, BATCH, type ImportInput, importAccess } from '../import.ts'
import { inspectSheet } from '../sheets/inspect.ts'
import { RowReader } from '../sheets/read-row.ts'
import { ResourceNameIndex } from '../sheets/resources.ts'
import type { ChosenSettings } from '../sheets/settings.ts'
import { spoolFile } from '../sheets/spool.ts'
import { exportAccessSheet } from './exports.ts'
import { SheetWriter } from './sheet-writer.ts'

describe.each(databases)('access in a spreadsheet on $name', (database) => {
  const service = useService(database)
  const shop = useFreshShop(service, 'pass', 'maps')

  async function exported(delimiter: 'comma' | 'semicolon' = 'comma'): Promise<string> {
    return await shop.environment.database.snapshot(async (db: Db) => {
      let text = ''
      const input = { delimiter, now: shop.environment.clock(), onRows: () => {} }
      const filter = { aid: shop.aid, state: 'any' as const }
      for await (const part of exportAccessSheet(db, filter, input)) text += part
      return text
    })
  }

  async function imported(
    text: string,
    chosen: ChosenSettings = {},
    more: Partial<ImportInput> = {},
  ) {
    const { database: db, clock, realTime } = shop.environment
    const bytes = (async function* () {
      yield Buffer.from(text)
    })()
    const file = await spoolFile('the file', bytes, 1e8)
    const sheet = await inspectSheet(file, chosen)
    const names = new ResourceNameIndex(await listResources(db.read, shop.aid))
    const reader = new RowReader(sheet.settings, names, 'UTC')
    const refused: string[] = []
    const applied: AppliedRow[] = []
    const counts = await importAccess(db, sheet.file, {
      ...{ aid: shop.aid, isEachOnce: true, skipIfSameEnd: true },
      read: (cells) => reader.read(cells),
      clocks: () => ({ now: clock(), realTime: realTime() }),
      onRefused: async ({ line }, reason) => void refused.push(`${line}: ${reason}`),
      onApplied: (_, one) => applied.push(one),
      ...more,
    })
    await file.close()
    return { counts, refused, applied, effects: applied.map(({ effect }) => effect) }
  }

  const dump = () => dumpTables(shop.environment.database.read)

  it.each(['comma', 'semicolon'] as const)(
    'comes back with a %s without changing anything, paid access included',
    async (delimiter) => {
      const { grantAccess } = shop.client
      const grant = grantAccess.bind(shop.client)
      const end = shop.environment.clock() + 40 * DAY + 12_345
      await grant({
        rid: 'pass',
        email: '+ann@example.com',
        first_name: '=SUM(A1)',
        last_name: "'-x",
      })
      await grant({ rid: 'maps', email: '+ann@example.com', expiration: end, tags: '=a,b' })
      await grant({
        rid: 'pass',
        email: 'bob@example.com',
        expiration: 1_767_225_599,
        user_ref: '-7',
      })
      await grant({ rid: 'pass', email: 'eve@example.com', last_name: 'a;b,c\u2028"d"' })
      await shop.client.revokeAccess({ rid: 'pass', user_ref: await uidOf('eve@example.com') })
      await shop.buy({
        rid: 'pass',
        terms: MONTHLY,
        userRef: 'sub',
        vouchedEmail: 'sub@example.com',
      })
      const text = await exported(delimiter)
      const before = await dump()
      const { counts, refused } = await imported(text)
      expect(counts).toEqual({ rows: 5, granted: 0, unchanged: 4, refused: 1 })
      expect(refused).toEqual([
        expect.stringMatching(
          /^\d: State: the access was revoked; clear this cell to grant it again$/,
        ),
      ])
      expect(await dump()).toEqual(before)
    },
  )

  const uidOf = async (email: string) =>
    (await shop.client.searchAccess({ email })).data[0]?.uid as string

  const SHEET = [
    'Email;Name;Until',
    'ann@example.com;Ann Example;2037-12-31',
    'bob@example.com;Bob Example;',
    'nobody;x;',
    'ann@example.com;Other Name;2037-12-31',
    'ANN@example.com;Ann Example;2036-12-31',
  ].join('\n')

  it('is previewed as it then happens, and changes nothing the second time', async () => {
    const before = await dump()
    const preview = await imported(SHEET, { rid: 'pass' }, { dryRun: 'in batches' })
    expect(await dump()).toEqual(before)
    expect(preview.effects).toEqual(['new', 'new', 'unchanged'])
    expect(preview.refused).toEqual([
      '4: Email: not a valid email address',
      '6: Row 2 has the same person and resource with another end.',
    ])
    expect(preview.applied.filter(({ isUnannounced }) => isUnannounced)).toHaveLength(2)
    const made = await imported(SHEET, { rid: 'pass' })
    expect([made.effects, made.refused]).toEqual([preview.effects, preview.refused])
    const after = await dump()
    expect((await imported(SHEET, { rid: 'pass' })).counts).toMatchObject({ granted: 0 })
    expect(await dump()).toEqual(after)
  })

  it('is extended, shortened or left, and tells only those who have not been told', async () => {
    const line = (name: string, until: string) => `${name}@example.com;${until}`
    const first = [
      'Email;Until',
      line('a', '2037-01-31'),
      line('b', '2037-01-31'),
      line('c', '2037-01-31'),
      line('d', '2001-01-31'),
    ]
    const told = await imported(first.join('\n'), { rid: 'maps' }, { notify: 'kept' })
    expect(told.applied.map(({ isUnannounced }) => isUnannounced)).toEqual([
      true,
      true,
      true,
      false,
    ])
    const next = [
      'Email;Until',
      line('a', '2037-02-28'),
      line('b', '2036-12-31'),
      line('c', '2037-01-31'),
    ]
    const { effects, applied } = await imported(
      next.join('\n'),
      { rid: 'maps' },
      { dryRun: 'in batches' },
    )
    expect(effects).toEqual(['extended', 'shortened', 'unchanged'])
    expect(applied.map(({ isUnannounced }) => isUnannounced)).toEqual([true, true, false])
  })

  it('stops between two batches where it is told to, and the rest comes with the same file', async () => {
    const batch = BATCH[database.engine]
    const lines = Array.from({ length: batch + 50 }, (_, i) => `r${i}@example.com`)
    const text = ['Email', ...lines].join('\n')
    const stop = new AbortController()
    const onProgress = () => stop.abort()
    const { counts } = await imported(text, { rid: 'pass' }, { signal: stop.signal, onProgress })
    expect(counts).toMatchObject({ rows: batch, granted: batch })
    expect((await imported(text, { rid: 'pass' })).counts).toMatchObject({
      granted: 50,
      unchanged: batch,
    })
  })

  it('lets others be served while a batch is written', async () => {
    let turns = 0
    const count = () => {
      turns++
      turn = setImmediate(count)
    }
    let turn: NodeJS.Immediate | undefined
    const clocks = () => {
      turn ??= setImmediate(count)
      return { now: shop.environment.clock(), realTime: shop.environment.realTime() }
    }
    const lines = Array.from({ length: 600 }, (_, i) => `s${i}@example.com`)
    await imported(
      ['Email', ...lines].join('\n'),
      { rid: 'pass' },
      { clocks, onProgress: () => clearImmediate(turn) },
    )
    expect(turns).toBeGreaterThanOrEqual(2)
  })
})

describe('a cell for a spreadsheet', () => {
  const lines = (...row: Parameters<SheetWriter['rows']>[0][number]) =>
    new SheetWriter('UTC').rows([row])
  it('is a number or text, and text runs nothing', () => {
    const writer = new SheetWriter('UTC')
    expect(lines(writer.amount(-1_234_50, 'EUR'), writer.amount(5, 'JPY'), '-1', '=1')).toBe(
      "-1234.50,5,'-1,'=1\r\n",
    )
    const german = new SheetWriter('UTC', 'semicolon')
    expect(german.rows([[german.amount(-5, 'EUR'), 'a;b']])).toBe('-0,05;"a;b"\r\n')
  })
})
