import type { ControlDatabase, Db } from '../../db/database.ts'
import { readMeta, setMeta } from '../../db/meta.ts'
import type { ControlTables } from '../../db/tables.ts'

/** The row of the control database's `meta` with the last served address. */
export const SERVED_ADDRESS = 'served_address'

export const readServedAddress = (db: Db<ControlTables>) => readMeta(db, SERVED_ADDRESS)

/** Stores the address, so that `gatehouse resume` can ask before a copy serves a different one. */
export async function recordServedAddress(
  control: ControlDatabase,
  address: string,
): Promise<void> {
  if ((await readServedAddress(control.read)) === address) return
  await control.write((trx) => setMeta(trx, SERVED_ADDRESS, address))
}
