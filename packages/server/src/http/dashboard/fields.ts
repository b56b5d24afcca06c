import { fail } from '../../errors.ts'
import type { Field } from '../../fields.ts'

/** Validates a field like the API parameter of the same kind; the app shows the error next to the field. */
export function field<T>(name: string, text: string, kind: Pick<Field<T>, 'read'>): T {
  const result = text === '' ? 'is empty' : kind.read(text)
  if (typeof result === 'string') throw fail('invalid_parameter', `${name}: ${result}.`)
  return result.value
}

/** Like `field`, for a field that may be omitted or empty. */
export function optionalField<T>(
  name: string,
  text: string | undefined,
  kind: Pick<Field<T>, 'read'>,
): T | undefined {
  return text === undefined || text === '' ? undefined : field(name, text, kind)
}
