import type { Db } from '../../../db/database.ts'
import { type Cursor, cursorOf } from '../../../db/queries/cursor.ts'
import type { PaymentStatus, Seconds, SubscriptionStatus } from '../../../db/tables.ts'
import { countLiveByUser, listAccessAfter, type StaffFilter } from '../../access/list-for-staff.ts'
import { accessStateOf } from '../../access/state.ts'
import { getApplication } from '../../apps/applications.ts'
import { listPaymentsAfter, type PaymentFilter } from '../../payments/payments.ts'
import { listResources } from '../../resources/resources.ts'
import { listSubscriptionsAfter, type SubscriptionFilter } from '../../subscriptions/search.ts'
import { listUsers, listUsersAfter, type PeopleFilter } from '../../users/find.ts'
import type { UserRow } from '../../users/users.ts'
import { ResourceNameIndex } from '../sheets/resources.ts'
import { type SheetCell, type SheetDelimiter, SheetWriter } from './sheet-writer.ts'

const PAGE = 1_000

export interface ExportInput {
  delimiter: SheetDelimiter
  now: Seconds
  onRows(count: number): void
}

/** The parts that every export needs: a writer of cells, and the names of resources. */
interface Sheet {
  writer: SheetWriter
  resources: ResourceNameIndex
}

/** One kind of export: a list in which each row is about a person. */
interface SheetKind<Row, Detail> {
  columns: readonly string[]
  listAfter: (after: Cursor | undefined) => Promise<readonly Row[]>
  /** Finds by uid what the cells need besides the rows of a page. */
  findDetails: (uids: readonly string[]) => Promise<ReadonlyMap<string, Detail>>
  cellsOf: (row: Row, detail: Detail | undefined, sheet: Sheet) => SheetCell[]
}

/** Writes a list page by page, so that memory stays small however long it is. */
async function* writeSheet<Row extends { uid: string }, Detail>(
  db: Db,
  aid: string,
  { delimiter, onRows }: ExportInput,
  { columns, listAfter, findDetails, cellsOf }: SheetKind<Row, Detail>,
): AsyncGenerator<string> {
  const { time_zone: timeZone } = await getApplication(db, aid)
  const resources = new ResourceNameIndex(await listResources(db, aid))
  const writer = new SheetWriter(timeZone, delimiter)
  const sheet = { writer, resources }
  yield writer.header(columns)
  let after: Cursor | undefined
  for (;;) {
    const rows = await listAfter(after)
    const last = rows.at(-1)
    if (!last) return
    after = cursorOf(last)
    const details = await findDetails(rows.map(({ uid }) => uid))
    const text = writer.rows(rows.map((row) => cellsOf(row, details.get(row.uid), sheet)))
    onRows(rows.length)
    yield text
  }
}

const PERSON = ['Email', 'First name', 'Last name'] as const

const personCells = (user: UserRow | undefined): string[] => [
  user?.email ?? user?.contact_email ?? '',
  user?.first_name ?? '',
  user?.last_name ?? '',
]

async function findPeople(db: Db, aid: string, uids: readonly string[]) {
  return new Map((await listUsers(db, aid, uids)).map((user) => [user.uid, user]))
}

const ACCESS_STATES = { live: 'Live', expired: 'Expired', revoked: 'Revoked' } as const

/** Exports access records for people, with names and days. A file of unrevoked access can be imported again, and changes
 * nothing. Pass a snapshot. */
export function exportAccessSheet(db: Db, filter: StaffFilter, input: ExportInput) {
  const { aid } = filter
  return writeSheet(db, aid, input, {
    columns: [
      ...PERSON,
      ...['Resource', 'Access until', 'State', 'Since', 'Paid', 'Currency', 'Tags', 'Site user ID'],
    ],
    listAfter: (after) => listAccessAfter(db, filter, after, PAGE, input.now),
    findDetails: (uids) => findPeople(db, aid, uids),
    cellsOf: (row, person, { writer, resources }) => [
      // Only a verified address identifies somebody, so no other may be imported.
      ...[row.email ?? '', ...personCells(person).slice(1)],
      ...[resources.labelOf(row.rid), writer.end(row.ends)],
      ...[ACCESS_STATES[accessStateOf(row, input.now)], writer.day(row.created)],
      row.currency === null ? '' : writer.amount(row.amount, row.currency),
      ...[row.currency ?? '', (JSON.parse(row.tags) as string[]).join(', ')],
      row.user_ref ?? '',
    ],
  })
}

export function exportPeopleSheet(db: Db, filter: PeopleFilter, input: ExportInput) {
  const { aid } = filter
  return writeSheet(db, aid, input, {
    columns: [...PERSON, 'Since', 'Resources with access'],
    listAfter: (after) => listUsersAfter(db, filter, after, PAGE),
    findDetails: (uids) => countLiveByUser(db, aid, uids, input.now),
    cellsOf: (row, live, { writer }) => [
      ...personCells(row),
      writer.day(row.created),
      writer.count(live ?? 0),
    ],
  })
}

const PAYMENT_STATES: Record<PaymentStatus, string> = {
  pending: 'Pending',
  succeeded: 'Paid',
  failed: 'Failed',
  partially_refunded: 'Partly refunded',
  refunded: 'Refunded',
  disputed: 'Disputed',
  lost: 'Dispute lost',
}

export function exportPaymentsSheet(db: Db, filter: PaymentFilter, input: ExportInput) {
  return writeSheet(db, filter.aid, input, {
    columns: [
      ...['Date', ...PERSON, 'Resource', 'Amount', 'Refunded', 'Currency', 'State'],
      ...['Period from', 'Period to', 'Paid through', 'Reference', 'Payment ID'],
      'Lost in disputes',
    ],
    listAfter: (after) => listPaymentsAfter(db, filter, after, PAGE),
    findDetails: (uids) => findPeople(db, filter.aid, uids),
    cellsOf: (row, person, { writer, resources }) => [
      ...[writer.time(row.created), ...personCells(person), resources.labelOf(row.rid)],
      writer.amount(row.amount, row.currency),
      writer.amount(row.refunded, row.currency),
      ...[row.currency, PAYMENT_STATES[row.status]],
      ...[writer.day(row.period_start), writer.day(row.period_end)],
      ...[row.provider, row.provider_ref ?? '', row.id],
      writer.amount(row.lost_amount, row.currency),
    ],
  })
}

const SUBSCRIPTION_STATES: Record<SubscriptionStatus, string> = {
  trialing: 'Trial',
  active: 'Active',
  past_due: 'Past due',
  canceled: 'Canceled',
  ended: 'Ended',
}

export function exportSubscriptionsSheet(db: Db, filter: SubscriptionFilter, input: ExportInput) {
  return writeSheet(db, filter.aid, input, {
    columns: [
      ...[...PERSON, 'Resource', 'State', 'Price', 'Currency', 'Every', 'Started'],
      ...['Paid until', 'Trial ends', 'Canceled', 'Ended', 'Access until', 'Subscription ID'],
    ],
    listAfter: (after) => listSubscriptionsAfter(db, filter, after, PAGE),
    findDetails: (uids) => findPeople(db, filter.aid, uids),
    cellsOf: (row, person, { writer, resources }) => [
      ...[...personCells(person), resources.labelOf(row.rid), SUBSCRIPTION_STATES[row.status]],
      writer.amount(row.amount, row.currency),
      ...[row.currency, row.period, writer.day(row.created)],
      ...[writer.day(row.current_period_end), writer.day(row.trial_ends)],
      ...[writer.day(row.canceled), writer.day(row.ended), writer.end(row.access_ends), row.id],
    ],
  })
}
