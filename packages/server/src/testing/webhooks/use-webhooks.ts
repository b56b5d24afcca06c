import type { TestDatabase } from '../databases.ts'
import { useFreshFixture } from '../fixtures.ts'
import { useFreshApplication, useReceiver, useService, useWebhookSender } from '../use-service.ts'
import { answering } from './receiver.ts'
import { addEndpoint } from './sending.ts'

/** An endpoint of an application at a receiver. */
interface TestEndpoint {
  id: string
  /** The ids of the events that it has got. */
  received(): string[]
}

/**
 * Runs a service, a sender that sends when a test says so, and a receiver. Each test has a new application with an
 * endpoint there, which accepts everything.
 */
export function useWebhooks(database: TestDatabase) {
  const service = useService(database)
  const app = useFreshApplication(service)
  const receiver = useReceiver()
  const sender = useWebhookSender(service)
  const endpoint = useFreshFixture<TestEndpoint>(async () => {
    receiver.respond = answering(200)
    const path = `/${app.aid}`
    const id = await addEndpoint(service, app, receiver.url + path)
    receiver.received = []
    const received = () => receiver.received.filter((call) => call.path === path)
    return { id, received: () => received().map((call) => call.id) }
  })
  return { service, app, receiver, sender, endpoint }
}
