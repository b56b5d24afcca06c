import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FOREVER } from '../../../db/tables.ts'
import { understood } from '../../../testing/transfer/understood.ts'
import { EndDates } from './dates.ts'
import { ZonedTime } from './zoned-time.ts'

const latin1 = (text: string) => Buffer.from(text.replaceAll('€', '\u0080'), 'latin1')
const GERMAN = 'E-Mail;Vorname;Nachname;gültig bis\r\njörg@example.de;Jörg;Groß €;31.12.2026\r\n'
const GERMAN_ROW = '2|jörg@example.de|Jörg|Groß €|pass|2026-12-31'

describe('a file from a spreadsheet', () => {
  it.each([
    ['Windows-1252', latin1(GERMAN), 'windows-1252'],
    ['UTF-8', Buffer.from(GERMAN), 'utf-8'],
    ['UTF-8 with a byte order mark', Buffer.from(`\ufeff${GERMAN}`), 'utf-8'],
    ['UTF-16', Buffer.from(`\ufeff${GERMAN}`, 'utf16le'), 'utf-16le'],
    ['big-endian UTF-16', Buffer.from(`\ufeff${GERMAN}`, 'utf16le').swap16(), 'utf-16be'],
  ])('is recognised in %s', async (_, bytes, encoding) => {
    const { rows, settings } = await understood(bytes)
    expect(rows).toEqual([GERMAN_ROW])
    expect(settings).toMatchObject({ encoding, delimiter: 'semicolon', hasHeader: true })
    expect(settings.targets).toEqual(['email', 'first_name', 'last_name', 'until'])
  })

  it('is Windows-1252 for one letter far below the beginning', async () => {
    const many = Array.from({ length: 9_000 }, (_, i) => `r${i}@example.com;A`)
    const bytes = latin1(['E-Mail;Vorname', ...many, 'last@example.com;Zoë'].join('\n'))
    const { rows, settings, file } = await understood(bytes)
    expect(settings.encoding).toBe('windows-1252')
    expect([file.count, rows.at(-1)]).toEqual([9_001, '9002|last@example.com|Zoë||pass|'])
  })

  it('is read in the encoding that was chosen, or refused in it', async () => {
    const wrong = await understood(GERMAN, { encoding: 'windows-1252' })
    expect(wrong.rows[0]).toContain('JÃ¶rg')
    await expect(understood(latin1(GERMAN), { encoding: 'utf-8' })).rejects.toThrow(
      'the file is not UTF-8 text',
    )
  })

  it.each([
    ['commas', 'Email,Until\na@b.co,2026-12-31', ['2|a@b.co|||pass|2026-12-31']],
    ['tabs', 'Email\tUntil\na@b.co\t2026-12-31', ['2|a@b.co|||pass|2026-12-31']],
    ['one column', 'email\na@b.co\nc@d.ef\n', ['2|a@b.co|||pass|', '3|c@d.ef|||pass|']],
    ['no header', 'a@b.co;x\nc@d.ef;y', ['1|a@b.co|||pass|', '2|c@d.ef|||pass|']],
    [
      'a line that names the delimiter',
      'sep=;\r\nEmail;Name\r\na@b.co;A B',
      ['3|a@b.co|A|B|pass|'],
    ],
    ['old line ends', 'Email;Name\ra@b.co;A B\r', ['2|a@b.co|A|B|pass|']],
    [
      'mixed line ends',
      'Email;Name\r\na@b.co;A B\nc@d.ef;\r',
      ['2|a@b.co|A|B|pass|', '3|c@d.ef|||pass|'],
    ],
    ['quotes', 'Email;Name\n"a@b.co";"B; ""x"", A"', ['2|a@b.co|A|B; "x"|pass|']],
    ['a quote in the middle', 'Email;Last name\na@b.co;5" pipe', ['2|a@b.co||5" pipe|pass|']],
    [
      'a line break in a cell',
      'Email;Note\na@b.co;"x\ny"\nc@d.ef;',
      ['2|a@b.co|||pass|', '3|c@d.ef|||pass|'],
    ],
    ['empty rows', '\nEmail;Name\n\n;\na@b.co;A B\n ; \n\n', ['5|a@b.co|A|B|pass|']],
    ['white space', 'Email ; Name\n\u00a0a@b.co ;  A B ', ['2|a@b.co|A|B|pass|']],
    [
      'last name first',
      'Email;Name\na@b.co;"Example, Ann Marie"',
      ['2|a@b.co|Ann Marie|Example|pass|'],
    ],
    [
      'resources by name',
      'Email;Produkt\na@b.co;monatsPASS\na@b.co;i7\na@b.co;Twin (b)',
      ['2|a@b.co|||pass|', '3|a@b.co|||i7|', '4|a@b.co|||b|'],
    ],
    ['no rows', 'Email;Name\n', []],
  ])('may have %s', async (_, text, rows) => {
    expect((await understood(text)).rows).toEqual(rows)
  })

  it.each([
    ['nothing', '', 'the file is empty'],
    ['only white space', ' \r\n\t\r\n', 'the file is empty'],
    [
      'an Excel workbook',
      'PK\u0003\u0004xyz',
      'is an Excel workbook or another packed file, not CSV',
    ],
    ['bytes', new Uint8Array([1, 0, 2, 0, 255]), 'is not a text file'],
    ['an open quote', 'Email;Name\na@b.co;"A', 'a quotation mark in row 2 that is never closed'],
    ['a huge cell', `Email;Name\na@b.co;"${'x'.repeat(1_100_000)}"`, 'longer than 1 MiB'],
  ])('is refused if it has %s', async (_, content, message) => {
    await expect(understood(content)).rejects.toThrow(message)
  })

  it('says what is wrong with a row, all at once', async () => {
    const text = [
      'Email,First name,Resource,Access until,State',
      'nobody,Ann,nothing,31.02.2026,Live',
      'a@b.co,Ann',
      'a@b.co,Ann,pass,2026-12-31,Live,extra',
      'a@b.co,Ann,Twin,,',
      ',Ann,pass,46387,',
      'a@b.co,Ann,pass,,Revoked',
      `a@b.co,${'x'.repeat(256)},pass,,`,
    ].join('\n')
    expect((await understood(text, { rid: undefined })).rows).toEqual([
      '2: Email: not a valid email address; Resource: there is no resource “nothing”; Access until: “31.02.2026” is not a date like 2026-12-31',
      '3: The row has 2 cells, but there are 5 columns.',
      '4: The row has 6 cells, but there are 5 columns.',
      '5: Resource: several resources are called “Twin”: write Twin (a) or twin (b)',
      '6: Email: must not be empty; Access until: “46387” is not a date like 2026-12-31',
      '7: State: the access was revoked; clear this cell to grant it again',
      '8: First name: must have at most 255 characters',
    ])
  })

  it('is taken for an export for programs only with its columns, and ends in seconds', async () => {
    const isMachine = async (text: string) => (await understood(text)).isMachine
    expect(await isMachine('rid,email,expires\npass,a@b.co,1830297600\n')).toBe(true)
    expect(await isMachine('rid,email\npass,a@b.co\n')).toBe(true)
    expect(await isMachine('rid,email,expires\npass,a@b.co,2026-12-31\n')).toBe(false)
    expect(await isMachine('rid,email,shoe\npass,a@b.co,1\n')).toBe(false)
  })

  it('uses the columns that were chosen', async () => {
    const { rows } = await understood('x;y;z\nAnn;a@b.co;2026-12-31', {
      targets: ['last_name', 'email', null],
      until: '2027-01-31',
    })
    expect(rows).toEqual(['2|a@b.co||Ann|pass|2027-01-31'])
  })
})

