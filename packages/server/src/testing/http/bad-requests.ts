import fc from 'fast-check'
import { badAuthorization } from './bad-authorizations.ts'
import { badParameter } from './bad-parameters.ts'
import { signedBytes } from './raw-http.ts'
import { type BadRequest, goodCalls, splice, type Victim } from './victim.ts'

const FORM = 'Content-Type: application/x-www-form-urlencoded'
const printable = fc.string({ unit: fc.integer({ min: 33, max: 126 }).map(toCharacter) })
function toCharacter(code: number): string {
  return String.fromCharCode(code)
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
      sent: splice(target, at, removed, inserted),
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
