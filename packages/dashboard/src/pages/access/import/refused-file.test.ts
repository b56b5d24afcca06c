import { describe, expect, it } from 'vitest'
import { refusedFileName, refusedRows } from './refused-file.ts'

describe('the file of refused rows', () => {
  it.each([
    ['readers.csv', 'readers-refused-1.csv'],
    ['readers-refused-1.csv', 'readers-refused-2.csv'],
    ['readers-refused-9.csv', 'readers-refused-10.csv'],
    ['Pasted rows', 'Pasted rows-refused-1.csv'],
    ['a.b.txt', 'a.b-refused-1.csv'],
  ])('of %s is %s', (name, refused) => expect(refusedFileName(name)).toBe(refused))

  const row = (cells: string[]) => ({
    ...{ row: 7, outcome: 'refused' as const, email: '', resource: '' },
    ...{ reason: 'why', cells },
  })

  it('keeps the columns and the cells, and replaces what an earlier one added', () => {
    const names = ['Row', 'Reason', 'E-Mail', 'bis']
    const rows = [
      row(['3', 'old', 'a@b', 'x']),
      row(['3', 'old', 'a@b']),
      row(['3', 'old', 'a', 'x', 'y']),
    ]
    expect(refusedRows({ names, machine: false }, rows)).toEqual([
      ['Row', 'Reason', 'E-Mail', 'bis'],
      ['7', 'why', 'a@b', 'x'],
      ['7', 'why', 'a@b'],
      ['7', 'why', 'a', 'x', 'y'],
    ])
    expect(refusedRows({ names: ['rid', 'email'], machine: true }, [row(['n', 'e'])])).toEqual([
      ['line', 'reason', 'rid', 'email'],
      ['7', 'why', 'n', 'e'],
    ])
  })
})
