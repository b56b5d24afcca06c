import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isCurrency } from './domain/apps/currency.ts'
import { splitDays } from './domain/figures/ranges.ts'
import { oneLine, subjectLine } from './domain/mail/plain-text.ts'
import { fromStripeAmount, toStripeAmount } from './domain/payments/stripe/amounts.ts'
import { addPeriods } from './domain/resources/periods.ts'
import { emailKey } from './domain/users/email.ts'
import { readRange } from './http/downloads/ranges.ts'
import { classOf } from './network-addresses.ts'

const YEAR_2100 = 4_102_444_800
const time = fc.nat(YEAR_2100)
const count = fc.integer({ min: 1, max: 100 })
const currencies = Intl.supportedValuesOf('currency').filter(isCurrency)
const anyText = fc.string({ unit: 'binary' })

const check = <T extends unknown[]>(property: fc.IProperty<T>) =>
  fc.assert(property, { numRuns: 1_000 })

describe('periods', () => {
  it('grow, and keep the time of day and the day of the month, or its last', () => {
    const unit = fc.constantFrom('1 day', '2 weeks', '1 month', '3 months', '1 year')
    check(
      fc.property(time, unit, count, (from, period, n) => {
        const [end, next] = [addPeriods(from, period, n), addPeriods(from, period, n + 1)]
        expect(from < end && end < next).toBe(true)
        expect(end % 86_400).toBe(from % 86_400)
        if (!/month|year/.test(period)) return
        const [begun, ended] = [new Date(from * 1000), new Date(end * 1000)]
        const isLast = new Date((end + 86_400) * 1000).getUTCDate() === 1
        expect(isLast || begun.getUTCDate() === ended.getUTCDate()).toBe(true)
      }),
    )
  })

  it('of twelve months are a year, and of seven days a week', () => {
    check(
      fc.property(time, count, (from, n) => {
        expect(addPeriods(from, '1 month', 12 * n)).toBe(addPeriods(from, '1 year', n))
        expect(addPeriods(from, '1 day', 7 * n)).toBe(addPeriods(from, '1 week', n))
      }),
    )
  })
})

it('amounts in the units of Stripe are read back as they were, in every currency', () => {
  check(
    fc.property(fc.nat(), fc.constantFrom(...currencies), (amount, currency) => {
      const sent = toStripeAmount({ amount, currency })
      if (sent) expect(fromStripeAmount(sent)).toEqual({ amount, currency })
    }),
  )
})

it('the parts of a range of days touch and cover it', () => {
  const day = fc.nat(20_000).map((n) => new Date(n * 86_400_000).toISOString().slice(0, 10))
  const unit = fc.constantFrom('day', 'week', 'month')
  const after = (one: string) => new Date(Date.parse(one) + 86_400_000).toISOString().slice(0, 10)
  check(
    fc.property(day, fc.nat(800), unit, (first, more, by) => {
      const last = new Date(Date.parse(first) + more * 86_400_000).toISOString().slice(0, 10)
      const parts = splitDays({ first, last }, by)
      expect([parts[0]?.first, parts.at(-1)?.last]).toEqual([first, last])
      const begins = parts.slice(1).map((part) => part.first)
      expect(begins).toEqual(parts.slice(0, -1).map((part) => after(part.last)))
    }),
  )
})

it('ranges of a file lie within it, and repeat no byte', () => {
  const number = fc.oneof(fc.nat(300), fc.constant(''), fc.constant('99999999999999999999'))
  const spec = fc.tuple(number, number).map(([from, to]) => `${from}-${to}`)
  const header = fc.array(spec, { maxLength: 8 }).map((all) => `bytes=${all.join(', ')}`)
  check(
    fc.property(header, fc.nat(300), (asked, size) => {
      const spans = readRange(asked, size) ?? []
      const bytes = spans.flatMap(({ first, last }) =>
        Array.from({ length: last - first + 1 }, (_, n) => first + n),
      )
      expect(bytes.every((at) => at >= 0 && at < size)).toBe(true)
      expect(new Set(bytes).size).toBe(bytes.length)
    }),
  )
})

describe('what is made of any text', () => {
  it('is the same if it is made again', () => {
    check(
      fc.property(anyText, (text) => {
        expect(emailKey(emailKey(text))).toBe(emailKey(text))
        expect(oneLine(oneLine(text))).toBe(oneLine(text))
      }),
    )
  })

  it('for a header has no control character', () => {
    check(
      fc.property(anyText, (text) => {
        expect(subjectLine(text)).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]/u)
      }),
    )
  })
})

it('an IPv4 address within IPv6 has the class of its own', () => {
  check(
    fc.property(fc.ipV4(), (address) => {
      expect(classOf(`::ffff:${address}`)).toBe(classOf(address))
      expect(classOf(`64:ff9b::${address}`)).toBe(classOf(address))
    }),
  )
})
