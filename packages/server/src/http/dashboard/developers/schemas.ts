import { Type } from 'typebox'
import type { Millis, RefusedCallTable } from '../../../db/tables.ts'
import { paging } from '../schemas.ts'

export const RotateBody = Type.Object({
  /** Seconds for which the old key stays valid; 0 ends it immediately. */
  overlap: Type.Integer({ minimum: 0, maximum: 90 * 86_400 }),
})

export interface KeyItem {
  id: string
  created_at: Millis
  /** When the key expires; null if no end is set. */
  dies_at: Millis | null
  /** The start of the last day on which the key signed a request; null if it never has. */
  used_at: Millis | null
}

/** Returned when a key is created, and when staff reveal it. */
export interface RevealedKey {
  id: string
  private_key: string
}

export const ConsoleBody = Type.Object({
  method: Type.Enum(['GET', 'POST']),
  /** Starts with `/r2/`, without a query string. */
  path: Type.String({ maxLength: 1_000 }),
  parameters: Type.Optional(
    Type.Record(Type.String({ maxLength: 100 }), Type.String({ maxLength: 20_000 })),
  ),
  /** Includes the full signature in the response, with which anyone can repeat the request. */
  reveal: Type.Optional(Type.Boolean()),
})

export interface ConsoleResponse {
  signed_string: string
  authorization: string
  curl: string
  status: number
  headers: Record<string, string>
  body: string
  took_ms: number
}

export const RefusedQuery = Type.Object(paging)

export type RefusedCallItem = Omit<RefusedCallTable, 'aid'>
