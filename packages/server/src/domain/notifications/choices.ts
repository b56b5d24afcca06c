import { listRows } from '../../db/queries/rows.ts'
import type { NotificationKind } from '../../db/tables.ts'
import {
  type ControlDb,
  type ControlTrx,
  type Role,
  type StaffMember,
  toStaffMember,
} from '../staff/staff.ts'

/** The kinds of notifications that a member can choose for each application, in the order in which they are shown. */
export const NOTIFICATION_KINDS = [
  'digest',
  'dispute',
  'payment_failed',
  'refund_failed',
  'sale',
  'webhook_failed',
] as const satisfies readonly NotificationKind[]

/** The kinds of notifications that a member gets for an application in production before choosing any. Every role may
 * choose every kind, because all roles may see all of it. The sandbox sends none that were not chosen. */
const DEFAULTS: Readonly<Record<Role, readonly NotificationKind[]>> = {
  owner: ['digest', 'dispute', 'payment_failed', 'refund_failed', 'webhook_failed'],
  support: ['dispute', 'payment_failed', 'refund_failed'],
  developer: ['webhook_failed'],
  reader: [],
}

/** An application, and the environment that it is in. */
export interface NotifyingApplication {
  environment: string
  aid: string
}

const isDefault = (role: Role, environment: string, kind: NotificationKind): boolean =>
  environment === 'production' && DEFAULTS[role].includes(kind)

export type Choices = Readonly<Record<NotificationKind, boolean>>

/** Reads what a member gets of each of the given applications, by AID. */
export async function readChoices(
  db: ControlDb,
  { id, role }: Pick<StaffMember, 'id' | 'role'>,
  applications: readonly NotifyingApplication[],
): Promise<Map<string, Choices>> {
  const rows = await db
    .selectFrom('staff_notifications')
    .selectAll()
    .where('staff_id', '=', id)
    .execute()
  const chosen = new Map(rows.map((row) => [`${row.aid} ${row.kind}`, row.is_on === 1]))
  return new Map(
    applications.map(({ aid, environment }) => [
      aid,
      Object.fromEntries(
        NOTIFICATION_KINDS.map((kind) => [
          kind,
          chosen.get(`${aid} ${kind}`) ?? isDefault(role, environment, kind),
        ]),
      ) as Choices,
    ]),
  )
}

/** Stores a choice, even if it is the default: a change of the role doesn't change it then. */
export async function changeChoice(
  trx: ControlTrx,
  staffId: string,
  { aid, kind, isOn }: { aid: string; kind: NotificationKind; isOn: boolean },
): Promise<void> {
  const is_on = isOn ? 1 : 0
  await trx
    .insertInto('staff_notifications')
    .values({ staff_id: staffId, aid, kind, is_on })
    .onConflict((oc) => oc.columns(['staff_id', 'aid', 'kind']).doUpdateSet({ is_on }))
    .execute()
}

/** Lists the members who get one kind of email about an application, by their own choice or else by the default of their
 * role. Disabled members get none. */
export async function listRecipients(
  db: ControlDb,
  { environment, aid }: NotifyingApplication,
  kind: NotificationKind,
): Promise<StaffMember[]> {
  const members = await db
    .selectFrom('staff')
    .selectAll()
    .where('disabled_at', 'is', null)
    .orderBy('id')
    .execute()
  const rows = await listRows(db, 'staff_notifications', { aid, kind })
  const chosen = new Map(rows.map((row) => [row.staff_id, row.is_on === 1]))
  return members
    .filter(({ id, role }) => chosen.get(id) ?? isDefault(role, environment, kind))
    .map(toStaffMember)
}
