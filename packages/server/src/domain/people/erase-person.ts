import type { ControlDatabase, Db, EnvironmentDatabase } from '../../db/database.ts'
import type { Millis, Seconds } from '../../db/tables.ts'
import { requireFound } from '../../errors.ts'
import { eraseFromAudit } from '../staff/erase-audit.ts'
import { eraseFromViews } from '../staff/saved-views.ts'
import type { Subject } from '../users/change.ts'
import { listFormerAddresses } from '../users/former-addresses.ts'
import { findLiveUser } from '../users/users.ts'
import { type Erasure, eraseUser } from './erase.ts'
import { listUids } from './person-data.ts'

/** The environment that a person is erased from. */
interface EraseContext {
  name: string
  database: EnvironmentDatabase
  clock(): Seconds
  realTime(): Millis
}

/** Erases a person everywhere. The audit log comes first, because the words to search for are gone afterwards. If the
 * erasure then fails, the log has lost only text that staff typed. */
export async function erasePerson(
  control: ControlDatabase,
  { name: environment, database, clock, realTime }: EraseContext,
  who: Subject,
): Promise<Erasure> {
  const { uids, words } = await database.snapshot((db) => readIdentifyingTexts(db, who))
  const reader = { environment, aid: who.aid, uids, words }
  await eraseFromAudit(control, reader)
  await eraseFromViews(control, reader)
  return await database.write((trx) => eraseUser(trx, who, { now: clock(), realTime: realTime() }))
}

/** Everything that can name the person. */
async function readIdentifyingTexts(db: Db, { aid, uid }: Subject) {
  const user = requireFound(await findLiveUser(db, aid, uid), 'user_not_found')
  const refs = await db
    .selectFrom('user_refs')
    .select('ref')
    .where((eb) => eb.and({ aid, uid }))
    .execute()
  const { email, contact_email, first_name, last_name } = user
  const names = [first_name, last_name, `${first_name} ${last_name}`.trim()]
  const addresses = [email, contact_email, ...(await listFormerAddresses(db, aid, uid))]
  const words = [...addresses, ...names, ...refs.map(({ ref }) => ref)]
  const uids = await listUids(db, aid, uid)
  return {
    uids,
    words: words.filter((word) => word !== null && word !== '' && !uids.includes(word)) as string[],
  }
}
