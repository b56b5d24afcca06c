import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fileNameField } from '../../../domain/downloads/names.ts'
import type { Failure } from '../../../errors.ts'
import { optional, parseForm, readParameters, required } from '../../../parameters.ts'
import { fields, type Kind } from '../../../testing/http/parameter-fields.ts'

const refusalOf = (encoded: string, parameters = {}) => {
  try {
    readParameters(parameters, encoded)
  } catch (error) {
    const { status, message, parameter, problem } = error as Failure
    // The sentence is made of the two fields, and only where there is a parameter.
    if (parameter !== undefined) expect(message).toBe(`${parameter}: ${problem}`)
    return { status, message, parameter }
  }
  return undefined
}

describe('form decoding', () => {
  it.each([
    ['a=b', [['a', 'b']]],
    ['a=b+c', [['a', 'b c']]],
    ['a=b%20c', [['a', 'b c']]],
    ['a=b%2Bc', [['a', 'b+c']]],
    ['a+b=c', [['a b', 'c']]],
    ['%61=%62', [['a', 'b']]],
    ['a', [['a', '']]],
    ['a=', [['a', '']]],
    ['a==b', [['a', '=b']]],
    ['', []],
    ['&&', []],
    [
      'a=1&&b=2&',
      [
        ['a', '1'],
        ['b', '2'],
      ],
    ],
    ['a=1;b=2', [['a', '1;b=2']]],
    ['a=%2525', [['a', '%25']]],
    ['a=%EF%BB%BFx', [['a', '\ufeffx']]],
    ['a=%F0%9F%94%91', [['a', '🔑']]],
    ['a=caf\xc3\xa9', [['a', 'café']]],
    [
      '__proto__=1&constructor=2',
      [
        ['__proto__', '1'],
        ['constructor', '2'],
      ],
    ],
  ])('%j', (encoded, pairs) => expect([...parseForm(encoded)]).toEqual(pairs))

  it('reads what any form encoder writes', () => {
    const text = fc.string({ unit: fc.constantFrom(...'aé日🔑 +%&=;#?/\\\'"<>[]~*') })
    fc.assert(
      fc.property(fc.dictionary(text, text), (parameters) => {
        const encoded = new URLSearchParams(parameters).toString()
        expect([...parseForm(encoded)]).toEqual(Object.entries(parameters))
      }),
    )
  })

  it.each([
    ['p=%', 'p: contains a % that is not followed by two hex digits'],
    ['p=%1', 'p: contains a % that is not followed by two hex digits'],
    ['p=%zz', 'p: contains a % that is not followed by two hex digits'],
    ['p=%u0041', 'p: contains a % that is not followed by two hex digits'],
    [
      '%=p',
      'The name of a parameter is invalid: contains a % that is not followed by two hex digits.',
    ],
    ['p=%ff', 'p: not valid UTF-8'],
    ['p=%C3', 'p: not valid UTF-8'],
    ['p=%C0%80', 'p: not valid UTF-8'],
    ['p=%ED%A0%80', 'p: not valid UTF-8'],
    ['p=%F4%90%80%80', 'p: not valid UTF-8'],
    ['p=\xe9', 'p: not valid UTF-8'],
    ['%ff=p', 'The name of a parameter is invalid: not valid UTF-8.'],
    ['p=%00', 'p: must not contain control characters'],
    ['p=a%0Ab', 'p: must not contain control characters'],
    ['p=a%0D%0Ab', 'p: must not contain control characters'],
    ['p=a%09b', 'p: must not contain control characters'],
    ['p=%7F', 'p: must not contain control characters'],
    ['p=%C2%85', 'p: must not contain control characters'],
    ['a%00=p', 'The name of a parameter is invalid: must not contain control characters.'],
    ['a%0A=p', 'The name of a parameter is invalid: must not contain control characters.'],
    ['p=1&p=1', 'p: must be given only once'],
    ['p=1&p=2', 'p: must be given only once'],
    ['p=1&%70=2', 'p: must be given only once'],
    ['p=&p', 'p: must be given only once'],
    ['unknown=1&unknown=2', 'unknown: must be given only once'],
    ['message=a%00b', 'message: must not contain control characters'],
    ['message=a%09b', 'message: must not contain control characters'],
  ])('%j is refused, by the name of the parameter', (encoded, message) => {
    const [name = ''] = message.split(':')
    const parameter = /^\w+$/.test(name) ? name : undefined
    expect(refusalOf(encoded)).toEqual({ status: 400, message, parameter })
  })
})

describe('presence', () => {
  const parameters = {
    a: required(fields.userRef),
    b: optional(fields.userRef),
    c: optional(fields.page, 7),
  }

  it('a missing required parameter is refused', () => {
    expect(refusalOf('b=1', parameters)?.message).toBe('a: required')
  })
  it('an empty required parameter is refused', () => {
    expect(refusalOf('a=', parameters)?.message).toBe('a: must not be empty')
    expect(refusalOf('a', parameters)?.message).toBe('a: must not be empty')
  })
  it('an empty optional parameter is absent', () => {
    expect(readParameters(parameters, 'a=x&b=&c=')).toEqual({ a: 'x', b: undefined, c: 7 })
    expect(readParameters(parameters, 'a=x')).toEqual({ a: 'x', b: undefined, c: 7 })
  })
  it('an unknown parameter is ignored, whatever its name', () => {
    const encoded = 'a=x&z=1&__proto__=y&constructor%5Bprototype%5D%5Bx%5D=1&a[]=2&A=3'
    const values = readParameters(parameters, encoded)
    expect(values).toEqual({ a: 'x', b: undefined, c: 7 })
    expect(Object.getPrototypeOf(values)).toBe(Object.prototype)
    expect(({} as { x?: unknown }).x).toBeUndefined()
  })
})

/** Whether the work takes less processor time than that, at least once in five times: the machine may be busy. */
function takesLessThan(milliseconds: number, work: () => void): boolean {
  const isShort = () => {
    const before = process.cpuUsage()
    work()
    const { user, system } = process.cpuUsage(before)
    return user + system < milliseconds * 1000
  }
  return [1, 2, 3, 4, 5].some(isShort)
}

describe('64 KiB of anything is read in an instant', () => {
  const size = 64 * 1024
  const units = [
    'a',
    '.',
    'a.',
    '@',
    'a@',
    '-',
    'a-',
    '%41',
    '+',
    '&',
    '=',
    'a=&',
    '0',
    ' ',
    'é',
    ',',
  ]
  const inputs = units.map((unit) => unit.repeat(size / unit.length))
  const { rid, userRef, email, personName, tag, message, tags } = fields
  const { flag, seconds, lifetime, page, pagesize } = fields
  const kinds: Record<string, Kind> = {
    ...{ rid, userRef, email, personName, tag, message, tags },
    ...{ flag, seconds, lifetime, page, pagesize, fileName: fileNameField },
  }

  it.each(Object.entries(kinds))('by %s', (_, kind) => {
    for (const input of inputs.flatMap((one) => [one, `x@${one}`, `${one}!`, `1${one}`])) {
      expect(takesLessThan(50, () => kind.read(input))).toBe(true)
    }
  })
  it('by the form decoder', () => {
    for (const input of inputs.flatMap((one) => [`p=${one}`, one, `${one}%`])) {
      expect(takesLessThan(50, () => refusalOf(input))).toBe(true)
    }
  })
})
