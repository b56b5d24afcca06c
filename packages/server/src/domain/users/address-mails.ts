import type { Trx } from '../../db/database.ts'
import type { Millis, Seconds } from '../../db/tables.ts'
import { newId } from '../../ids.ts'
import { type Delivery, enqueueMails, type NewMail } from '../mail/outbox.ts'
import { mailAddressOf } from './buyer.ts'
import type { UserRow } from './users.ts'

/** The way in which the reader is notified of a change of the address. */
export interface AddressNotice {
  delivery: Delivery
  realTime: Millis
}

/** The keys of the two mails, for the history of the change. */
interface AddressMailKeys {
  added: string
  /** Undefined if no address was known before. */
  removed: string | undefined
}

/** Queues a mail to the old address and to the new one. `user` is the user before the change. */
export async function enqueueAddressMails(
  trx: Trx,
  user: UserRow,
  added: string,
  { delivery, realTime }: AddressNotice,
  now: Seconds,
): Promise<AddressMailKeys> {
  const { aid, uid, first_name, link_number: linkNumber } = user
  const removed = mailAddressOf(user)
  const key = `address_changed:${newId()}`
  const mailTo = (role: 'added' | 'removed', recipient: string, other: string): NewMail => ({
    ...{
      key: `${key}:${role}`,
      aid,
      uid,
      kind: 'address_changed',
      recipient,
      linkNumber,
      delivery,
    },
    payload: { at: now, first_name, role, other },
  })
  const mails = [
    mailTo('added', added, removed === undefined ? '' : maskAddress(removed)),
    ...(removed === undefined ? [] : [mailTo('removed', removed, maskAddress(added))]),
  ]
  await enqueueMails(trx, mails, { now, realTime })
  return { added: `${key}:added`, removed: removed && `${key}:removed` }
}

/** `gina@mail.example` becomes `g…@m….example`: its owner recognizes it, and nobody else can write to it. */
export function maskAddress(address: string): string {
  const at = address.lastIndexOf('@')
  const [name, domain] = [address.slice(0, at), address.slice(at + 1)]
  const labels = domain.split('.')
  const top = labels.length > 1 ? `.${labels.at(-1)}` : ''
  return `${firstOf(name)}…@${firstOf(domain)}…${top}`
}

const firstOf = (text: string) => [...text][0] ?? ''
