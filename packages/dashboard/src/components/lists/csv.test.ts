import { describe, expect, it } from 'vitest'
import { toCsv } from './csv.ts'

describe('a CSV of what is shown', () => {
  it('quotes what would break a row', () =>
    expect(toCsv([['a,b', 'say "yes"', 'two\nlines', 3]])).toBe(
      '"a,b","say ""yes""","two\nlines",3\r\n',
    ))

  it.each(['=1+1', '+1', '-1', '@sum', '\tx'])('is safe to open in a spreadsheet: %j', (text) =>
    expect(toCsv([[text]])).toBe(`'${text}\r\n`),
  )

  it.each([
    ['a;=1+1', "a;'=1+1"],
    ['\u00a0=1', "'\u00a0=1"],
    ['\uff1d1', "'\uff1d1"],
    ['a=b; c', 'a=b; c'],
  ])('is safe wherever a cell may begin: %j', (text, safe) =>
    expect(toCsv([[text]])).toBe(`${safe}\r\n`),
  )

  it('leaves numbers as they are', () => expect(toCsv([[-5]])).toBe('-5\r\n'))
})
