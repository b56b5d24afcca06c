import { type Static, type TSchema, Type } from 'typebox'
import { Value } from 'typebox/value'
import { UnreadableObject } from '../provider-error.ts'

/** An object of a list. Other systems use the same Stripe account, so first only what tells whose it is is read. */
export interface ListedObject {
  id: string
  metadata: Readonly<Record<string, string>>
  /** Undefined if it names none, as the other two. */
  payment_intent: string | undefined
  client_reference_id: string | undefined
  created: number | undefined
  /** The whole object, for `readListed`. */
  whole: unknown
}

export const ListPage = Type.Object({ data: Type.Array(Type.Unknown()), has_more: Type.Boolean() })

const Identified = Type.Object({ id: Type.String({ minLength: 1 }) })

/** Returns undefined for an object without an id. */
export function toListed(whole: unknown): ListedObject | undefined {
  if (!Value.Check(Identified, whole)) return undefined
  const fields: Record<string, unknown> = whole
  const text = (name: string) => {
    const value = fields[name]
    return typeof value === 'string' ? value : undefined
  }
  return {
    id: whole.id,
    metadata: textsIn(fields.metadata),
    payment_intent: text('payment_intent'),
    client_reference_id: text('client_reference_id'),
    created: Number.isInteger(fields.created) ? (fields.created as number) : undefined,
    whole,
  }
}

const textsIn = (value: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(typeof value === 'object' && value !== null ? value : {}).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    ),
  )

/** Reads an object that is ours, or throws an `UnreadableObject`. */
export const readListed = <T extends TSchema>(schema: T, { whole }: ListedObject): Static<T> =>
  readObject(schema, whole)

/** Reads an object with an id, or throws an `UnreadableObject` that names the field which is in the way. */
export function readObject<T extends TSchema>(schema: T, value: unknown): Static<T> {
  if (Value.Check(schema, value)) return value as Static<T>
  const { id = 'an object' } = toListed(value) ?? {}
  throw new UnreadableObject(id, unreadableField(schema, value))
}

function unreadableField(schema: TSchema, value: unknown): string {
  const [error] = Value.Errors(schema, value)
  const [, field] = (error?.instancePath ?? '').split('/')
  const [missing] = error?.keyword === 'required' ? error.params.requiredProperties : []
  return [field || missing, 'content'].find((name) => /^[a-z_]{1,80}$/.test(name ?? '')) as string
}
