import type { Millis, Seconds } from '../../../db/tables.ts'
import type { TraceContext } from '../../../tracing/trace-context.ts'
import type { Delivery } from '../../mail/outbox.ts'

interface ImportedIds {
  id?: string
  uid?: string
  created?: Seconds
  otherRefs?: readonly string[]
  /** Names of the user that are aliases, not references. `userRef` can be one of them. */
  aliases?: readonly string[]
  formerAddresses?: readonly string[]
}

/** The input of a grant. */
export interface Grant {
  aid: string
  rid: string
  email: string
  userRef?: string | undefined
  /** FOREVER for access without an end date. */
  ends: Seconds
  message?: string | undefined
  firstName?: string | undefined
  lastName?: string | undefined
  /** Replace the existing tags if given. */
  tags?: readonly string[] | undefined
  /** Initial status of the notification mail; undefined sends none. */
  notify?: Delivery | undefined
  /** Set for one of many grants, as in an import: other mails are sent before its notification. */
  bulk?: boolean | undefined
  actor: string
  /** The request that asks for it, if traces are passed on: one transaction may serve several. */
  trace?: TraceContext | undefined
  /** Adds no grant to access that already ends then, by a subscription for example. A list of who has access can then be
   * imported without giving away what was sold. */
  skipIfSameEnd?: boolean | undefined
  /** Values that an imported record keeps from its origin. */
  preserve?: ImportedIds | undefined
}

export interface Clocks {
  now: Seconds
  realTime: Millis
}
