import { afterEach } from 'vitest'
import type { TestDatabase } from '../databases.ts'
import { useApplication, useReceiver, useService, useWebhookSender } from '../use-service.ts'
import { answering } from './receiver.ts'
import { addEndpoint } from './sending.ts'

/** Runs a service with one application, a sender that sends when a test says so, and a receiver. */
export function useSender(database: TestDatabase) {
  const service = useService(database)
  const receiver = useReceiver()
  const sender = useWebhookSender(service)
  const app = useApplication(service)

  /** Each test has its own endpoint, which is switched off afterwards. */
  afterEach(async () => {
    receiver.received = []
    receiver.respond = answering(200)
    await app.environment.database.write(async (trx) => {
      await trx.deleteFrom('webhook_attempts').where('aid', '=', app.aid).execute()
      await trx.deleteFrom('webhook_deliveries').where('aid', '=', app.aid).execute()
      await trx.deleteFrom('webhook_secrets').where('aid', '=', app.aid).execute()
      await trx.deleteFrom('webhook_endpoints').where('aid', '=', app.aid).execute()
      await trx.deleteFrom('notices').where('aid', '=', app.aid).execute()
    })
  })

  const add = async (more: Parameters<typeof addEndpoint>[3] = {}) => {
    const counter = await app.environment.database.read
      .selectFrom('event_counters')
      .select('position')
      .where('aid', '=', app.aid)
      .executeTakeFirst()
    return await addEndpoint(service, app, `${receiver.url}/hook`, {
      position: counter?.position ?? 0,
      ...more,
    })
  }
  return { service, receiver, sender, app, add }
}
