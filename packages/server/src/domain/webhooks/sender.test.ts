import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { databases } from '../../testing/databases.ts'
import { answering, type ReceivedEvent } from '../../testing/webhooks/receiver.ts'
import { addSecretRow } from '../../testing/webhooks/rows.ts'
import {
  addEvents,
  createTestSender,
  listDeliveries,
  readEndpoint,
  TEST_SECRET,
} from '../../testing/webhooks/sending.ts'
import { useSender } from '../../testing/webhooks/use-sender.ts'
import { noticeFailing } from './failing-notices.ts'
import { switchOn } from './switch.ts'

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const idsOf = (events: readonly ReceivedEvent[]) => events.map(({ id }) => id)

describe.each(databases)('webhooks on $name', (database) => {
  const { service, receiver, sender, app, add } = useSender(database)

  it('are signed as the standard says, by every live secret, over the body as it was frozen', async () => {
    const endpoint = await add()
    const second = `whsec_${Buffer.alloc(32, 9).toString('base64')}`
    const key = { aid: app.aid, endpoint, id: 'second', text: second }
    await app.environment.database.write(async (trx) => {
      await trx
        .updateTable('webhook_secrets')
        .set({ dies: service.clock.now + 1000 })
        .where('aid', '=', app.aid)
        .execute()
      await addSecretRow(trx, service.ctx.masterKey, key)
    })
    const [id] = await addEvents(app, ['Zoë 🙂'])
    await sender.sendAllDue()
    const [event] = receiver.received as [ReceivedEvent]
    expect(event.id).toBe(id)
    const headers = event.headers as Record<string, string>
    // The library compares the time with the machine's clock, which is not the clock of this test.
    const at = Number(headers['webhook-timestamp'])
    expect(at).toBe(service.clock.seconds)
    for (const secret of [TEST_SECRET, second]) {
      const webhook = new Webhook(secret)
      const signed = webhook.sign(event.id, new Date(at * 1000), event.body)
      expect(headers['webhook-signature']?.split(' ')).toContain(signed)
      const now = Math.floor(Date.now() / 1000)
      const fresh = webhook.sign(event.id, new Date(now * 1000), event.body)
      const renewed = { ...headers, 'webhook-timestamp': String(now), 'webhook-signature': fresh }
      expect(webhook.verify(event.body, renewed)).toMatchObject({ id, data: { uid: 'Zoë 🙂' } })
    }
    service.clock.advance(2)
    await addEvents(app, ['ann'])
    await sender.sendAllDue()
    expect(receiver.received.at(-1)?.headers['webhook-signature']).toMatch(/^v1,[^ ]+$/)
  })

  it('are only of the types that an endpoint wants', async () => {
    await add({ types: '["access.*", "user.erased"]' })
    await addEvents(app, ['ann'])
    const wanted = [
      ...(await addEvents(app, ['ann'], 'access.granted')),
      ...(await addEvents(app, ['ann'], 'user.erased')),
    ]
    await addEvents(app, ['ann'], 'payment.succeeded')
    await sender.sendAllDue()
    expect(idsOf(receiver.received)).toEqual(wanted)
  })

  it('are retried at growing intervals, and then given up', async () => {
    const endpoint = await add()
    receiver.respond = answering(500)
    await addEvents(app, ['ann'])
    const pauses = [
      5,
      MINUTE,
      5 * MINUTE,
      15 * MINUTE,
      HOUR,
      3 * HOUR,
      6 * HOUR,
      12 * HOUR,
      DAY,
      DAY,
    ]
    for (const [attempt, pause] of pauses.entries()) {
      await sender.sendAllDue()
      expect(receiver.received.length).toBe(attempt + 1)
      service.clock.advance(pause - 1)
      await sender.sendAllDue()
      expect(receiver.received.length).toBe(attempt + 1)
      service.clock.advance(1)
    }
    await sender.sendAllDue()
    service.clock.advance(30 * DAY)
    await sender.sendAllDue()
    expect(receiver.received.length).toBe(pauses.length + 1)
    expect(await listDeliveries(app, endpoint)).toMatchObject([{ state: 'failed', attempts: 11 }])
    const attempts = await app.environment.database.read
      .selectFrom('webhook_attempts')
      .selectAll()
      .where('aid', '=', app.aid)
      .orderBy('number')
      .execute()
    expect(attempts.length).toBe(11)
    expect(attempts[0]).toMatchObject({ status: 500, response: 'status 500' })
  })

  it('wait as long as the receiver asks for', async () => {
    const endpoint = await add()
    receiver.respond = answering(429, { 'retry-after': '600' })
    await addEvents(app, ['ann', 'ben'])
    await sender.startDue()
    await sender.drain()
    receiver.respond = answering(200)
    const before = receiver.received.length
    service.clock.advance(599)
    await addEvents(app, ['cat'])
    await sender.sendAllDue()
    expect(receiver.received.length).toBe(before)
    service.clock.advance(1)
    await sender.sendAllDue()
    const states = (await listDeliveries(app, endpoint)).map(({ state }) => state)
    expect(states).toEqual(['delivered', 'delivered', 'delivered'])
  })

  it('keep the order of a reader for 15 minutes, while other readers never wait', async () => {
    await add()
    const [first, second, other] = await addEvents(app, ['ann', 'ann', 'ben'])
    receiver.respond = (event, response) =>
      answering(event.id === first ? 500 : 200)(event, response)
    const sentOf = () => idsOf(receiver.received).filter((id) => id !== first)
    await sender.sendAllDue()
    expect(sentOf()).toEqual([other])
    // The first event is tried after 5 s, 1 min and 5 min; the second passes it while it waits for 15 min.
    for (const pause of [5, MINUTE, 5 * MINUTE]) {
      service.clock.advance(pause)
      await sender.sendAllDue()
    }
    service.clock.advance(15 * MINUTE - 5 - 6 * MINUTE - 1)
    await sender.sendAllDue()
    expect(sentOf()).toEqual([other])
    service.clock.advance(1)
    await sender.sendAllDue()
    expect(sentOf()).toEqual([other, second])
  })

  it('never overtake each other in what waited for a receiver that works again', async () => {
    const endpoint = await add()
    receiver.respond = answering(500)
    const sent = await addEvents(
      app,
      Array.from({ length: 60 }, (_, i) => `reader ${i % 6}`),
    )
    await sender.sendAllDue()
    service.clock.advance(HOUR)
    await sender.sendAllDue()
    expect((await readEndpoint(app, endpoint)).state).toBe('failing')
    receiver.received = []
    receiver.respond = answering(200)
    service.clock.advance(HOUR)
    await sender.sendAllDue()
    expect([...idsOf(receiver.received)].sort()).toEqual([...sent].sort())
    for (let i = 0; i < 6; i++) {
      const sequences = receiver.received
        .filter(({ uid }) => uid === `reader ${i}`)
        .map(({ sequence }) => sequence as number)
      expect(sequences).toEqual([...sequences].sort((a, b) => a - b))
    }
    expect(await readEndpoint(app, endpoint)).toMatchObject({ state: 'on', failures: 0 })
  })

  it('probe a failing endpoint with one event at a time, and store few of the many that wait', async () => {
    const endpoint = await add()
    receiver.respond = answering(503)
    const uids = Array.from({ length: 80 }, (_, i) => `reader ${i}`)
    await addEvents(app, uids)
    const limits = { maxFresh: 60, fewFresh: 20, maxOpen: 20_000 }
    const few = createTestSender(service, app.environment, undefined, limits)
    await few.sendAllDue()
    const burst = receiver.received.length
    expect(burst).toBeLessThanOrEqual(16)
    for (const pause of [5, MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, HOUR, HOUR]) {
      service.clock.advance(pause)
      receiver.received = []
      await few.sendAllDue()
      expect(receiver.received.length).toBe(1)
    }
    const stored = await listDeliveries(app, endpoint)
    expect(stored.length).toBe(60)
    receiver.respond = answering(200)
    receiver.received = []
    service.clock.advance(HOUR)
    await few.sendAllDue()
    expect(new Set(idsOf(receiver.received)).size).toBe(80)
    await few.close()
  })

  it('stop after five days without a success, with an email after an hour, a day and then', async () => {
    const endpoint = await add()
    receiver.respond = answering(500)
    await addEvents(
      app,
      Array.from({ length: 100 }, (_, i) => `reader ${i}`),
    )
    const notices = async () => {
      await sender.sendAllDue()
      const clocks = { now: service.clock.seconds, realTime: service.clock.now }
      await noticeFailing(app.environment.database, clocks)
      const rows = await app.environment.database.read
        .selectFrom('notices')
        .select('event')
        .where('aid', '=', app.aid)
        .orderBy('id')
        .execute()
      return rows.map(({ event }) => event)
    }
    expect(await notices()).toEqual([])
    service.clock.advance(HOUR - 1)
    expect(await notices()).toEqual([])
    service.clock.advance(1)
    expect(await notices()).toEqual(['webhook_hour'])
    service.clock.advance(23 * HOUR - 1)
    expect(await notices()).toEqual(['webhook_hour'])
    service.clock.advance(1)
    // With those of the beginning, these probes are more than 20 failures.
    for (const hours of [0, 12, 12, 12, 12, 12, 12, 12, 11]) {
      service.clock.advance(hours * HOUR)
      expect(await notices()).toEqual(['webhook_hour', 'webhook_day'])
    }
    expect((await readEndpoint(app, endpoint)).state).toBe('failing')
    service.clock.advance(2 * HOUR)
    expect(await notices()).toEqual(['webhook_hour', 'webhook_day', 'webhook_off'])
    const off = await readEndpoint(app, endpoint)
    expect(off).toMatchObject({ state: 'off', off_reason: 'failing', missed_to: null })
    expect(off.missed_from).toBeLessThan(service.clock.now - 5 * DAY * 1000)
  })

  it('stop at once when the endpoint is gone, and go on with new events when it is switched on', async () => {
    const endpoint = await add()
    receiver.respond = answering(410)
    await addEvents(app, ['ann'])
    await sender.sendAllDue()
    expect(await readEndpoint(app, endpoint)).toMatchObject({ state: 'off', off_reason: 'gone' })
    await addEvents(app, ['ann', 'ben'])
    await sender.sendAllDue()
    receiver.received = []
    receiver.respond = answering(200)
    const row = await readEndpoint(app, endpoint)
    await app.environment.database.write((trx) => switchOn(trx, row, service.clock.now))
    const [id] = await addEvents(app, ['ann'])
    await sender.sendAllDue()
    expect(idsOf(receiver.received)).toEqual([id])
    const on = await readEndpoint(app, endpoint)
    expect(on).toMatchObject({ state: 'on', missed_to: service.clock.now })
    expect(on.missed_from).not.toBeNull()
  })

  it('are not followed to another address', async () => {
    const endpoint = await add()
    receiver.respond = answering(302, { location: `${receiver.url}/elsewhere` })
    await addEvents(app, ['ann'])
    await sender.sendAllDue()
    expect(receiver.received.map(({ path }) => path)).toEqual(['/hook'])
    expect((await readEndpoint(app, endpoint)).last_error).toMatch(/redirect/)
  })
})
