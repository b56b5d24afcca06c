import { describe, expect, it } from 'vitest'
import { addressSubject } from './login-throttle.ts'

describe('whose tries are counted together', () => {
  it.each([
    ['192.0.2.7', 'address 192.0.2.7'],
    ['::ffff:192.0.2.7', 'address 192.0.2.7'],
    ['::FFFF:192.0.2.8', 'address 192.0.2.8'],
    ['192.0.2.7:51234', 'address 192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', 'address 2001:db8:1:2::/64'],
    ['2001:db8::1', 'address 2001:db8:0:0::/64'],
    ['[2001:db8::1]:443', 'address 2001:db8:0:0::/64'],
    ['::1', 'address 0:0:0:0::/64'],
    ['x'.repeat(8_000), 'address unknown'],
    ['', 'address unknown'],
  ])('%s', (ip, subject) => expect(addressSubject(ip)).toBe(subject))
})
