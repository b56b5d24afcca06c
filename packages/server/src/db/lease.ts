import { sql } from 'kysely'
import type { Trx } from './database.ts'
import { readMeta, setMeta } from './meta.ts'

/**
 * A lease that one process holds at a time. It has two rows in `meta`: one holds the end in milliseconds, the other the
 * holder's token and the same end. Versions up to 0.2 know the first row alone and change it without looking at the
 * holder. Then the rows differ, so a newer process sees that it has lost the lease.
 */
export interface Lease {
  name: string
  /** Of this holder alone. */
  token: string
}

const ownerRow = ({ name }: Lease) => `${name}_owner`
const ownerText = ({ token }: Lease, until: string) => `${token} ${until}`

/** Takes a lease. Returns false while another process holds it. */
export async function claimLease<T>(
  trx: Trx<T>,
  lease: Lease,
  until: number,
  now: number,
): Promise<boolean> {
  const { rows } = await sql`insert into meta (name, value) values (${lease.name}, ${String(until)})
    on conflict (name) do update set value = excluded.value
    where cast(meta.value as bigint) <= cast(${String(now)} as bigint) returning name`.execute(trx)
  if (rows.length === 0) return false
  await setMeta(trx, ownerRow(lease), ownerText(lease, String(until)))
  return true
}

/** Renews a lease, and keeps it from others until the transaction ends. Returns false if another process has taken it;
 * one that has run out, but that nobody took, is renewed. */
export async function renewLease<T>(trx: Trx<T>, lease: Lease, until: number): Promise<boolean> {
  if (!(await lockLease(trx, lease))) return false
  await setMeta(trx, lease.name, String(until))
  await setMeta(trx, ownerRow(lease), ownerText(lease, String(until)))
  return true
}

/** Lets others take a lease at once, unless one of them already has. */
export async function releaseLease<T>(trx: Trx<T>, lease: Lease): Promise<void> {
  if (!(await lockLease(trx, lease))) return
  await setMeta(trx, lease.name, '0')
  // A late renewal by this process must not take it back.
  await setMeta(trx, ownerRow(lease), '')
}

/** Locks a lease and returns whether it is still held under this token. */
async function lockLease<T>(trx: Trx<T>, lease: Lease): Promise<boolean> {
  // Writing a row locks it on both engines. Every change of a lease begins with this row.
  const { rows } = await sql<{ value: string }>`update meta set value = value
    where name = ${lease.name} returning value`.execute(trx)
  const until = rows[0]?.value
  return until !== undefined && (await readMeta(trx, ownerRow(lease))) === ownerText(lease, until)
}
