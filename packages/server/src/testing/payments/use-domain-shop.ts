import type { NoticeKind } from '../../db/tables.ts'
import type { HistoryAction } from '../../domain/history/actions.ts'
import { listHistory } from '../../domain/history/history.ts'
import { databases } from '../databases.ts'
import { useFreshShop, useService } from '../use-service.ts'

/**
 * Opens a new shop for each test of domain functions, with one resource, `pass`. It runs on one database: the same
 * queries run on both, and what differs between them is tested with the front doors.
 */
export function useDomainShop() {
  const service = useService(databases[0], { checksInvariants: false })
  const shop = useFreshShop(service, 'pass')
  const env = () => shop.environment
  const db = () => env().database

  const historyOf = async (action: HistoryAction) =>
    (await listHistory(db().read, shop.aid)).filter((entry) => entry.action === action)

  /** Notices for staff. */
  const noticesOf = async (kind: NoticeKind) =>
    await db()
      .read.selectFrom('notices')
      .select(['event', 'subject_id', 'amount'])
      .where((eb) => eb.and({ aid: shop.aid, kind }))
      .execute()

  return { service, shop, env, db, historyOf, noticesOf }
}
