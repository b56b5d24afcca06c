import fc from 'fast-check'

/** Two targets with the same meaning but different bytes. */
export interface Reencoding {
  signed: string
  sent: string
}

const value = fc.string({
  unit: fc.constantFrom(...'abcXYZ019-._~ +@/:éß日🔑%&=', '%'),
  minLength: 1,
  maxLength: 12,
})
const pairs = fc.tuple(
  fc.constantFrom('rid', 'user_ref', 'email', 'tag'),
  value,
  fc.constantFrom('rid2', 'x', 'utm'),
  value,
)

/** Returns one of the ways to encode a byte, chosen by a number. */
function spelling(byte: number, choice: number): string {
  const character = String.fromCharCode(byte)
  const hex = byte.toString(16).padStart(2, '0')
  const ways = [`%${hex.toUpperCase()}`, `%${hex}`]
  if (/[A-Za-z0-9._~@/:-]/.test(character)) ways.push(character)
  if (character === ' ') ways.push('+')
  return ways[choice % ways.length] as string
}

function spell(text: string, choices: readonly number[]): string {
  return [...Buffer.from(text, 'utf8')]
    .map((byte, i) => spelling(byte, choices[i % choices.length] as number))
    .join('')
}

const choices = fc.array(fc.nat(11), { minLength: 1, maxLength: 24 })

/** Pairs that encode at least one byte differently and decode to the same parameters. */
export const reencodings: fc.Arbitrary<Reencoding> = fc
  .tuple(pairs, choices, choices)
  .map(([[name, text, otherName, otherText], one, other]) => {
    const write = (how: readonly number[]) =>
      `/r2/access/search?${spell(name, how)}=${spell(text, how)}&${spell(otherName, how)}=${spell(otherText, how)}`
    return { signed: write(one), sent: write(other) }
  })
  .filter(({ signed, sent }) => signed !== sent)
