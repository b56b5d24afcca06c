import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sealFormulas, unsealFormulas } from './formulas.ts'

describe('formulas in a cell', () => {
  it.each([
    ...[
      '=1+1',
      '+49 30 1',
      '-2+3',
      '@SUM(A1)',
      '\t=1',
      '\r=1',
      '\n=1',
      ' =1',
      '＝1',
      '＋1',
      '－1',
      '＠1',
    ],
    ...[
      "'=1",
      "''=1",
      'x;=1',
      "x;'=1",
      '=cmd|"/c calc"!A1',
      '=HYPERLINK("http://x","y")',
      ';-1',
      '\t',
      '-',
      '=1;=2',
    ],
  ])('%j is sealed, and is itself again when read', (text) => {
    const sealed = sealFormulas(text)
    for (const part of sealed.split(';').filter((one) => one !== ''))
      expect(part).not.toMatch(/^\s*[=+\-@＝＋－＠\t\r]/)
    expect(unsealFormulas(sealed)).toBe(text)
  })

  it.each(['Ann', 'a=b', "O'Neill", "'quoted'", 'a;b', 'ann+1@example.com', ''])(
    '%j is left alone',
    (text) => {
      expect(sealFormulas(text)).toBe(text)
      expect(unsealFormulas(text)).toBe(text)
    },
  )

  it('are sealed without loss, whatever the text', () => {
    const text = fc.string({
      unit: fc.constantFrom("'", '=', '-', ';', ' ', '\t', '\n', 'x', '＠'),
    })
    fc.assert(
      fc.property(text, (one) => unsealFormulas(sealFormulas(one)) === one),
      { numRuns: 2_000 },
    )
  })
})
