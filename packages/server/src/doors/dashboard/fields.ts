import { fail } from '../../errors.ts'
import type { Kind } from '../../kinds.ts'

/** Reads a field by the rules of the API's parameter of the same kind; the app shows at it what is wrong. */
export function field<T>(name: string, text: string, kind: Pick<Kind<T>, 'read'>): T {
  const result = text === '' ? 'is empty' : kind.read(text)
  if (typeof result === 'string') throw fail('invalid_parameter', `${name}: ${result}.`)
  return result.value
}

/** The same for one that may be left out or left empty. */
export function optionalField<T>(
  name: string,
  text: string | undefined,
  kind: Pick<Kind<T>, 'read'>,
): T | undefined {
  return text === undefined || text === '' ? undefined : field(name, text, kind)
}
