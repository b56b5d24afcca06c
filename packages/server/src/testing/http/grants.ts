import type { Grant } from '@gatehouse/sdk'
import { beforeEach } from 'vitest'
import type { TestDatabase } from '../databases.ts'
import { dumpTables } from '../dump.ts'
import { useFreshApplication, useService } from '../use-service.ts'

/** Runs a service, and creates a new application with two resources for each test. */
export function useGrants(database: TestDatabase) {
  const service = useService(database)
  const app = useFreshApplication(service)
  beforeEach(async () => {
    await app.addResource('news', { name: 'The News', url: 'https://example.com/news' })
    await app.addResource('archive')
  })

  const now = () => service.clock.seconds
  const db = () => app.environment.database.read
  /** A repeated request is stored, whatever it changes. */
  const dumpRecords = async () => ({ ...(await dumpTables(db())), handled_requests: [] })
  const grant = (input: Partial<Grant> = {}) =>
    app.client.grantAccess({ rid: 'news', email: 'ann@example.com', user_ref: 'ann', ...input })
  const mails = () =>
    db().selectFrom('outbox').selectAll().where('aid', '=', app.aid).orderBy('created').execute()
  const mailCount = async () => (await mails()).length
  return { service, app, now, db, dumpRecords, grant, mails, mailCount }
}
