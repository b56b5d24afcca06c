import { expect, it } from 'vitest'
import { describeDetails, describeOrigin } from './details.ts'

const at = (day: number) => new Date(2027, 2, day, 9).getTime() / 1000

it.each([
  [{ refund: 'r1', amount: 199, currency: 'EUR' }, 'amount: 1.99 EUR, refund: r1'],
  [{ amount: 500, currency: 'JPY' }, 'amount: 500 JPY'],
  [{ from: at(3), to: at(4) }, 'from: 3 Mar 2027, 09:00, to: 4 Mar 2027, 09:00'],
  [{ rid: 'news', expires: at(3) }, 'resource: news, expires: 3 Mar 2027, 09:00'],
  [{ key_id: 'k', overlap: 86_400 }, 'key: k, old key valid for: 24 hours'],
  [{ overlap: 90 }, 'old key valid for: 90 seconds'],
  [{ file: 'a.pdf', size: 3_400_000 }, 'file: a.pdf, size: 3.4 MB'],
  [{ refund: false }, 'refund: no'],
  [{ changed: 'name' }, 'changed: name'],
  [
    { changed: 'grace_days tax_line some_thing' },
    'changed: days of grace, tax line and some thing',
  ],
  [{ changed: '' }, 'changed: nothing'],
])('is described for people: %j', (details, told) =>
  expect(describeDetails({ params: { environment: 'sandbox', aid: 'a' }, details })).toBe(told),
)

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

it.each([
  [
    { address: '203.0.113.7', agent: FIREFOX, session_id: 'Zx1' },
    'from: 203.0.113.7, with: Firefox on Linux, session: Zx1',
  ],
  [
    { address: '203.0.113.7', agent: 'cms/1.0', session_id: null },
    'from: 203.0.113.7, with: cms/1.0',
  ],
  [{ address: null, agent: null, session_id: null }, ''],
  [{ address: '203.0.113.7', agent: '', session_id: null }, 'from: 203.0.113.7'],
])('says from where: %#', (origin, told) => expect(describeOrigin(origin)).toBe(told))
