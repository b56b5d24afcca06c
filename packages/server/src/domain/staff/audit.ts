import type { ControlDatabase } from '../../db/database.ts'
import { startsWith } from '../../db/queries/prefix.ts'
import { updateRows } from '../../db/queries/rows.ts'
import type { Millis } from '../../db/tables.ts'
import { AUDIT_GROUPS, type AuditGroup } from './audit-groups.ts'
import { originOf, reportWritten } from './audit-trail.ts'
import type { ControlDb, ControlTrx, StaffMember } from './staff.ts'

export type Details = Readonly<Record<string, string | number | boolean>>

/** An action that is about to start. It must contain no secrets and no reader's email. */
export interface AuditedAction {
  /** Undefined for the command line and for a program. */
  staff: Pick<StaffMember, 'id' | 'email'> | undefined
  /** The management token of a program. */
  token?: { id: string; name: string } | undefined
  action: string
  environment?: string | undefined
  aid?: string | undefined
  params?: Readonly<Record<string, string>>
  details?: Details
}

/** Parameters that hold an id, in the path of a request or in its body. */
const NAMES = new Set(['id', 'uid', 'into', 'access', 'price'])
const IS_ID = /^[0-9A-Za-z]{16,64}$/
const NOT_AN_ID = '(not an id)'

/** Staff may enter an email or a name where an id belongs. Such a request is refused, and the text is not
 * stored either, because an erasure would not find it. */
export function withIdsOnly<V extends Details[string]>(
  values: Readonly<Record<string, V>>,
): Record<string, V | string> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      NAMES.has(name) && !IS_ID.test(String(value)) ? NOT_AN_ID : value,
    ]),
  )
}

/** Stored in place of a staff member's email. A program is stored as `token NAME`. */
const COMMAND_LINE = 'command line'

const rowOf = (trx: ControlTrx, done: AuditedAction, outcome: string, now: Millis) => ({
  at: now,
  staff_id: done.staff?.id ?? null,
  token_id: done.token?.id ?? null,
  email: done.token ? `token ${done.token.name}` : (done.staff?.email ?? COMMAND_LINE),
  environment: done.environment ?? null,
  aid: done.aid ?? null,
  action: done.action,
  params: JSON.stringify(withIdsOnly(done.params ?? {})),
  details: JSON.stringify(withIdsOnly(done.details ?? {})),
  outcome,
  ...originOf(trx),
})

async function insertEntry(
  trx: ControlTrx,
  done: AuditedAction,
  outcome: string,
  now: Millis,
): Promise<number> {
  const row = rowOf(trx, done, outcome, now)
  const { seq } = await trx
    .insertInto('audit')
    .values(row)
    .returning('seq')
    .executeTakeFirstOrThrow()
  reportWritten(trx, { seq: Number(seq), ...row })
  return Number(seq)
}

/** Recorded before the action starts, so that no action goes unrecorded. Returns the entry's number. */
export async function beginAudit(
  control: ControlDatabase,
  action: AuditedAction,
  now: Millis,
): Promise<number> {
  return await control.write((trx) => insertEntry(trx, action, 'begun', now))
}

/** `outcome` is `done`, `cut_off`, or an error code. */
export async function endAudit(
  control: ControlDatabase,
  seq: number,
  outcome: string,
  details: Details,
): Promise<void> {
  await control.write(async (trx) => {
    const change = { outcome, details: JSON.stringify(withIdsOnly(details)) }
    await updateRows(trx, 'audit', { seq }, change)
    reportWritten(trx, { seq, ...change })
  })
}

/** Records an action whose details are known only when it is done, such as who signed in. In the transaction of the
 * action, so that there is none without its entry. */
export async function recordAudit(
  trx: ControlTrx,
  action: AuditedAction,
  outcome: string,
  now: Millis,
): Promise<void> {
  await insertEntry(trx, action, outcome, now)
}

export interface AuditFilter {
  /** The id of a member or of a management token. */
  staff?: string
  action?: string
  group?: AuditGroup
  /** Bounds on the time: `from` is inclusive, `to` exclusive. */
  from?: Millis
  to?: Millis
  aid?: string
  environment?: string
}

function selectAudit(db: ControlDb, filter: AuditFilter) {
  let query = db.selectFrom('audit')
  const { staff } = filter
  if (staff !== undefined) {
    query = query.where((eb) => eb.or([eb('staff_id', '=', staff), eb('token_id', '=', staff)]))
  }
  if (filter.action !== undefined) query = query.where('action', '=', filter.action)
  if (filter.group !== undefined) {
    const kinds = AUDIT_GROUPS[filter.group].map((kind) => startsWith('action', `${kind}.`))
    query = query.where((eb) => eb.or(kinds))
  }
  if (filter.from !== undefined) query = query.where('at', '>=', filter.from)
  if (filter.to !== undefined) query = query.where('at', '<', filter.to)
  if (filter.aid !== undefined) query = query.where('aid', '=', filter.aid)
  if (filter.environment !== undefined) query = query.where('environment', '=', filter.environment)
  return query
}

/** Lists the newest entries first. */
export async function listAudit(
  db: ControlDb,
  filter: AuditFilter,
  window: { offset: number; limit: number },
) {
  const rows = await selectAudit(db, filter)
    .selectAll()
    .orderBy('seq', 'desc')
    .offset(window.offset)
    .limit(window.limit)
    .execute()
  const { n } = await selectAudit(db, filter)
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow()
  const data = rows.map((row) => ({
    ...row,
    params: JSON.parse(row.params) as Record<string, string>,
    details: JSON.parse(row.details) as Record<string, string | number | boolean>,
  }))
  return { data, total: Number(n) }
}
