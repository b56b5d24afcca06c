import { fail } from '../../errors.ts'
import { type Field, text } from '../../fields.ts'
import { email as emailKind } from '../users/email.ts'

const nameKind = text(100, 'The name of a member of the staff.')

function required(field: string, kind: Field<string>, typed: string): string {
  const trimmed = typed.trim()
  const result = trimmed === '' ? 'is missing' : kind.read(trimmed)
  if (typeof result === 'string') throw fail('invalid_parameter', `${field}: ${result}.`)
  return result.value
}

export const requireEmail = (typed: string) => required('email', emailKind, typed)
export const requireName = (typed: string) => required('name', nameKind, typed)
