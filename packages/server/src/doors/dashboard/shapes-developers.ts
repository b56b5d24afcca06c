import { Type } from 'typebox'
import type { Millis } from '../../db/tables.ts'
import { paging } from './shapes.ts'

export const RotateBody = Type.Object({
  /** Seconds that the old key goes on for; with none it is over at once. */
  overlap: Type.Integer({ minimum: 0, maximum: 90 * 86_400 }),
})

export interface ShownKey {
  id: string
  created_at: Millis
  /** When it ends; null if nobody has said so. */
  dies_at: Millis | null
  /** The first moment of the last day on which it has signed something; null if it never has. */
  used_at: Millis | null
}

/** Shown when it is made, and to whoever asks for it. */
export interface RevealedKey {
  id: string
  private_key: string
}

export const ConsoleBody = Type.Object({
  method: Type.Enum(['GET', 'POST']),
  /** From `/r2/` on, without a query. */
  path: Type.String({ maxLength: 1_000 }),
  parameters: Type.Optional(
    Type.Record(Type.String({ maxLength: 100 }), Type.String({ maxLength: 20_000 })),
  ),
  /** With the whole signature in the answer: with it, anybody can send the request again. */
  reveal: Type.Optional(Type.Boolean()),
})

export interface ConsoleAnswer {
  signed_string: string
  authorization: string
  curl: string
  status: number
  headers: Record<string, string>
  body: string
  took_ms: number
}

export const RefusedQuery = Type.Object(paging)

export interface ShownRefusal {
  id: string
  at: Millis
  method: string
  route: string
  status: number
  reason: string
  parameter: string | null
  key_id: string | null
}
