import { describe, expect, it } from 'vitest'
import type { Failure } from '../../../errors.ts'
import { optional, readParameters, required } from '../../../parameters.ts'
import { fields, type Kind } from '../../../testing/http/parameter-fields.ts'

/** Returns the value of one parameter `p` of this kind, or the error message. */
function read(kind: Kind, text: string, encoded = encodeURIComponent(text)): unknown {
  try {
    return readParameters({ p: required(kind) }, `p=${encoded}`).p
  } catch (error) {
    expect((error as Failure).status).toBe(400)
    return (error as Failure).message
  }
}

describe('flags', () => {
  it.each(['true', 'TRUE', 'True', 'tRuE', '1'])('%s is true', (text) => {
    expect(read(fields.flag, text)).toBe(true)
  })
  it.each(['false', 'FALSE', 'False', '0'])('%s is false', (text) => {
    expect(read(fields.flag, text)).toBe(false)
  })
  it.each(
    ['yes', 'no', 'on', 'off', '2', '-1', '00', '01', '1.0', ' true', 'true ', 't', 'null'].concat([
      'constructor',
      '__proto__',
      'valueof',
      'undefined',
      'ｔrue',
      '１',
    ]),
  )('%j is neither', (text) => expect(read(fields.flag, text)).toBe('p: must be true or false'))
})

const NOT_WHOLE = ['1e3', '0x10', '12abc', 'NaN', 'Infinity', '1.0', '1.5', '.5', '+1', ' 1', '1 ']
const ALSO_NOT = ['1_000', '1,000', '--1', '-', '- 1', '١', '１', 'true', '0b1', '1n', '1e21']

describe('integers', () => {
  it.each([...NOT_WHOLE, ...ALSO_NOT])('%j is not one', (text) => {
    for (const kind of [fields.page, fields.pagesize, fields.seconds, fields.lifetime]) {
      expect(read(kind, text)).toBe('p: must be a whole number')
    }
  })
  it.each([
    ['0', 0],
    ['-0', 0],
    ['007', 7],
    ['12345', 12345],
  ])('%j is %d', (text, number) => {
    expect(Object.is(read(fields.page, text), number)).toBe(true)
  })
})

describe('times', () => {
  it.each([0, 1, 253402300799])('%d is one', (n) => expect(read(fields.seconds, `${n}`)).toBe(n))
  it.each(['-1', '-253402300799', `-${'9'.repeat(400)}`])('%s is before 1970', (text) => {
    expect(read(fields.seconds, text)).toBe('p: must be 0 or more')
  })
  it.each(['253402300800', '1804064400000', `${2 ** 53}`, '8640000000000001', '9'.repeat(400)])(
    '%s is too late, and the answer thinks of milliseconds',
    (text) => {
      expect(read(fields.seconds, text)).toMatch(/^p: must be 253402300799 or less.*milliseconds$/)
    },
  )
})

describe('lifetimes', () => {
  it.each([
    ['1', 1],
    ['253402300799', 253402300799],
  ])('%s can be read', (text, number) => {
    expect(read(fields.lifetime, text)).toBe(number)
  })
  it.each(['0', '-0', '-1', `-${'9'.repeat(400)}`])('%s is too short', (text) => {
    expect(read(fields.lifetime, text)).toBe('p: must be 1 or more')
  })
  it.each(['253402300800', `${2 ** 53}`, '9'.repeat(400)])('%s is too long', (text) => {
    expect(read(fields.lifetime, text)).toMatch(/^p: must be 253402300799 or less.*milliseconds$/)
  })
})

describe('pages', () => {
  it.each([
    ['1', 1],
    ['1000', 1000],
    ['1001', 1000],
    ['9'.repeat(400), 1000],
  ])('a pagesize of %s is %d', (text, size) => expect(read(fields.pagesize, text)).toBe(size))
  it.each(['0', '-0', '-1', '-1000'])('a pagesize of %s is refused', (text) => {
    expect(read(fields.pagesize, text)).toBe('p: must be 1 or more')
  })
  it('a negative page is refused, a huge one is not', () => {
    expect(read(fields.page, '-1')).toBe('p: must be 0 or more')
    expect(read(fields.page, '9007199254740991')).toBe(9007199254740991)
  })
})

