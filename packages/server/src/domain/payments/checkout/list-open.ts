import type { Db } from '../../../db/database.ts'
import type { RowKey } from '../../../db/queries/rows.ts'

/** Returns the ids of those checkouts that are open. */
export async function listOpenCheckouts(
  db: Db,
  keys: readonly RowKey[],
): Promise<ReadonlySet<string>> {
  const open = new Set<string>()
  for (const aid of new Set(keys.map((key) => key.aid))) {
    const ids = keys.filter((key) => key.aid === aid).map(({ id }) => id)
    const rows = await db
      .selectFrom('checkouts')
      .select('id')
      .where((eb) => eb.and({ aid, status: 'open' }))
      .where('id', 'in', ids)
      .execute()
    for (const { id } of rows) open.add(id)
  }
  return open
}
