import { FOREVER, type MailKind } from '../../db/tables.ts'
import { isCurrency } from '../apps/currency.ts'
import type { MailRow } from './outbox.ts'
import type { MailPayloads, Seller } from './payloads.ts'

/** A mail that can't be sent as it is, however often it is retried. */
export class Unsendable extends Error {}

/** The content of a mail, by its kind. */
export type Message = { [K in MailKind]: { kind: K; payload: MailPayloads[K] } }[MailKind]

type Check = (value: unknown) => boolean
type Checks<T> = Record<keyof T, Check>

const text: Check = (value) => typeof value === 'string'
const money: Check = (value) => Number.isSafeInteger(value) && (value as number) >= 0
const currency: Check = (value) => typeof value === 'string' && isCurrency(value)
const time: Check = (value) => money(value) && (value as number) <= FOREVER
const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value)
const all =
  <T>(checks: Checks<T>): Check =>
  (value) =>
    typeof value === 'object' &&
    value !== null &&
    Object.entries<Check>(checks).every(([name, check]) =>
      check((value as Record<string, unknown>)[name]),
    )

const seller = all<Seller>({ name: text, address: text, tax_line: text })
const common = { at: time, resource: text, first_name: text, amount: money, currency }

const isValid: Record<MailKind, Check> = {
  grant: all<MailPayloads['grant']>({
    ...{ rid: text, resource: text, url: text, message: text, first_name: text },
    ends: time,
  }),
  receipt: all<MailPayloads['receipt']>({
    ...common,
    ...{ payment: text, url: text, ends: time, seller },
    ...{ subscription: orNull(text), period: orNull(text), price: money },
  }),
  payment_failed: all<MailPayloads['payment_failed']>({
    ...common,
    ...{ subscription: text, failure: text, retry: orNull(time), ends: time },
  }),
  trial_ends: all<MailPayloads['trial_ends']>({
    ...common,
    ...{ subscription: text, period: text, ends: time },
  }),
  canceled: all<MailPayloads['canceled']>({ ...common, subscription: text, ends: time }),
  refunded: all<MailPayloads['refunded']>({
    ...common,
    ...{ payment: text, reason: orNull(text), seller },
  }),
  address_changed: all<MailPayloads['address_changed']>({
    ...{ at: time, first_name: text, other: text },
    role: (value) => value === 'removed' || value === 'added',
  }),
}

export function readMessage({ kind, payload }: Pick<MailRow, 'kind' | 'payload'>): Message {
  // A newer version may have written this row.
  if (!Object.hasOwn(isValid, kind)) throw new Unsendable('its kind is not known')
  let read: unknown
  try {
    read = JSON.parse(payload)
  } catch {
    throw new Unsendable('its content can’t be read')
  }
  if (!isValid[kind](read)) throw new Unsendable('its content is not complete')
  return { kind, payload: read } as Message
}
