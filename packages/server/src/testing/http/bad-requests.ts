import fc from 'fast-check'
import { hmac, requestBytes, signedBytes } from './raw-http.ts'

/** A request that must be refused, with the statuses that are allowed. */
export interface BadRequest {
  kind: string
  bytes: string
  statuses: readonly number[]
}

/** The application that signs, and its data that must not change. */
export interface Victim {
  aid: string
  privateKey: string
  /** The path before `/r2/`. */
  prefix: string
  rid: string
  userRef: string
  email: string
}

const FORM = 'Content-Type: application/x-www-form-urlencoded'
const printable = fc.string({ unit: fc.integer({ min: 33, max: 126 }).map(toCharacter) })
function toCharacter(code: number): string {
  return String.fromCharCode(code)
}

const put = (text: string, at: number, removed: number, inserted: string) => {
  const start = at % (text.length + 1)
  return text.slice(0, start) + inserted + text.slice(start + removed)
}

/** Changes a correct header value. Spaces added at either end don't count as a change: HTTP says that they are not part
 * of the value. */
function mutatedValue(right: string): fc.Arbitrary<string> {
  const unit = fc.constantFrom(...'ABab09-_+/=:., %\t"', '\x80', '\xff', 'é')
  return fc
    .tuple(fc.nat(), fc.nat(3), fc.string({ unit, maxLength: 3 }), fc.nat(9))
    .map(([at, removed, inserted, way]) => mutations(right, put(right, at, removed, inserted))[way])
    .map((text) => text ?? '')
    .filter((text) => ![right, `${right}=`].includes(text.trim()))
}

function mutations(right: string, edited: string): string[] {
  const [aid = '', signature = ''] = right.split(':')
  return [
    edited,
    edited,
    edited,
    edited,
    `${aid.toLowerCase()}:${signature}`,
    `${aid}:${Buffer.from(signature, 'base64url').toString('base64')}`.replace(/=$/, '=='),
    `${aid}:${signature.slice(0, 42)}${String.fromCharCode(signature.charCodeAt(42) + 1)}`,
    `${aid}:${edited.slice(11)}`,
    `${edited.slice(0, 10)}:${signature}`,
    `${aid}:${signature}${'='.repeat(2 + (edited.length % 1000))}`,
  ]
}

/** Anything but exactly one correct `Authorization` header. */
export function mutatedAuthorizations(right: string): fc.Arbitrary<string[]> {
  const one = mutatedValue(right)
  return fc.oneof(
    { weight: 8, arbitrary: one.map((value) => [value]) },
    { weight: 1, arbitrary: one.map((value) => [right, value]) },
    { weight: 1, arbitrary: one.map((value) => [value, right]) },
    {
      weight: 1,
      arbitrary: fc.constantFrom<string[]>([], [right, right], [''], ['x'.repeat(10_000)]),
    },
  )
}

/** Requests that would be answered with 200; three of them change data. */
function goodCalls({
  rid,
  userRef,
  email,
}: Victim): fc.Arbitrary<{ method: string; target: string }> {
  return fc.constantFrom(
    { method: 'GET', target: `/r2/access?rid=${rid}&user_ref=${userRef}` },
    { method: 'GET', target: '/r2/access/search' },
    { method: 'POST', target: `/r2/access/grant?rid=${rid}&email=new@example.com` },
    { method: 'POST', target: `/r2/access/grant?rid=${rid}&email=${email}&expiration=1` },
    { method: 'POST', target: `/r2/access/revoke?rid=${rid}&user_ref=${userRef}` },
  )
}

/** HTTP allows spaces around a value, so only NUL, CR or LF would break the header. */
const asHeader = (value: string) =>
  `Authorization: ${Buffer.from(value, 'utf8').toString('latin1')}`

function badAuthorization(victim: Victim): fc.Arbitrary<BadRequest> {
  return goodCalls(victim).chain(({ method, target }) => {
    const right = `${victim.aid}:${hmac(victim.privateKey, `${method} ${target}`)}`
    return mutatedAuthorizations(right).map((values) => ({
      kind: 'authorization',
      bytes: requestBytes({
        method,
        target: victim.prefix + target,
        headers: values.map(asHeader),
      }),
      statuses: [400, 401],
    }))
  })
}

/** A request signed for one target and sent to another. */
function badTarget(victim: Victim): fc.Arbitrary<BadRequest> {
  const piece = fc.constantFrom(
    ...['&', '=', '%', '/', '?', '.', ';', '+', '%20', '%2F', '%00', '&rid=other', '&user_ref=eve'],
    ...[
      '&email=eve@example.com',
      '&suppress_email=1',
      '//',
      '/..',
      '#',
      '\\',
      '&show_expired=true',
    ],
  )
  return fc
    .tuple(goodCalls(victim), fc.nat(), fc.nat(4), fc.oneof(piece, printable))
    .map(([{ method, target }, at, removed, inserted]) => ({
      method,
      target,
      sent: put(target, at, removed, inserted),
    }))
    .filter(({ target, sent }) => sent !== target)
    .map(({ method, target, sent }) => ({
      kind: 'target',
      bytes: signedBytes(victim, {
        method,
        target: sent,
        prefix: victim.prefix,
        signed: `${method} ${target}`,
      }),
      statuses: [400, 401, 402, 404],
    }))
}

