import type { Db } from '../../../db/database.ts'
import type { NoteTable, Seconds } from '../../../db/tables.ts'
import { searchPayments } from '../../../domain/payments/payments.ts'
import { type PersonPage, readPersonPage } from '../../../domain/people/page.ts'
import { resendAddressOf } from '../../../domain/people/resend.ts'
import type { TimelineEvent } from '../../../domain/people/timeline.ts'
import { findResourceNames, findResources } from '../../../domain/resources/resources.ts'
import { searchSubscriptions } from '../../../domain/subscriptions/search.ts'
import { findAddressesByUid } from '../../../domain/users/buyer.ts'
import type { UserRow } from '../../../domain/users/users.ts'
import { endOrNull } from '../../../records/end.ts'
import { mailItem } from '../../../records/mail.ts'
import { sourceItem } from '../../../records/source.ts'
import { userItem } from '../../../records/user.ts'
import type { AccessItem } from '../access/schemas.ts'
import { toAccessItems } from '../access/view.ts'
import { toPaymentItems, toSubscriptionItems } from '../payments/view.ts'
import type {
  NoteItem,
  PersonDetails,
  PersonItem,
  Reading,
  RefusedCheckItem,
  TimelineItem,
} from './schemas.ts'

export function toPersonItem(user: UserRow): PersonItem {
  return userItem(user)
}

/** The page shows this many; the full list of payments has the rest. */
const MOST = { offset: 0, limit: 200 }

export async function toPersonDetails(
  db: Db,
  aid: string,
  uid: string,
  now: Seconds,
): Promise<PersonDetails> {
  const page = await readPersonPage(db, aid, uid, now)
  const records = page.access.map(({ row }) => row)
  const items = await toAccessItems(db, aid, records, now)
  const subscriptions = await searchSubscriptions(db, { aid, uid }, MOST)
  const payments = await searchPayments(db, { aid, uid }, MOST)
  const addresses = await findAddressesByUid(db, aid, [uid])
  return {
    person: {
      ...toPersonItem(page.user),
      refs: page.references,
      aliases: page.aliases,
      former_addresses: page.formerAddresses,
      merged_into: page.mergedInto ?? null,
    },
    reading: await toReadings(db, aid, page, items),
    access: items.map((item, i) => ({
      ...item,
      sources: (page.access[i]?.sources ?? []).map(sourceItem),
    })),
    subscriptions: await toSubscriptionItems(db, aid, subscriptions.rows),
    payments: await toPaymentItems(db, aid, payments.rows),
    mails: page.mails.map((row) => {
      const { id, kind, to, status, last_error, created_at, sent_at } = mailItem(row, 0)
      const [resource, resend_to] = [resourceNameIn(row), resendAddressOf(row, addresses)]
      return { id, kind, resource, to, resend_to, status, last_error, created_at, sent_at }
    }),
    downloads: page.deliveries.map(({ id, rid, at, answers, bytes, outcome }) => ({
      ...{ id, rid, at, answers, bytes, outcome },
    })),
    notes: page.notes.map(toNoteItem),
    refused_checks: await toRefusedCheckItems(db, aid, page.refusedChecks),
  }
}

async function toRefusedCheckItems(
  db: Db,
  aid: string,
  checks: PersonPage['refusedChecks'],
): Promise<RefusedCheckItem[]> {
  const names = await findResourceNames(
    db,
    aid,
    checks.flatMap(({ rid, via }) => (via === null ? [rid] : [rid, via])),
  )
  return checks.map(({ aid: _, uid: __, via, ...check }) => ({
    ...check,
    resource_name: names.get(check.rid) ?? '',
    via_name: via === null ? null : (names.get(via) ?? via),
  }))
}

export function toNoteItem({ aid: _, uid: __, ...note }: NoteTable): NoteItem {
  return note
}

async function toReadings(
  db: Db,
  aid: string,
  { decisions, isArchived }: PersonPage,
  items: readonly AccessItem[],
): Promise<Reading[]> {
  const rids = decisions.flatMap(({ rid, via }) => [rid, via ?? rid])
  const resources = await findResources(db, aid, [...new Set(rids)])
  const names = new Map(resources.map(({ rid, name }) => [rid, name]))
  return decisions.map(({ rid, granted, code, via, ...rest }) => {
    const own = items.filter((item) => item.rid === (via ?? rid))
    const record = own.find(({ revoked }) => revoked === null) ?? own[0]
    return {
      rid,
      resource_name: names.get(rid) ?? rid,
      access: granted && !isArchived,
      code: isArchived ? 'application_archived' : code,
      via: via ?? null,
      pass_name: via === undefined ? null : (names.get(via) ?? via),
      since: ('since' in rest && rest.since) || null,
      expires: record?.expires ?? null,
    }
  })
}

/** The name of the resource as it is in the mail; empty for the mails of an erased person, and those about the person. */
function resourceNameIn({ payload }: { payload: string }): string {
  const { resource } = JSON.parse(payload) as { resource?: unknown }
  return typeof resource === 'string' ? resource : ''
}

const BLANK = {
  rid: null,
  access_id: null,
  payment_id: null,
  mail_id: null,
  about: null,
  actor: null,
  money: null,
  expires_before: null,
  expires: null,
  steps: [],
}

/** Converts one event to a line of the timeline. */
export function toTimelineItem(one: TimelineEvent): TimelineItem {
  const base = { ...BLANK, at: one.at, kind: one.kind }
  switch (one.kind) {
    case 'change': {
      const { action, actor, rid, access_id, before, after } = one.row
      const ends = { expires_before: endIn(before), expires: endIn(after) }
      return { ...base, what: action, actor, rid, access_id, ...ends }
    }
    case 'expired':
      return { ...base, what: 'expired', rid: one.row.rid, access_id: one.row.id }
    case 'payment': {
      const { id, rid, access_id, amount, currency, status } = one.row
      return { ...base, what: status, rid, access_id, payment_id: id, money: { amount, currency } }
    }
    case 'refund': {
      const { payment_id, amount, currency, status, actor } = one.row
      const money = { amount, currency }
      const steps = one.steps.map(toTimelineItem)
      return { ...base, what: status, rid: one.rid, payment_id, actor, money, steps }
    }
    case 'mail':
      return {
        ...base,
        what: `${one.row.kind} ${one.row.status}`,
        mail_id: one.row.id,
        about: resourceNameIn(one.row) || null,
      }
    case 'download':
      return { ...base, what: one.row.outcome, rid: one.row.rid }
  }
}

function endIn(facts: string | null): Seconds | null {
  const { ends } = JSON.parse(facts ?? '{}') as { ends?: unknown }
  return typeof ends === 'number' ? endOrNull(ends) : null
}
