import { recordDeliveries } from '../../domain/downloads/deliveries.ts'
import { mergeUsers } from '../../domain/people/merge.ts'
import type { TestDatabase } from '../databases.ts'
import { toDeliveryRows } from '../downloads/downloads.ts'
import { useFreshApplication, useService } from '../use-service.ts'

/** Runs a service, and changes the people of a new application in each test. */
export function usePeople(database: TestDatabase) {
  const service = useService(database)
  const app = useFreshApplication(service, { resources: ['news', 'maps', 'plans'] })
  const now = () => service.clock.now / 1000

  const db = () => app.environment.database
  const who = (uid: string) => ({ aid: app.aid, uid, actor: 'cli' })
  const grant = (email: string, more: { rid?: string } & Record<string, unknown> = {}) =>
    app.client.grantAccess({ rid: 'news', email, ...more })
  const merge = (from: string, into: string) =>
    db().write((trx) => mergeUsers(trx, { aid: app.aid, from, into, actor: 'cli' }, now()))

  /** Records a file delivery to a user, `seconds` ago. */
  const deliver = (uid: string | null, rid = 'news', seconds = 0) =>
    db().write((trx) =>
      recordDeliveries(
        trx,
        toDeliveryRows([
          {
            ...{ aid: app.aid, rid, download_id: 'd', link: 'l', uid },
            ...{ at: now() - seconds, bytes: 1000 + seconds, outcome: 'complete' },
          },
        ]),
        now(),
      ),
    )
  return { service, app, db, who, grant, merge, deliver }
}

// Each grant of a race waits for the others' lock, for three seconds at most: more of them fail on a busy machine.
export const RIDS = Array.from({ length: 12 }, (_, i) => `issue-${i}`)