/** A correctly signed request for a path that is not ours. */
function strangePath(victim: Victim): fc.Arbitrary<BadRequest> {
  const segment = fc.oneof(
    fc.constantFrom('r2', 'access', 'search', 'grant', 'user', 'sandbox', '.', '..', '', '%2e%2e'),
    fc.constantFrom('acces%73', '%72%32', 'r2;x=1', 'R2', 'access%2Fgrant', '\\', '@', '~root'),
    fc.string({ unit: fc.constantFrom(...'abz019%-._~!$&()*+,;=:@'), maxLength: 6 }),
  )
  const known = new Set([
    '/r2/access',
    '/r2/access/search',
    '/r2/access/grant',
    '/r2/access/revoke',
  ])
  return fc
    .tuple(
      fc.array(segment, { minLength: 1, maxLength: 6 }),
      fc.constantFrom('', `rid=${victim.rid}`),
    )
    .map(([segments, query]) => ({ path: `/${segments.join('/')}`, query }))
    .filter(({ path }) => !known.has(path) && !/^\/sandbox\/r2\/|^\/r2\/user\//.test(path))
    .map(({ path, query }) => ({
      kind: 'path',
      bytes: signedBytes(victim, { target: `${path}?${query}`, prefix: victim.prefix }),
      statuses: [400, 404],
    }))
}

function strangeMethod(victim: Victim): fc.Arbitrary<BadRequest> {
  const methods = [
    'PUT',
    'PATCH',
    'DELETE',
    'OPTIONS',
    'TRACE',
    'PROPFIND',
    'LOCK',
    'PURGE',
    'SEARCH',
  ]
  const overrides = ['X-HTTP-Method-Override', 'X-HTTP-Method', 'X-Method-Override']
  return fc
    .tuple(goodCalls(victim), fc.constantFrom(...methods), fc.constantFrom(...overrides))
    .map(([{ method, target }, other, override]) => ({
      kind: 'method',
      bytes: signedBytes(victim, {
        method: other,
        target,
        prefix: victim.prefix,
        headers: [`${override}: ${method}`],
      }),
      statuses: [402],
    }))
}

/** A correctly signed request with a missing or invalid parameter. */
function badParameter(victim: Victim): fc.Arbitrary<BadRequest> {
  const { rid, userRef, email } = victim
  const grant = `/r2/access/grant?rid=${rid}&email=${email}`
  const get = `/r2/access?rid=${rid}&user_ref=${userRef}`
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
  return fc
    .oneof(
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
    .map((target) => ({
      kind: 'parameter',
      bytes: signedBytes(victim, {
        method: target.startsWith('/r2/access/grant') ? 'POST' : 'GET',
        target,
        prefix: victim.prefix,
      }),
      statuses: [400],
    }))
}

function whole(victim: Victim, method: string, target: string, type: string, body: string): string {
  return signedBytes(victim, { method, target, prefix: victim.prefix, headers: [type], body })
}

function inChunks(
  victim: Victim,
  method: string,
  target: string,
  type: string,
  body: string,
): string {
  const headers = [type, 'Transfer-Encoding: chunked']
  const head = signedBytes(victim, { method, target, prefix: victim.prefix, headers })
  return `${head}${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`
}

/** A request whose body is not covered by the signature or is not a form. */
function badBody(victim: Victim): fc.Arbitrary<BadRequest> {
  const types = [
    FORM,
    'Content-Type: application/json',
    'Content-Type: text/plain',
    'X-None: 1',
    `${FORM}; charset=utf-16`,
  ]
  const bodies = fc.oneof(
    fc.constantFrom(
      'suppress_email=1',
      '&',
      'rid=other',
      '{"rid":"other"}',
      '{"__proto__":{"x":1}}',
      '=',
      '\0',
    ),
    fc
      .uint8Array({ minLength: 1, maxLength: 60 })
      .map((bytes) => Buffer.from(bytes).toString('latin1')),
  )
  return fc
    .tuple(
      goodCalls(victim).filter(({ method }) => method === 'POST'),
      fc.constantFrom(...types),
      bodies,
      fc.boolean(),
    )
    .map(([{ method, target }, type, body, chunked]) => ({
      kind: 'body',
      bytes: chunked
        ? inChunks(victim, method, target, type, body)
        : whole(victim, method, target, type, body),
      statuses: [400, 401],
    }))
}

/** A correctly signed request with malformed HTTP headers. */
function badFrame(victim: Victim): fc.Arbitrary<BadRequest> {
  const headers = fc.constantFrom(
    ['Host: other.test'],
    ['Transfer-Encoding: chunked', 'Content-Length: 3'],
    ['Transfer-Encoding: gzip'],
    ['Transfer-Encoding: chunked, identity'],
    ['Content-Length: 1', 'Content-Length: 2'],
    ['Content-Length: -1'],
    ['Content-Length: 1e3'],
    ['Content-Length: 99999999999999999999999'],
    ['X-Folded: a', ' b'],
    ['X Space: a'],
    ['X-Nul: a\0b'],
    ['X-Bare: a\rb'],
    ['X-Colon : a'],
    [': a'],
    ['no colon'],
    ['Expect: the-unexpected'],
    [`X-Long: ${'x'.repeat(200_000)}`],
  )
  return fc.tuple(goodCalls(victim), headers).map(([{ method, target }, broken]) => ({
    kind: 'frame',
    bytes: signedBytes(victim, { method, target, prefix: victim.prefix, headers: broken }),
    statuses: [400],
  }))
}

export function badRequests(victim: Victim): fc.Arbitrary<BadRequest> {
  return fc.oneof(
    { weight: 5, arbitrary: badAuthorization(victim) },
    { weight: 5, arbitrary: badTarget(victim) },
    { weight: 4, arbitrary: strangePath(victim) },
    { weight: 1, arbitrary: strangeMethod(victim) },
    { weight: 5, arbitrary: badParameter(victim) },
    { weight: 3, arbitrary: badBody(victim) },
    { weight: 1, arbitrary: badFrame(victim) },
  )
}
