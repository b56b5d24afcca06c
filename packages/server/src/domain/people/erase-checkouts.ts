import { type ExpressionBuilder, sql } from 'kysely'
import type { Db, Trx } from '../../db/database.ts'
import { lockSortKey } from '../../db/postgres/lock-order.ts'
import { padList } from '../../db/queries/pad-list.ts'
import { countAffected, updateRows } from '../../db/queries/rows.ts'
import type { CheckoutTable, Tables } from '../../db/tables.ts'
import type { Clocks } from '../access/grants/input.ts'
import { EMPTY_PERSONAL_COLUMNS } from '../payments/checkout/checkouts.ts'
import { emailKey } from '../users/email.ts'
import { listFormerAddresses } from '../users/former-addresses.ts'
import { findUserByEmail } from '../users/user-email.ts'
import { findUidByRef } from '../users/user-ref.ts'
import { findLiveUser, type UserRow } from '../users/users.ts'

type Unpaid = Pick<
  CheckoutTable,
  'id' | 'user_ref' | 'vouched_email' | 'typed_email' | 'subscription_id'
>

/** Locks the unpaid checkouts of a user before the user. Completing a checkout uses the same order, so an erasure and
 * a concurrent payment wait for each other. */
export async function lockCheckoutsOf(
  trx: Trx,
  { aid, uid }: { aid: string; uid: string },
): Promise<void> {
  const user = await findLiveUser(trx, aid, uid)
  const { own } = user ? await findUnpaid(trx, user) : { own: [] }
  if (own.length === 0) return
  await trx
    .selectFrom('checkouts')
    .select('id')
    .where('aid', '=', aid)
    .where('id', 'in', own)
    .orderBy(lockSortKey('id'))
    .forUpdate()
    .execute()
}

/**
 * Ends the user's unpaid checkouts, and removes personal data from all of the user's checkouts and from unpaid ones of
 * others that mention the user. The worker closes their pages at the provider. Each checkout keeps the uid, so that a
 * late payment is recorded under it, grants nothing and is refunded. Call this before the user's references and address
 * are removed: they are needed to find the checkouts.
 */
export async function endCheckouts(trx: Trx, user: UserRow, { realTime }: Clocks): Promise<void> {
  const { aid, uid } = user
  const { own, mentioning } = await findUnpaid(trx, user)
  if (own.length > 0) {
    await trx
      .updateTable('checkouts')
      .set((eb) => ({
        ...EMPTY_PERSONAL_COLUMNS,
        uid,
        status: 'expired' as const,
        due: eb.case().when('provider_ref', 'is', null).then(null).else(realTime).end(),
      }))
      .where('aid', '=', aid)
      .where('id', 'in', own)
      .execute()
  }
  for (const { id, columns } of mentioning) {
    const emptied = Object.fromEntries(columns.map((column) => [column, null]))
    await updateRows(trx, 'checkouts', { aid, id }, emptied)
  }
  await eraseCheckouts(trx, aid, uid)
}

/** Removes personal data from the checkouts with this uid. Returns how many had any. */
export async function eraseCheckouts(trx: Trx, aid: string, uid: string): Promise<number> {
  const isKnown = (eb: ExpressionBuilder<Tables, 'checkouts'>) =>
    eb.or([
      ...COLUMNS.map((column) => eb(column, 'is not', null)),
      eb('first_name', '<>', ''),
      eb('last_name', '<>', ''),
    ])
  const known = trx
    .updateTable('checkouts')
    .set(EMPTY_PERSONAL_COLUMNS)
    .where((eb) => eb.and({ aid, uid }))
    .where(isKnown)
  return await countAffected(known)
}

const COLUMNS = ['user_ref', 'vouched_email', 'typed_email', 'return_url'] as const

/** Lists all checkouts of a user, paid or not, oldest first. */
export async function listCheckoutsOfUser(
  db: Db,
  aid: string,
  uid: string,
): Promise<CheckoutTable[]> {
  const user = await findLiveUser(db, aid, uid)
  const { own } = user ? await findUnpaid(db, user) : { own: [] }
  return await db
    .selectFrom('checkouts')
    .selectAll()
    .where('aid', '=', aid)
    .where((eb) => eb.or([eb('uid', '=', uid), ...(own.length > 0 ? [eb('id', 'in', own)] : [])]))
    .orderBy('created')
    .orderBy('id')
    .execute()
}