describe('dates in a file', () => {
  const order = async (...dates: string[]) => {
    const sheet = await understood(
      ['Email;Until', ...dates.map((date) => `a@b.co;${date}`)].join('\n'),
    )
    return {
      order: sheet.settings.dateOrder,
      isUnclear: sheet.isDateOrderUnclear,
      rows: sheet.rows,
    }
  }

  it('have the order of the one date that can have only one', async () => {
    expect(await order('05/06/2026', '31/12/2026')).toEqual({
      ...{ order: 'dmy', isUnclear: false },
      rows: ['2|a@b.co|||pass|2026-06-05', '3|a@b.co|||pass|2026-12-31'],
    })
    expect(await order('05/06/2026', '12-31-2026')).toMatchObject({ order: 'mdy' })
    expect(await order('31.12.2026', '2026-12-31')).toMatchObject({
      ...{ order: undefined, isUnclear: false },
    })
  })

  it('are not guessed where both orders fit, or none fits all', async () => {
    expect(await order('05/06/2026')).toEqual({
      ...{ order: undefined, isUnclear: true },
      rows: ['2: Access until: choose whether 05/06/2026 begins with the day or with the month'],
    })
    expect(await order('31/12/2026', '12/31/2026')).toMatchObject({ isUnclear: true })
  })

  const berlin = (text: string, how?: 'dmy' | 'mdy') => {
    const result = new EndDates('Europe/Berlin', how).read(text)
    if (typeof result === 'string') return result
    return result.value === FOREVER ? 'forever' : new Date(result.value * 1000).toISOString()
  }

  it.each([
    ['2026-12-31', '2026-12-31T22:59:59.000Z'],
    ['31.12.2026', '2026-12-31T22:59:59.000Z'],
    ['1.7.26', '2026-07-01T21:59:59.000Z'],
    ['2026/7/1', '2026-07-01T21:59:59.000Z'],
    ['31.12.2026 00:00', '2026-12-31T22:59:59.000Z'],
    ['31.12.2026 14:30', '2026-12-31T13:30:00.000Z'],
    ['2026-12-31T14:30:05Z', '2026-12-31T14:30:05.000Z'],
    ['2026-12-31 00:00:00 +01:00', '2026-12-30T23:00:00.000Z'],
    // The clocks are put back from 3 to 2 in this night.
    ['2026-10-25 02:30', '2026-10-25T01:30:00.000Z'],
    ['2026-03-29', '2026-03-29T21:59:59.000Z'],
    ['29.02.2028', '2028-02-29T22:59:59.000Z'],
    ['', 'forever'],
    ['For life', 'forever'],
    ['unbegrenzt', 'forever'],
  ])('%s', (text, end) => {
    expect(berlin(text)).toBe(end)
  })

  it('in American order', () => {
    expect(berlin('12/31/2026', 'mdy')).toBe('2026-12-31T22:59:59.000Z')
    expect(berlin('12/31/2026 5:00 PM', 'mdy')).toBe('2026-12-31T16:00:00.000Z')
    expect(berlin('12/31/2026', 'dmy')).toContain('is not a date')
  })

  it.each([
    '29.02.2027',
    '2026-13-01',
    '32.1.2026',
    'soon',
    '2026',
    '31.12.2026 25:00',
    '1.1.1969',
    '31.12/2026',
  ])('%s is refused', (text) => expect(berlin(text)).toMatch(/is not a date|from 1970/))

  it('are written so that they are read as the same second, in every zone', () => {
    const zones = [
      'UTC',
      'Europe/Berlin',
      'America/Sao_Paulo',
      'Australia/Lord_Howe',
      'Asia/Kathmandu',
    ]
    const dates = zones.map((zone) => new EndDates(zone))
    const property = fc.property(fc.nat(dates.length - 1), fc.nat(4_102_444_800), (i, at) => {
      const one = dates[i] as EndDates
      expect(one.read(one.write(at))).toEqual({ value: at })
    })
    fc.assert(property, { numRuns: 3_000 })
    // The clocks of Berlin show this twice, and the first time needs its offset.
    expect(new EndDates('Europe/Berlin').write(Date.UTC(2026, 9, 25, 0, 30) / 1000)).toBe(
      '2026-10-25 02:30:00 +02:00',
    )
  })

  it('end a day at its last second, where the clocks are put back at midnight', () => {
    const zone = new ZonedTime('America/Sao_Paulo')
    const last = zone.toSeconds({ year: 2018, month: 2, day: 17, hour: 23, minute: 59, second: 59 })
    expect(zone.format(last)).toBe('2018-02-17 23:59:59')
    expect(zone.format(last + 1)).toBe('2018-02-18 00:00:00')
  })
})
