import { describe, expect, it } from 'vitest'
import { readConfig } from '../../config/config.ts'
import { listRows } from '../../db/queries/rows.ts'
import { databases } from '../../testing/databases.ts'
import { answering } from '../../testing/webhooks/receiver.ts'
import {
  addEndpoint,
  addEvents,
  createTestSender,
  listDeliveries,
  readEndpoint,
} from '../../testing/webhooks/sending.ts'
import { useWebhooks } from '../../testing/webhooks/use-webhooks.ts'
import { listEventsAfter } from '../events/cursor.ts'
import { sweepEvents } from '../events/retention.ts'
import { putOnHold, removeHold } from '../installation/hold.ts'
import { getDelivery, resendDelivery } from './delivery-log.ts'
import { disableEndpoint } from './endpoints/endpoints.ts'
import { sweepDeliveries } from './sweep.ts'

const DAY = 86_400

describe.each(databases)('the upkeep of webhooks on $name', (database) => {
  const { service, app, receiver, sender, endpoint } = useWebhooks(database)
  const db = () => app.environment.database

  it('deletes events after their days, and deliveries and attempts with them', async () => {
    expect(readConfig({}).eventDays).toBe(30)
    const days = readConfig({ GATEHOUSE_EVENT_DAYS: '3' }).eventDays
    const [old] = await addEvents(app, ['ann'])
    await sender.sendAllDue()
    const { cursor } = await listEventsAfter(db(), app.aid, {
      ...{ after: undefined, limit: 10, types: undefined, realTime: service.clock.now },
    })
    service.clock.advance(DAY)
    const [young] = await addEvents(app, ['ann'])
    await sender.sendAllDue()
    const sweep = async () => {
      await sweepEvents(db(), days, service.clock.now)
      await sweepDeliveries(db(), service.clock.now)
      const { read } = db()
      const events = await listRows(read, 'events', { aid: app.aid }, ['position'])
      const attempts = await listRows(read, 'webhook_attempts', { aid: app.aid }, ['at'])
      const deliveries = await listDeliveries(app, endpoint.id)
      return [events, attempts, deliveries].map((rows) =>
        rows.map((row) => ('event_id' in row ? row.event_id : row.id)),
      )
    }
    service.clock.advance(2 * DAY)
    expect(await sweep()).toEqual([
      [old, young],
      [old, young],
      [old, young],
    ])
    service.clock.advance(1)
    expect(await sweep()).toEqual([[young], [young], [young]])
    const page = { limit: 10, types: undefined, realTime: service.clock.now }
    expect((await listEventsAfter(db(), app.aid, { after: cursor, ...page })).events).toHaveLength(
      1,
    )
    service.clock.advance(DAY)
    expect(await sweep()).toEqual([[], [], []])
    await expect(listEventsAfter(db(), app.aid, { after: cursor, ...page })).rejects.toThrow(
      'no longer kept',
    )
  })

  it('sends nothing on hold, and everything in its order after it', async () => {
    const gated = createTestSender(service, app.environment, service.ctx.gate)
    const { control } = service.ctx
    await control.write((trx) => putOnHold(trx, { cause: 'restored', since: service.clock.now }))
    try {
      const sent = await addEvents(app, ['ann', 'ann', 'ben'])
      for (let i = 0; i < 3; i++) {
        await gated.startDue()
        await gated.drain()
        service.clock.advance(2)
      }
      expect(endpoint.received()).toEqual([])
      // A hold is no failure of the receiver.
      expect(await readEndpoint(app, endpoint.id)).toMatchObject({ state: 'on', failures: 0 })
      for (const row of await listDeliveries(app, endpoint.id)) {
        expect(row).toMatchObject({ state: 'pending', attempts: 0, total_attempts: 0 })
      }
      await control.write(removeHold)
      await gated.sendAllDue()
      expect(endpoint.received().sort()).toEqual([...sent].sort())
      const ofAnn = sent.slice(0, 2)
      expect(endpoint.received().filter((id) => ofAnn.includes(id))).toEqual(ofAnn)
    } finally {
      await control.write(removeHold)
      gated.close()
    }
  })

  it('sends one delivery again when asked, and logs every attempt', async () => {
    const [event_id] = (await addEvents(app, ['ann'])) as [string]
    receiver.respond = answering(500)
    await sender.sendAllDue()
    const key = { aid: app.aid, endpoint: endpoint.id, event_id }
    const resend = () => db().write((trx) => resendDelivery(trx, key, service.clock.now))
    receiver.respond = answering(200)
    await resend()
    await sender.sendAllDue()
    await resend()
    await sender.sendAllDue()
    expect(endpoint.received()).toEqual([event_id, event_id, event_id])
    const { delivery, attempts, body } = await getDelivery(db().read, key)
    expect(delivery).toMatchObject({ state: 'delivered', attempts: 1, total_attempts: 3 })
    expect(attempts.map(({ number, status }) => [number, status])).toEqual([
      ...[
        [3, 200],
        [2, 200],
        [1, 500],
      ],
    ])
    expect(attempts[2]).toMatchObject({ response: 'status 500', error: expect.any(String) })
    expect(JSON.parse(body ?? '')).toMatchObject({ id: event_id })
    const change = { actor: 'test', now: service.clock.seconds, realTime: service.clock.now }
    await disableEndpoint(db(), { aid: app.aid, id: endpoint.id }, change)
    await expect(resend()).rejects.toMatchObject({ code: 'webhook_is_off' })
    await expect(
      db().write((trx) => resendDelivery(trx, { ...key, event_id: 'none' }, service.clock.now)),
    ).rejects.toMatchObject({ code: 'delivery_not_found' })
  })

  it('is measured', async () => {
    const readMetric = async (name: string) => {
      const text = await (await fetch(`${service.url}/metrics`)).text()
      const line = text.split('\n').find((one) => one.startsWith(name)) ?? ''
      expect(line).toMatch(/ \d/)
      return Number(line.split(' ').at(-1))
    }
    const ofState = (state: string) =>
      readMetric(`gatehouse_webhook_endpoints{environment="production",state="${state}"}`)
    const calls = (outcome: string) =>
      readMetric(`gatehouse_webhook_calls_total{environment="production",outcome="${outcome}"`)
    const [on, off, taken, failed] = await Promise.all([
      ...[ofState('on'), ofState('off'), calls('delivered'), calls('failed')],
    ])
    await addEvents(app, ['ann'])
    await sender.sendAllDue()
    receiver.respond = answering(410)
    await addEvents(app, ['ann'])
    await sender.sendAllDue()
    expect(await calls('delivered')).toBe((taken as number) + 1)
    // Endpoints of other tests share the receiver, and are switched off, too.
    expect(await calls('failed')).toBe((failed as number) + 1)
    expect(await ofState('on')).toBe((on as number) - 1)
    expect(await ofState('off')).toBe((off as number) + 1)
    const age = 'gatehouse_webhook_oldest_seconds{environment="production"}'
    expect(await readMetric(age)).toBe(0)
    const late = await addEndpoint(service, app, `${receiver.url}/late`)
    await addEvents(app, ['ann'])
    await sender.startDue()
    await sender.drain()
    await db().write((trx) =>
      trx
        .updateTable('webhook_deliveries')
        .set({ state: 'pending', due: Date.now() - 60_000 })
        .where('endpoint', '=', late)
        .execute(),
    )
    const makeState = (state: 'on' | 'failing') =>
      db().write((trx) =>
        trx
          .updateTable('webhook_endpoints')
          .set({ state, resume_at: 0, off_at: null, off_reason: null, missed_from: null })
          .where('id', '=', late)
          .execute(),
      )
    await makeState('on')
    expect(await readMetric(age)).toBeGreaterThanOrEqual(60)
    await makeState('failing')
    expect(await readMetric(age)).toBe(0)
  })
})