/** Finds the unpaid checkouts of a user, and those of others at which the user's address was typed. */
async function findUnpaid(
  db: Db,
  user: UserRow,
): Promise<{ own: string[]; mentioning: AddressMention[] }> {
  const names = await readNames(db, user)
  const rows = await listCandidates(db, user.aid, names)
  const own: string[] = []
  const mentioning: AddressMention[] = []
  for (const row of rows) {
    const isOwn =
      isNamed(row, names) || (isAddressed(row, names) && !(await isOfOther(db, row, user)))
    if (isOwn) own.push(row.id)
    else {
      const columns = ADDRESSES.filter((column) => names.addresses.has(keyOf(row[column])))
      if (columns.length > 0) mentioning.push({ id: row.id, columns })
    }
  }
  return { own, mentioning }
}

/** Lists the unpaid checkouts that can be about a user: those with a reference, a subscription or a plain address of the
 * user, and all with an address that is not plain. Each of the four queries has an index of its own, so that the
 * checkouts of others are not read while the erasure holds SQLite's only writer. */
async function listCandidates(db: Db, aid: string, names: Names): Promise<Unpaid[]> {
  const unpaid = db
    .selectFrom('checkouts')
    .select(['id', 'user_ref', 'vouched_email', 'typed_email', 'subscription_id'])
    .where('aid', '=', aid)
    // A literal instead of a parameter, so that both databases use the indexes.
    .where(sql<boolean>`status <> 'paid'`)
  const emails = padList([...names.addresses, ''])
  const withEmail = (column: (typeof ADDRESSES)[number]) =>
    unpaid.where(column, 'is not', null).where(plainEmailSql(column), 'in', emails)
  return await unpaid
    .where('user_ref', 'in', padList([...names.refs]))
    .union(unpaid.where('subscription_id', 'in', padList([...names.subscriptions])))
    .union(withEmail('vouched_email'))
    .union(withEmail('typed_email'))
    .execute()
}

/**
 * SQL for the `emailKey` of a plain address, which has only ASCII letters, digits and `@._+-`. It is an empty text for any
 * other address, because SQL lowers only ASCII letters: those addresses must be compared in code.
 * The indexes of `migrations/unpaid-checkouts.ts` contain the same expression.
 */
const plainEmailSql = (column: (typeof ADDRESSES)[number]) =>
  sql<string>`case when ltrim(lower(${sql.ref(column)}), 'abcdefghijklmnopqrstuvwxyz0123456789@._+-') = ''
    then lower(${sql.ref(column)}) else '' end`

const ADDRESSES = ['vouched_email', 'typed_email'] as const

/** Another person's checkout, and the columns in which it has this person's address. */
interface AddressMention {
  id: string
  columns: readonly (typeof ADDRESSES)[number][]
}

interface Names {
  refs: ReadonlySet<string | null>
  addresses: ReadonlySet<string | null>
  subscriptions: ReadonlySet<string | null>
}

const keyOf = (address: string | null) => (address === null ? null : emailKey(address))

/** Reads all by which a checkout can name the user: references (with those of users merged into this one, and the uid,
 * which can be used as a reference), email addresses, former ones too, and subscriptions. */
async function readNames(db: Db, { aid, uid, email, contact_email }: UserRow): Promise<Names> {
  const refs = await db
    .selectFrom('user_refs')
    .select('ref')
    .where((eb) => eb.and({ aid, uid }))
    .execute()
  const subscriptions = await db
    .selectFrom('subscriptions')
    .select('id')
    .where((eb) => eb.and({ aid, uid }))
    .execute()
  const emails = [email, contact_email, ...(await listFormerAddresses(db, aid, uid))]
  return {
    refs: new Set([uid, ...refs.map(({ ref }) => ref)]),
    addresses: new Set(emails.flatMap((one) => (one ? emailKey(one) : []))),
    subscriptions: new Set(subscriptions.map(({ id }) => id)),
  }
}

/** Whether a checkout names the user by reference, or by the subscription that gets a new card. It has a uid only when it
 * is paid, or when that user is erased. */
const isNamed = (row: Unpaid, { refs, subscriptions }: Names) =>
  refs.has(row.user_ref) || subscriptions.has(row.subscription_id)

const isAddressed = ({ vouched_email, typed_email }: Unpaid, { addresses }: Names) =>
  addresses.has(keyOf(vouched_email)) || addresses.has(keyOf(typed_email))

/** Whether the application vouches for another user. A typed address then doesn't make the checkout this user's. */
async function isOfOther(
  db: Db,
  { user_ref, vouched_email }: Unpaid,
  { aid, uid }: UserRow,
): Promise<boolean> {
  const named = user_ref === null ? undefined : await findUidByRef(db, aid, user_ref)
  const byAddress =
    vouched_email === null ? undefined : await findUserByEmail(db, aid, vouched_email)
  const other = named ?? byAddress?.uid
  return other !== undefined && other !== uid
}
