import { createHmac, timingSafeEqual } from 'node:crypto'
import type { ControlDatabase } from '../../db/database.ts'
import { findRow } from '../../db/queries/rows.ts'
import type { Millis, NotificationKind } from '../../db/tables.ts'
import { fail } from '../../errors.ts'
import { recordAudit } from '../staff/audit.ts'
import { toStaffMember } from '../staff/staff.ts'
import { changeChoice, NOTIFICATION_KINDS } from './choices.ts'

/** The one thing that the token can do: to stop one kind of email about one application for one member. */
interface Subscription {
  staffId: string
  aid: string
  kind: NotificationKind
}

const macOf = (secret: Buffer, { staffId, aid, kind }: Subscription): string =>
  createHmac('sha256', secret).update(`unsubscribe ${staffId} ${aid} ${kind}`).digest('base64url')

/** Creates the token with which a mail program unsubscribes a member. It doesn't expire: old emails have it too. */
export const createUnsubscribeToken = (secret: Buffer, subscription: Subscription): string =>
  [
    ...[subscription.staffId, subscription.aid, subscription.kind],
    macOf(secret, subscription),
  ].join('.')

function readToken(secret: Buffer, token: string): Subscription {
  const [staffId = '', aid = '', name = '', mac = ''] = token.split('.')
  const kind = NOTIFICATION_KINDS.find((one) => one === name)
  if (kind === undefined) throw fail('link_invalid')
  const given = Buffer.from(mac)
  const expected = Buffer.from(macOf(secret, { staffId, aid, kind }))
  const isRight = given.length === expected.length && timingSafeEqual(given, expected)
  if (!isRight) throw fail('link_invalid')
  return { staffId, aid, kind }
}

/** Switches off what the token is for. Doing it again changes nothing. */
export async function unsubscribe(
  control: ControlDatabase,
  secret: Buffer,
  token: string,
  now: Millis,
): Promise<void> {
  const { staffId, aid, kind } = readToken(secret, token)
  await control.write(async (trx) => {
    const member = await findRow(trx, 'staff', { id: staffId })
    const application = await findRow(trx, 'aids', { aid })
    if (!member || !application) throw fail('link_invalid')
    await changeChoice(trx, staffId, { aid, kind, isOn: false })
    const { environment } = application
    const action = {
      ...{ staff: toStaffMember(member), action: 'me.unsubscribe', environment, aid },
      details: { kind },
    }
    await recordAudit(trx, action, 'done', now)
  })
}
