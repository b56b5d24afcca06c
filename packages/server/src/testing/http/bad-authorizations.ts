import fc from 'fast-check'
import { hmac, requestBytes } from './raw-http.ts'
import { type BadRequest, goodCalls, splice, type Victim } from './victim.ts'

/** Changes a correct header value. Spaces added at either end don't count as a change: HTTP says that they are not part
 * of the value. */
function mutatedValue(right: string): fc.Arbitrary<string> {
  const unit = fc.constantFrom(...'ABab09-_+/=:., %\t"', '\x80', '\xff', 'é')
  return fc
    .tuple(fc.nat(), fc.nat(3), fc.string({ unit, maxLength: 3 }), fc.nat(9))
    .map(
      ([at, removed, inserted, way]) => mutations(right, splice(right, at, removed, inserted))[way],
    )
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

/** HTTP allows spaces around a value, so only NUL, CR or LF would break the header. */
const asHeader = (value: string) =>
  `Authorization: ${Buffer.from(value, 'utf8').toString('latin1')}`

export function badAuthorization(victim: Victim): fc.Arbitrary<BadRequest> {
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
