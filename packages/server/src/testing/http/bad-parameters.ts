import fc from 'fast-check'
import { signedBytes } from './raw-http.ts'
import type { BadRequest, Victim } from './victim.ts'

/** Escapes that are not valid UTF-8, or characters that no parameter may have. */
const unreadable = fc.constantFrom(
  '%',
  '%zz',
  '%1',
  'a%',
  '%ff',
  '%c3',
  '%c0%80',
  '%ed%a0%80',
  '%f8',
  '%00',
  '%07',
  '%7f',
  '%c2%85',
)
/** Anything but a Unix time. */
const notWhole = fc.oneof(
  fc
    .double()
    .map(String)
    .filter((text) => !/^-?\d+$/.test(text)),
  fc.constantFrom(
    '1e3',
    '0x10',
    '12abc',
    'NaN',
    'Infinity',
    '+1',
    '%201',
    '1_000',
    '١',
    '--1',
    '-1',
    '1.0',
  ),
  fc.bigInt({ min: 253402300800n, max: 10n ** 400n }).map(String),
)
const notFlag = fc.constantFrom(
  'yes',
  'on',
  '2',
  '-1',
  'constructor',
  '__proto__',
  'toString',
  'null',
  'tru',
  '01',
)
const notEmail = fc.constantFrom(
  'a',
  'a@',
  '@b',
  'a@b@c',
  'a b@c.d',
  'a@b..c',
  '.a@b.c',
  'a.@b.c',
  'a@-b.c',
  'a,b@c.d',
  '%22a%22@b.c',
  'a@[1.2.3.4]',
  'A%20<a@b.c>',
  `${'a'.repeat(250)}@b.cd`,
)
const name = fc.constantFrom('x', 'rid', 'message', 'user_ref', '__proto__')

/** Targets with a missing or invalid parameter. */
function badTargets({ rid, userRef, email }: Victim): fc.Arbitrary<string> {
  const grant = `/r2/access/grant?rid=${rid}&email=${email}`
  const get = `/r2/access?rid=${rid}&user_ref=${userRef}`
  return fc.oneof(
    fc.tuple(name, unreadable).map(([n, v]) => `${grant.replace(`rid=${rid}`, 'q=1')}&${n}=${v}`),
    fc.tuple(unreadable).map(([v]) => `${grant}&${v}=1`),
    notWhole.map((v) => `${grant}&expiration=${encodeURIComponent(v)}`),
    notFlag.map((v) => `${grant}&suppress_email=${v}`),
    notEmail.map((v) => `/r2/access/grant?rid=${rid}&email=${v}`),
    fc.constantFrom('rid', '%72id', 'email', 'e%6Dail').map((n) => `${grant}&${n}=x`),
    fc.constantFrom(
      `/r2/access/grant?rid=${rid}`,
      `/r2/access/grant?email=${email}`,
      '/r2/access/grant',
      `${grant.replace(rid, '')}`,
      `${grant.replace(rid, 'a%20b')}`,
      `${grant.replace(rid, 'r'.repeat(256))}`,
    ),
    fc.constantFrom('', 'a,,b', ',', 'a%0A', 'x'.repeat(101)).map((v) => `${grant}&tags=a,${v}`),
    fc.nat(3).map((n) => `${grant}&message=${'m'.repeat(10_001 + n)}`),
    fc.constantFrom('rid', 'user_ref').map((n) => get.replace(new RegExp(`${n}=[^&]*`), 'y=1')),
    fc
      .constantFrom('page=-1', 'pagesize=0', 'pagesize=x', 'page=1.5', 'tag=a,b', 'email=x')
      .map((v) => `/r2/access/search?${v}`),
  )
}

/** A correctly signed request with a missing or invalid parameter. */
export function badParameter(victim: Victim): fc.Arbitrary<BadRequest> {
  return badTargets(victim).map((target) => ({
    kind: 'parameter',
    bytes: signedBytes(victim, {
      method: target.startsWith('/r2/access/grant') ? 'POST' : 'GET',
      target,
      prefix: victim.prefix,
    }),
    statuses: [400],
  }))
}
