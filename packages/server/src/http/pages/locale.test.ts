import { describe, expect, it } from 'vitest'
import { localeOf } from './locale.ts'

describe('the locale of a reader', () => {
  it.each([
    [undefined, 'en'],
    ['', 'en'],
    ['*', 'en'],
    ['de', 'de'],
    ['de-CH, de;q=0.9, en;q=0.5', 'de-CH'],
    ['en;q=0.5, fr-FR;q=0.8', 'fr-FR'],
    ['de;q=0', 'en'],
    ['tlh-XX, sv', 'sv'],
    ['de-DE-u-nu-arab', 'de-DE'],
    ['xx-invalid-subtag-that-is-too-long, nl', 'nl'],
    ['<script>, ../../x, de-', 'en'],
    [`${'a'.repeat(10_000)}, de`, 'en'],
  ])('%s is %s', (header, locale) => {
    expect(localeOf(header)).toBe(locale)
  })
})