describe('texts', () => {
  const longest: [string, Kind, number][] = [
    ['rid', fields.rid, 255],
    ['user_ref', fields.userRef, 255],
    ['tag', fields.tag, 100],
    ['message', fields.message, 10_000],
    ['first_name', fields.personName, 255],
  ]
  it.each(longest)('%s has a longest length, counted in code points', (_, kind, most) => {
    for (const unit of ['a', 'é', '🔑']) {
      const text = unit.repeat(most)
      expect(read(kind, text)).toBe(text)
      expect(read(kind, text + unit)).toBe(`p: must have at most ${most} characters`)
    }
  })

  it.each([' ', '\u00a0', '\u2003', '\u3000', '\u2028', '\ufeff'])(
    'a rid has no white space (%j), a user_ref may',
    (space) => {
      expect(read(fields.rid, `a${space}b`)).toBe('p: must not contain white space')
      expect(read(fields.userRef, `a${space}b`)).toBe(`a${space}b`)
    },
  )
  it.each(['a/b', 'é', '日本', '🔑', "it's", '<b>', '..', '%41', 'a,b', '"', '\\'])(
    '%s is a rid and a user_ref',
    (text) => {
      expect(read(fields.rid, text)).toBe(text)
      expect(read(fields.userRef, text)).toBe(text)
    },
  )
  it.each(['\u202a', '\u202e', '\u2066', '\u2069', '\u200e', '\u200f', '\u061c'])(
    'a name that others see can’t turn the direction of writing (%j), other texts may',
    (mark) => {
      for (const name of [fields.personName, fields.title]) {
        expect(read(name, `cod${mark}fdp.exe`)).toContain('must not contain invisible characters')
      }
      expect(read(fields.message, `a${mark}b`)).toBe(`a${mark}b`)
      // Names in other scripts need no marks.
      expect(read(fields.title, 'شتاء 2027 – חורף')).toBe('شتاء 2027 – חורף')
    },
  )
  it('a tag has no comma', () =>
    expect(read(fields.tag, 'a,b')).toBe('p: must not contain a comma'))

  it('a message keeps its line breaks', () => {
    const parameters = { message: optional(fields.message) }
    const { message } = readParameters(parameters, 'message=a%0D%0Ab%0Ac%0D')
    expect(message).toBe('a\r\nb\nc\r')
  })

  const hundred = Array.from({ length: 100 }, (_, i) => `tag ${i}`).join(',')

  it.each([
    ['a', ['a']],
    ['a,b', ['a', 'b']],
    [' a , b ', ['a', 'b']],
    ['a,b,a', ['a', 'b']],
    ['é,日 本', ['é', '日 本']],
    [hundred, hundred.split(',')],
  ])('tags %j are %j', (text, list) => expect(read(fields.tags, text)).toEqual(list))
  it.each([
    [',', 'p: each tag must not be empty'],
    ['a,', 'p: each tag must not be empty'],
    ['a, ,b', 'p: each tag must not be empty'],
    [`a,${'x'.repeat(101)}`, 'p: each tag must have at most 100 characters'],
    ['a,\nb', 'p: must not contain control characters'],
    ['a\n', 'p: must not contain control characters'],
    [`${hundred},x`, 'p: must have at most 100 tags'],
  ])('tags %j are refused', (text, message) => expect(read(fields.tags, text)).toBe(message))
})

describe('e-mail addresses', () => {
  it.each(
    [
      'a@b.c',
      'Ann@Example.COM',
      "o'brien@example.com",
      'a+tag@b.c',
      'a.b.c@d.e',
      'a@localhost',
    ].concat(
      ['jürgen@bücher.example', '用户@例子.中国', '_%/!#$*=?^`{|}~-&@b.c', 'a@1.2', 'a@x-y.z'],
      [`${'é'.repeat(64)}@${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(61)}`],
    ),
  )('%s is one', (text) => expect(read(fields.email, text)).toBe(text))
  it.each(
    ['a', '@', 'a@', '@b', 'a@b@c', 'a b@c.d', ' a@b.c', 'a@b.c ', 'a@b..c', 'a@.b', 'a@b.'].concat(
      ['.a@b.c', 'a.@b.c', 'a..b@c.d', 'a@-b.c', 'a@b-.c', 'a@b_c.d', 'a,b@c.d', 'a@b.c,d@e.f'],
      ['"a b"@c.d', '"a"@b.c', 'a@[1.2.3.4]', 'A <a@b.c>', 'a@b.c;d@e.f', 'a(c)@b.c', 'a\\b@c.d'],
      ['mailto:a@b.c', 'a\u200b@b.c', 'a@b\u202e.c', 'a＠b.c', 'a@b。c'],
    ),
  )('%j is none', (text) => expect(read(fields.email, text)).toBe('p: not a valid email address'))
  it('has at most 254 characters', () => {
    const text = `${'a'.repeat(246)}@b.cdef`
    expect(text.length).toBe(253)
    expect(read(fields.email, `a${text}`)).toBe(`a${text}`)
    expect(read(fields.email, `aa${text}`)).toBe('p: must have at most 254 characters')
  })
})
