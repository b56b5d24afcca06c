import type { Trx } from '../../db/database.ts'

/** Deletes what receivers answered to events about these users: a response may repeat what it got. Returns how many. */
export async function eraseResponses(
  trx: Trx,
  aid: string,
  uids: readonly string[],
): Promise<number> {
  const { numUpdatedRows } = await trx
    .updateTable('webhook_attempts')
    .set({ response: null })
    .where('aid', '=', aid)
    .where('response', 'is not', null)
    .where('event_id', 'in', (eb) =>
      eb
        .selectFrom('webhook_deliveries')
        .select('event_id')
        .where('aid', '=', aid)
        .where('uid', 'in', uids),
    )
    .executeTakeFirst()
  return Number(numUpdatedRows)
}
