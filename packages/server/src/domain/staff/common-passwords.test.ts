import { dictionary } from '@zxcvbn-ts/language-common'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findGuess } from './common-passwords.ts'

const CONTEXT = ['Ann Miller', 'ann.miller', 'Morgen-Zeitung', 'pay.example.com']

describe('a password that is easy to guess', () => {
  it('is each of the passwords found in leaks, also with digits and symbols around it, or twice', () => {
    const long = dictionary['passwords-common'].filter((one) => one.length >= 10)
    expect(long.length).toBeGreaterThan(1_500)
    for (const one of long) expect(findGuess(one, []), one).toBe('common')
    for (const one of ['Volleyball', '!!sunshine2026', 'monkey1monkey1', '98765dragon98765']) {
      expect(findGuess(one, []), one).toBe('common')
    }
  })

  it.each([
    ['AnnMiller99', 'annmiller'],
    ['miller-1984!', 'miller'],
    ['ann.miller2026', 'annmiller'],
    ['MorgenZeitung1', 'morgenzeitung'],
    ['..zeitung2026', 'zeitung'],
    ['example123456', 'example'],
    ['Gatehouse!2026', 'gatehouse'],
  ])('is %s, made of a word that belongs to the member or the installation', (password, word) => {
    expect(findGuess(password, CONTEXT)).toBe(word)
  })

  it.each([
    'correct horse battery',
    'miller drinks cold milk',
    'zeitung von morgen früh',
    'tz7-kQ2-99x-vvP',
    '4829-ab-19231',
    'ännchen von tharau',
    '🐎🔋📎🙂🐎🔋📎x',
  ])('is not %s', (password) => {
    expect(findGuess(password, CONTEXT)).toBeUndefined()
  })

  it('is found in any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        findGuess(text, [text])
      }),
    )
  })
})
