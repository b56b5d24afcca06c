import type { Trx } from '../../db/database.ts'
import type { Millis, Seconds, WebhookEndpointTable, WebhookNoticeEvent } from '../../db/tables.ts'
import { recordNotice } from '../mail/notices.ts'

/** Records a notice for staff about an endpoint that is failing or was switched off. The notice has no amount and no
 * currency, and the endpoint's host in place of a resource. */
export async function recordWebhookNotice(
  trx: Trx,
  { aid, id, url }: Pick<WebhookEndpointTable, 'aid' | 'id' | 'url'>,
  event: WebhookNoticeEvent,
  clocks: { now: Seconds; realTime: Millis },
): Promise<void> {
  const subject = { aid, id, rid: new URL(url).host, amount: 0, currency: '' }
  await recordNotice(trx, 'webhook_failed', event, subject, clocks)
}
