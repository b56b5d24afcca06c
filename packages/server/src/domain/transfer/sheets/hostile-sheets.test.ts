import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { countLongTurns } from '../../../testing/hostile/processor-time.ts'
import { sourceOf, understood } from '../../../testing/transfer/understood.ts'
import { inspectSheet } from './inspect.ts'

const ofLength = (text: string, length: number) => text.repeat(Math.ceil(length / text.length))

describe('a file that somebody made with care', () => {
  it.each([
    ['brackets', `email,resource\na@b.de,${ofLength('(', 60_000)}\n`, 32_768],
    ['signs of addresses', `x,${ofLength('@', 60_000)} x\n`, 32_768],
    ['white space', `email,resource\na@b.de,a${ofLength(' ', 40_000)}b\n`, 32_768],
    ['a list of names', `rid,email,tags\nnews,a@b.de,${ofLength('a', 300_001)}\n`, 300_000],
  ])('is refused for a cell that is full of %s, at once', async (_, text, most) => {
    const before = process.cpuUsage()
    const refused = `has a cell of more than ${most.toLocaleString('en')} characters`
    await expect(inspectSheet(sourceOf(text, 65_536), {})).rejects.toThrow(refused)
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(500)
  })

  it('is refused for more columns than any table has', async () => {
    const refused = 'row 2 of the file has more than 1,000 cells'
    await expect(understood(`email,resource\n${','.repeat(1_000)}`)).rejects.toThrow(refused)
  })

  it.each([
    ['rows', 'a\n', 'more than 500,000 rows'],
    ['lines', '\n', 'more than 600,000 lines'],
  ])(
    'is refused as soon as it has too many %s, and others get their turns',
    async (_, line, refused) => {
      let read = 0
      const chunk = Buffer.from(`${line.repeat(65_536)}`)
      async function* bytes() {
        yield Buffer.from('email\n')
        for (read = 0; read < 500; read++) yield await setImmediate(chunk)
      }
      const limits = { rows: 500_000, lines: 600_000 }
      const reading = () =>
        expect(
          inspectSheet({ name: 'the file', bytes }, { encoding: 'utf-8' }, limits),
        ).rejects.toThrow(refused)
      // A few are left for collecting garbage. If chunks were handled whole, each of them would be one.
      expect(await countLongTurns(reading, 50)).toBeLessThan(4)
      expect(read).toBeLessThan(40)
    },
  )

  it('in UTF-16 with half a surrogate pair is refused', async () => {
    const text = Buffer.from('\ufeffemail,name\na@b.de,\ud83d\n', 'utf16le')
    await expect(understood(text)).rejects.toThrow('the file is not UTF-16 text')
  })

  it('may have long cells in columns that nobody reads', async () => {
    const { rows } = await understood(`Email,Notes\na@b.co,${'long '.repeat(6_000)}`)
    expect(rows).toEqual(['2|a@b.co|||pass|'])
  })

  it('has no end of access that is only too long to be read', async () => {
    const { rows } = await understood(`Email,Until\na@b.co,${' '.repeat(200)}x`)
    expect(rows).toEqual([expect.stringContaining('is not a date')])
  })
})
