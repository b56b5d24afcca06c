import { beforeAll, describe, expect, it } from 'vitest'
import { entryPointDatabases } from '../../../testing/databases.ts'
import { sendSigned } from '../../../testing/http/requests.ts'
import { useApplication, useService } from '../../../testing/use-service.ts'
import { addEndpoint, addEvents, createTestSender } from '../../../testing/webhooks/sending.ts'

const HOUR = 3_600

describe.each(entryPointDatabases)('POST /r2/event/replay on $name', (database) => {
  const service = useService(database)
  const app = useApplication(service)
  let endpoint: string
  beforeAll(async () => {
    endpoint = await addEndpoint(service, app, 'http://127.0.0.1:9/hook')
    await addEvents(app, ['ann', 'ben'])
    // Nothing listens there; all that matters is that the events were queued, and failed.
    const sender = createTestSender(service, app.environment)
    await sender.sendAllDue()
    sender.close()
    await app.environment.database.write((trx) =>
      trx.updateTable('webhook_deliveries').set({ state: 'failed' }).execute(),
    )
  })
  const listReplays = async () =>
    await app.environment.database.read.selectFrom('webhook_replays').selectAll().execute()

  const setState = (state: 'on' | 'disabled') =>
    app.environment.database.write((trx) =>
      trx.updateTable('webhook_endpoints').set({ state }).where('id', '=', endpoint).execute(),
    )

  it('counts in a preview, and starts a replay once for each key', async () => {
    const from = service.clock.seconds - HOUR
    const counted = await app.client.replayEvents({ endpoint, from, preview: true })
    const [oldest, newest] = [service.clock.seconds, service.clock.seconds]
    const times = { from, to: service.clock.seconds, oldest, newest }
    expect(counted).toEqual({ endpoint, mode: 'failed', events: 2, ...times })
    expect(await listReplays()).toEqual([])
    const input = { endpoint, from, mode: 'all' as const, idempotency_key: 'again' }
    const started = await app.client.replayEvents(input)
    expect(started).toMatchObject({ id: expect.any(String), mode: 'all', events: 2 })
    expect(await app.client.replayEvents(input)).toEqual(started)
    expect(await listReplays()).toMatchObject([
      { id: started.id, actor: 'api', from_time: from * 1000, mode: 'all' },
    ])
    await expect(app.client.replayEvents({ endpoint, from })).rejects.toMatchObject({
      ...{ status: 402, code: 'replay_running' },
    })
    await setState('disabled')
    expect(await app.client.replayEvents(input)).toEqual(started)
    await setState('on')
  })

  it.each([
    [{ from: 0 }, 400, 'endpoint'],
    [{ endpoint: 'x' }, 400, 'from'],
    [{ endpoint: 'x', from: 'soon' }, 400, 'from'],
    [{ endpoint: 'x', from: 0, mode: 'some' }, 400, 'mode'],
    [{ endpoint: 'x', from: 0 }, 404, undefined],
  ])('refuses %j with %i', async (input, status, parameter) => {
    const response = await sendSigned(app, 'POST', '/r2/event/replay', input)
    const { error } = JSON.parse(response.text)
    expect([response.status, error.parameter]).toEqual([status, parameter])
  })

  it('refuses an end before the beginning', async () => {
    const input = { endpoint, from: 2, to: 1 }
    const response = await sendSigned(app, 'POST', '/r2/event/replay', input)
    expect(response.status).toBe(400)
    expect(JSON.parse(response.text).error).toMatchObject({ parameter: 'to' })
  })
})
