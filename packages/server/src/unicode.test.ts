import { describe, expect, it } from 'vitest'
import { sortRows } from './db/queries/sort.ts'
import { recognizeTargets } from './domain/transfer/sheets/targets.ts'
import { problemWithEmail } from './email-address.ts'
import { personName, title } from './fields.ts'
import { leastProcessorMs } from './testing/hostile/processor-time.ts'
import { foldCase, normalizeText } from './unicode.ts'

const MAX_MS = 50
const BOTH = '\u0301\u0316'

describe('a text in another spelling', () => {
  it('is the same text as long as it can be a name', () => {
    expect(normalizeText('e\u0301')).toBe('\u00e9')
    expect(normalizeText('é', 'NFD')).toBe('e\u0301')
    expect(foldCase('E\u0301')).toBe('\u00e9')
    expect(foldCase(`${'E\u0301'.repeat(500)}x`)).toBe(`${'é'.repeat(500)}x`)
  })

  it('takes no longer to compare for having thousands of marks', () => {
    const text = `A${BOTH.repeat(75_000)}`
    expect(foldCase(text)).toBe(text.toLowerCase())
    expect(leastProcessorMs(() => [normalizeText(text), foldCase(text)], MAX_MS)).toBeLessThan(
      MAX_MS,
    )
  })

  it('is compared once for each row of a list', () => {
    const nameOf = (n: number) => `${n}`.padStart(4, '0') + BOTH.repeat(125)
    const rows = Array.from({ length: 2_000 }, (_, n) => nameOf((n * 7) % 2_000))
    const sort = () => sortRows(rows, '-name', { name: (row) => row })
    expect(sort().slice(0, 2)).toEqual([nameOf(1_999), nameOf(1_998)])
    expect(leastProcessorMs(sort, MAX_MS)).toBeLessThan(MAX_MS)
  })

  it('is no name of a column if it is longer than any', () => {
    const header = [`e\u0301mail`, `email${BOTH.repeat(16_000)}`]
    expect(recognizeTargets(header)).toEqual(['email', null])
    expect(leastProcessorMs(() => recognizeTargets(header), MAX_MS)).toBeLessThan(MAX_MS)
  })
})

describe('a name', () => {
  it('has at most 10 marks on one letter', () => {
    for (const field of [personName, title]) {
      expect(field.read(`a${BOTH.repeat(5)}`)).toEqual({ value: `a${BOTH.repeat(5)}` })
      expect(field.read(`a${BOTH.repeat(5)}\u0301`)).toContain('more than 10 accents')
    }
    expect(problemWithEmail(`a${BOTH.repeat(6)}@example.com`)).toBe('not a valid email address')
  })

  it.each(['שָׁלוֹם', 'สวัสดีเก้าอี้', 'བསྒྲུབས', 'مُحَمَّدٌ', 'नमस्कार', 'Nguyễn', '👨‍👩‍👧‍👦❤️', '1️⃣'])(
    'of a script with marks is one: %s',
    (name) => {
      expect(title.read(name.normalize('NFD'))).toEqual({ value: name.normalize('NFD') })
      expect(problemWithEmail(`${'ệ'.normalize('NFD')}@example.com`)).toBeUndefined()
    },
  )
})
