import type { Millis, Seconds } from '../db/tables.ts'
import type { Delivery } from '../outbox/outbox.ts'

interface Kept {
  id?: string
  uid?: string
  created?: Seconds
  otherRefs?: readonly string[]
  /** Those of the user's names that are no references; `userRef` can be one of them. */
  aliases?: readonly string[]
}

/** What a grant asks for. */
export interface GrantWish {
  aid: string
  rid: string
  email: string
  userRef?: string | undefined
  /** FOREVER for access without an end. */
  ends: Seconds
  message?: string | undefined
  firstName?: string | undefined
  lastName?: string | undefined
  /** Replace the old ones when given. */
  tags?: readonly string[] | undefined
  /** What becomes of the notification; undefined for none. */
  notify?: Delivery | undefined
  actor: string
  /** For records that come from elsewhere and keep what they had there. */
  keep?: Kept | undefined
}

export interface Times {
  now: Seconds
  wall: Millis
}
