import type { ControlDatabase, Db } from '../db/database.ts'
import { readMeta, setMeta } from '../db/meta.ts'
import type { ControlTables } from '../db/tables.ts'

/** The row of control's `meta` with the address that was last served. */
export const SERVED_ADDRESS = 'served_address'

export const readServedAddress = (db: Db<ControlTables>) => readMeta(db, SERVED_ADDRESS)

/** So that somebody who resumes a copy is asked whether it is to serve another address than the original. */
export async function recordServedAddress(
  control: ControlDatabase,
  address: string,
): Promise<void> {
  if ((await readServedAddress(control.read)) === address) return
  await control.write((trx) => setMeta(trx, SERVED_ADDRESS, address))
}
