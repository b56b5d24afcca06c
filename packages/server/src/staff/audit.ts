import type { ControlDatabase } from '../db/database.ts'
import type { Millis } from '../db/tables.ts'
import type { ControlDb, StaffMember } from './staff.ts'

export type Details = Readonly<Record<string, string | number | boolean>>

/** Something that is about to be done. Nothing secret, and no reader's address. */
export interface AuditedAction {
  /** Undefined for the command line. */
  staff: Pick<StaffMember, 'id' | 'email'> | undefined
  action: string
  environment?: string | undefined
  aid?: string | undefined
  params?: Readonly<Record<string, string>>
  details?: Details
}

/** Values by which something is named, in the address of a request or beside it. */
const NAMES = new Set(['id', 'uid', 'into', 'access', 'price'])
const IS_ID = /^[0-9A-Za-z]{16,64}$/
const NOT_AN_ID = '(not an id)'

/** Staff may type an address or a name where an id belongs. That is refused, and not kept either: nobody
 * would find it again when its owner is to be erased. */
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

/** What the command line is called where a member's address would stand. */
const COMMAND_LINE = 'command line'

const rowOf = (done: AuditedAction, outcome: string, now: Millis) => ({
  at: now,
  staff_id: done.staff?.id ?? null,
  email: done.staff?.email ?? COMMAND_LINE,
  environment: done.environment ?? null,
  aid: done.aid ?? null,
  action: done.action,
  params: JSON.stringify(withIdsOnly(done.params ?? {})),
  details: JSON.stringify(withIdsOnly(done.details ?? {})),
  outcome,
})

/** Before it is done, so that nothing is done that nobody can find. Returns its number. */
export async function beginAudit(
  control: ControlDatabase,
  action: AuditedAction,
  now: Millis,
): Promise<number> {
  return await control.write(async (trx) => {
    const { seq } = await trx
      .insertInto('audit')
      .values(rowOf(action, 'begun', now))
      .returning('seq')
      .executeTakeFirstOrThrow()
    return Number(seq)
  })
}

/** `outcome` is `done`, `cut_off`, or the code of the failure. */
export async function endAudit(
  control: ControlDatabase,
  seq: number,
  outcome: string,
  details: Details,
): Promise<void> {
  await control.write(async (trx) => {
    await trx
      .updateTable('audit')
      .set({ outcome, details: JSON.stringify(withIdsOnly(details)) })
      .where('seq', '=', seq)
      .execute()
  })
}

/** Something that is known only when it is over, as who has signed in. */
export async function recordAudit(
  control: ControlDatabase,
  action: AuditedAction,
  outcome: string,
  now: Millis,
): Promise<void> {
  await control.write(async (trx) => {
    await trx
      .insertInto('audit')
      .values(rowOf(action, outcome, now))
      .execute()
  })
}

export interface AuditFilter {
  staff?: string
  action?: string
  aid?: string
  environment?: string
}

function selectAudit(db: ControlDb, filter: AuditFilter) {
  let query = db.selectFrom('audit')
  if (filter.staff !== undefined) query = query.where('staff_id', '=', filter.staff)
  if (filter.action !== undefined) query = query.where('action', '=', filter.action)
  if (filter.aid !== undefined) query = query.where('aid', '=', filter.aid)
  if (filter.environment !== undefined) query = query.where('environment', '=', filter.environment)
  return query
}

/** Newest first. */
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
