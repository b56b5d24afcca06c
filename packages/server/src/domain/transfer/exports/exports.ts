import type { Db } from '../../../db/database.ts'
import { type Cursor, cursorOf } from '../../../db/queries/sort.ts'
import type { PaymentStatus, Seconds, SubscriptionStatus } from '../../../db/tables.ts'
import { countLiveByUser, listAccessAfter, type StaffFilter } from '../../access/list-for-staff.ts'
import { accessStateOf } from '../../access/state.ts'
import { getApplication } from '../../apps/applications.ts'
import { listPaymentsAfter, type PaymentFilter } from '../../payments/payments.ts'
import { listResources } from '../../resources/resources.ts'
import { listSubscriptionsAfter, type SubscriptionFilter } from '../../subscriptions/search.ts'
import { listUsers, listUsersAfter, type PeopleFilter } from '../../users/find.ts'
import type { UserRow } from '../../users/users.ts'
import { ResourceNames } from '../sheets/resources.ts'
import { type SheetCell, type SheetDelimiter, SheetWriter } from './sheet-writer.ts'

const PAGE = 1_000

export interface ExportInput {
  delimiter: SheetDelimiter
  now: Seconds
  onRows(count: number): void
}

/** What every export needs: how to write cells, and what resources are called. */
interface Sheet {
  writer: SheetWriter
  resources: ResourceNames
}

async function openSheet(db: Db, aid: string, delimiter: SheetDelimiter): Promise<Sheet> {
  const { time_zone: timeZone } = await getApplication(db, aid)
  const resources = new ResourceNames(await listResources(db, aid))
  return { writer: new SheetWriter(timeZone, delimiter), resources }
}

/** Writes a list page by page, so that memory stays small however long it is. */
async function* writePages<Row extends object>(
  { writer }: Sheet,
  names: readonly string[],
  { onRows }: ExportInput,
  page: (after: Cursor | undefined) => Promise<readonly Row[]>,
  toCells: (rows: readonly Row[]) => Promise<SheetCell[][]>,
): AsyncGenerator<string> {
  yield writer.header(names)
  let after: Cursor | undefined
  for (;;) {
    const rows = await page(after)
    const last = rows.at(-1)
    if (!last) return
    after = cursorOf(last)
    const text = writer.rows(await toCells(rows))
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

async function findPeople(db: Db, aid: string, rows: readonly { uid: string }[]) {
  const users = await listUsers(
    db,
    aid,
    rows.map(({ uid }) => uid),
  )
  return new Map(users.map((user) => [user.uid, user]))
}

const ACCESS_STATES = { live: 'Live', expired: 'Expired', revoked: 'Revoked' } as const

/** Exports access records for people, with names and days. A file of unrevoked access can be imported again, and changes
 * nothing. Pass a snapshot. */
export async function* exportAccessSheet(
  db: Db,
  filter: StaffFilter,
  input: ExportInput,
): AsyncGenerator<string> {
  const { aid } = filter
  const sheet = await openSheet(db, aid, input.delimiter)
  const { writer, resources } = sheet
  yield* writePages(
    sheet,
    [
      ...PERSON,
      ...['Resource', 'Access until', 'State', 'Since', 'Paid', 'Currency', 'Tags', 'Site user ID'],
    ],
    input,
    (after) => listAccessAfter(db, filter, after, PAGE, input.now),
    async (rows) => {
      const people = await findPeople(db, aid, rows)
      return rows.map((row) => [
        // Only a verified address identifies somebody, so no other may be imported.
        ...[row.email ?? '', ...personCells(people.get(row.uid)).slice(1)],
        ...[resources.labelOf(row.rid), writer.end(row.ends)],
        ...[ACCESS_STATES[accessStateOf(row, input.now)], writer.day(row.created)],
        row.currency === null ? '' : writer.amount(row.amount, row.currency),
        ...[row.currency ?? '', (JSON.parse(row.tags) as string[]).join(', ')],
        row.user_ref ?? '',
      ])
    },
  )
}

export async function* exportPeopleSheet(
  db: Db,
  filter: PeopleFilter,
  input: ExportInput,
): AsyncGenerator<string> {
  const { aid } = filter
  const sheet = await openSheet(db, aid, input.delimiter)
  const { writer } = sheet
  yield* writePages(
    sheet,
    [...PERSON, 'Since', 'Resources with access'],
    input,
    (after) => listUsersAfter(db, filter, after, PAGE),
    async (rows) => {
      const uids = rows.map(({ uid }) => uid)
      const live = await countLiveByUser(db, aid, uids, input.now)
      return rows.map((row) => [
        ...[...personCells(row), writer.day(row.created)],
        writer.count(live.get(row.uid) ?? 0),
      ])
    },
  )
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

export async function* exportPaymentsSheet(
  db: Db,
  filter: PaymentFilter,
  input: ExportInput,
): AsyncGenerator<string> {
  const { aid } = filter
  const sheet = await openSheet(db, aid, input.delimiter)
  const { writer, resources } = sheet
  yield* writePages(
    sheet,
    [
      ...['Date', ...PERSON, 'Resource', 'Amount', 'Refunded', 'Currency', 'State'],
      ...['Period from', 'Period to', 'Paid through', 'Reference', 'Payment ID'],
    ],
    input,
    (after) => listPaymentsAfter(db, filter, after, PAGE),
    async (rows) => {
      const people = await findPeople(db, aid, rows)
      return rows.map((row) => [
        ...[writer.time(row.created), ...personCells(people.get(row.uid))],
        resources.labelOf(row.rid),
        writer.amount(row.amount, row.currency),
        writer.amount(row.refunded, row.currency),
        ...[row.currency, PAYMENT_STATES[row.status]],
        ...[writer.day(row.period_start), writer.day(row.period_end)],
        ...[row.provider, row.provider_ref ?? '', row.id],
      ])
    },
  )
}

const SUBSCRIPTION_STATES: Record<SubscriptionStatus, string> = {
  trialing: 'Trial',
  active: 'Active',
  past_due: 'Past due',
  canceled: 'Canceled',
  ended: 'Ended',
}

export async function* exportSubscriptionsSheet(
  db: Db,
  filter: SubscriptionFilter,
  input: ExportInput,
): AsyncGenerator<string> {
  const { aid } = filter
  const sheet = await openSheet(db, aid, input.delimiter)
  const { writer, resources } = sheet
  yield* writePages(
    sheet,
    [
      ...[...PERSON, 'Resource', 'State', 'Price', 'Currency', 'Every', 'Started'],
      ...['Paid until', 'Trial ends', 'Canceled', 'Ended', 'Access until', 'Subscription ID'],
    ],
    input,
    (after) => listSubscriptionsAfter(db, filter, after, PAGE),
    async (rows) => {
      const people = await findPeople(db, aid, rows)
      return rows.map((row) => [
        ...[...personCells(people.get(row.uid)), resources.labelOf(row.rid)],
        SUBSCRIPTION_STATES[row.status],
        writer.amount(row.amount, row.currency),
        ...[row.currency, row.period, writer.day(row.created)],
        ...[writer.day(row.current_period_end), writer.day(row.trial_ends)],
        ...[writer.day(row.canceled), writer.day(row.ended), writer.end(row.access_ends), row.id],
      ])
    },
  )
}
