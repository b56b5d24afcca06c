import type { Db, Trx } from '../../db/database.ts'
import { readMeta, setMeta } from '../../db/meta.ts'
import { deleteRows } from '../../db/queries/rows.ts'
import type { ControlTables, Millis } from '../../db/tables.ts'

/** Why nothing may be sent out. In each case, things may have happened that the database does not know about. */
export type HoldCause =
  | 'restored'
  | 'older_database'
  | 'older_folder'
  | 'other_installation'
  | 'no_identity_file'
  | 'other_server'
  | 'other_timeline'
  | 'other_machine'

/** While on hold, both environments send nothing out until an operator resumes the installation. */
export interface Hold {
  cause: HoldCause
  since: Millis
  /** When the restored backup was made; only for the cause `restored`. */
  backup?: string
}

export interface HoldState {
  hold: Hold | undefined
  /** When the copy was detached: it has no payment provider and no mail server, whatever its settings say. */
  detached: Millis | undefined
}

/** Rows of the control database's `meta`. */
const HOLD = 'hold'
const DETACHED = 'detached'

type ControlDb = Db<ControlTables>
type ControlTrx = Trx<ControlTables>

export async function readHoldState(db: ControlDb): Promise<HoldState> {
  const [hold, detached] = [await readMeta(db, HOLD), await readMeta(db, DETACHED)]
  return {
    hold: hold === undefined ? undefined : (JSON.parse(hold) as Hold),
    detached: detached === undefined ? undefined : Number(detached),
  }
}

export async function putOnHold(trx: ControlTrx, hold: Hold): Promise<Hold> {
  await setMeta<ControlTables>(trx, HOLD, JSON.stringify(hold))
  return hold
}

export async function removeHold(trx: ControlTrx): Promise<void> {
  await deleteRows(trx, 'meta', { name: HOLD })
}

export async function markDetached(trx: ControlTrx, now: Millis): Promise<void> {
  await setMeta<ControlTables>(trx, DETACHED, String(now))
}

const CAUSES: Record<HoldCause, string> = {
  restored:
    'It was restored from a backup: what was charged, refunded or mailed since is not in it.',
  older_database:
    'The database is older than the data folder: it was copied back, or restored to an earlier time.',
  older_folder: 'The data folder is older than the database, or belongs to another copy of it.',
  other_installation:
    'The database and the file installation.json in the data folder belong to different installations.',
  no_identity_file:
    'The database was used elsewhere: the file installation.json is missing from this data folder.',
  other_server: 'The database was copied to another PostgreSQL server or database.',
  other_timeline:
    'The PostgreSQL server was restored to an earlier time, or a standby took over: the last changes may be lost.',
  other_machine: 'The data folder was copied from another machine.',
}

/** Explains to people why the installation is on hold. */
export function describeHold({ cause, backup }: Hold): string {
  return backup === undefined ? CAUSES[cause] : `${CAUSES[cause]} The backup is of ${backup}.`
}

/** The meaning of a hold, and the advice on what to do about it. */
export const HOLD_MEANS =
  'No charge, refund or email is sent out, and nobody can buy. Access checks, grants, revokes and the dashboard work.'
export const HOLD_TODO =
  'To go on: gatehouse resume. If this is a copy of an installation that runs elsewhere: gatehouse resume --detach.'
export const DETACHED_MEANS =
  'This is a detached copy: it has no payment provider and sends no email, whatever its settings say.'
