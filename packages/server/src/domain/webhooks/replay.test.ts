import { beforeEach, describe, expect, it } from 'vitest'
import { Failure } from '../../errors.ts'
import { databases } from '../../testing/databases.ts'
import { answering } from '../../testing/webhooks/receiver.ts'
import { addEvents, readEndpoint } from '../../testing/webhooks/sending.ts'
import { useWebhooks } from '../../testing/webhooks/use-webhooks.ts'
import { disableEndpoint, enableEndpoint } from './endpoints/endpoints.ts'
import { previewReplay, type ReplayInput, startReplay } from './replay.ts'
import { sweepDeliveries } from './sweep.ts'

const HOUR = 3_600

describe.each(databases)('a replay on $name', (database) => {
  const { service, app, receiver, sender, endpoint } = useWebhooks(database)
  beforeEach(async () => {
    await sender.sendAllDue()
    receiver.received = []
  })

  const change = () => ({ actor: 'cli', now: service.clock.seconds, realTime: service.clock.now })
  const key = () => ({ aid: app.aid, id: endpoint.id })
  const sinceAnHour = (mode: ReplayInput['mode']): ReplayInput => ({
    ...{ from: service.clock.now - HOUR * 1000, to: service.clock.now, mode },
  })
  const preview = (input: ReplayInput, limit?: number) =>
    previewReplay(app.environment.database, key(), input, limit)
  const start = (input: ReplayInput) =>
    app.environment.database.write((trx) => startReplay(trx, key(), input, change()))
  const received = () => {
    const ids = endpoint.received()
    receiver.received = []
    return ids
  }
  const problemOf = async (work: Promise<unknown>) => {
    const error = await work.catch((thrown: unknown) => thrown)
    return error instanceof Failure ? error.code : error
  }

  it('sends what was not delivered, or everything, with the same ids and in order', async () => {
    receiver.respond = ({ uid }, response) =>
      void answering(uid === 'ben' ? 410 : 200)({} as never, response)
    const [first, second] = await addEvents(app, ['ann', 'ann'])
    await sender.sendAllDue()
    const [failed] = await addEvents(app, ['ben'])
    await sender.sendAllDue()
    const missed = await addEvents(app, ['ann', 'cat'], 'access.granted')
    await enableEndpoint(app.environment.database, key(), change())
    receiver.respond = answering(200)
    received()
    service.clock.advance(1)
    expect(await preview(sinceAnHour('failed'))).toMatchObject({ events: 3 })
    expect(await preview(sinceAnHour('all'))).toMatchObject({
      ...{ events: 5, oldest: service.clock.now - 1000, newest: service.clock.now - 1000 },
    })
    await start(sinceAnHour('failed'))
    await sender.sendAllDue()
    expect(received().sort()).toEqual([failed, ...missed].sort())
    expect(await preview(sinceAnHour('failed'))).toEqual({ events: 0, oldest: null, newest: null })
    await start(sinceAnHour('all'))
    await sender.sendAllDue()
    const all = received()
    expect([...all].sort()).toEqual([first, second, failed, ...missed].sort())
    const ofAnn = [first, second, missed[0]]
    expect(all.filter((id) => ofAnn.includes(id))).toEqual(ofAnn)
  })

  it('takes the events of its time alone, to the second, and of the types of the endpoint', async () => {
    const written: string[] = []
    for (let i = 0; i < 4; i++) {
      written.push(...(await addEvents(app, [`reader ${i}`])))
      service.clock.advance(2 * HOUR)
    }
    await addEvents(app, ['ann'], 'access.granted')
    const { database } = app.environment
    // A long transaction got its position late: it lies between events that were written after it.
    await database.write((trx) =>
      trx
        .updateTable('events')
        .set((eb) => ({ created: eb('created', '-', 2.5 * HOUR * 1000) }))
        .where('id', '=', written[2] as string)
        .execute(),
    )
    await database.write((trx) =>
      trx
        .updateTable('webhook_endpoints')
        .set({ types: '["user.*"]' })
        .where('id', '=', endpoint.id)
        .execute(),
    )
    await sender.sendAllDue()
    received()
    const begin = service.clock.now - 8 * HOUR * 1000
    const range = { from: begin + HOUR * 1000, to: begin + 2 * HOUR * 1000, mode: 'all' as const }
    expect(await preview(range)).toMatchObject({ events: 2, newest: range.to })
    expect(await preview({ ...range, to: range.to - 1 })).toMatchObject({ events: 1 })
    await start(range)
    await sender.sendAllDue()
    expect(received().sort()).toEqual([written[1], written[2]].sort())
  })

  it('leaves alone what waits for an attempt, and what is yet to be queued', async () => {
    receiver.respond = answering(500)
    await addEvents(app, ['ann'])
    await sender.sendAllDue()
    await addEvents(app, ['ben'])
    expect(await preview(sinceAnHour('all'))).toMatchObject({ events: 0 })
    await start(sinceAnHour('all'))
    receiver.respond = answering(200)
    received()
    service.clock.advance(5)
    await sender.sendAllDue()
    expect(received()).toHaveLength(2)
  })

  it('is bounded, is one at a time, and needs an endpoint that is on', async () => {
    await addEvents(app, ['ann', 'ben', 'cat'])
    await sender.sendAllDue()
    const input = sinceAnHour('all')
    expect(await problemOf(preview(input, 2))).toBe('replay_too_large')
    expect(await preview(input, 3)).toMatchObject({ events: 3 })
    expect(await problemOf(preview({ ...input, from: input.to + 1 }))).toBe('invalid_parameter')
    await start(input)
    expect(await problemOf(start(input))).toBe('replay_running')
    await sender.sendAllDue()
    await start(input)
    await disableEndpoint(app.environment.database, key(), change())
    expect(await problemOf(preview(input))).toBe('webhook_is_off')
    expect(await problemOf(start(input))).toBe('webhook_is_off')
    const nowhere = { aid: app.aid, id: 'nothing' }
    expect(await problemOf(previewReplay(app.environment.database, nowhere, input))).toBe(
      'webhook_not_found',
    )
  })

  it('ends when the endpoint is switched off, which offers what it had not sent', async () => {
    await addEvents(app, ['ann'])
    await sender.sendAllDue()
    const begin = service.clock.now
    service.clock.advance(60)
    await start(sinceAnHour('all'))
    await disableEndpoint(app.environment.database, key(), change())
    service.clock.advance(60)
    await enableEndpoint(app.environment.database, key(), change())
    received()
    await sender.sendAllDue()
    expect(received()).toEqual([])
    const offered = { missed_from: begin, missed_to: service.clock.now }
    expect(await readEndpoint(app, endpoint.id)).toMatchObject(offered)
    await start({ from: begin, to: service.clock.now - 1, mode: 'all' })
    expect(await readEndpoint(app, endpoint.id)).toMatchObject(offered)
    await sender.sendAllDue()
    await start({ from: begin, to: service.clock.now, mode: 'all' })
    expect(await readEndpoint(app, endpoint.id)).toMatchObject({
      missed_from: null,
      missed_to: null,
    })
  })

  it('is in the history, and is forgotten 30 days after its end', async () => {
    const { id } = await start(sinceAnHour('failed'))
    await sender.sendAllDue()
    const { read } = app.environment.database
    const recorded = await read
      .selectFrom('history')
      .select(['actor', 'after'])
      .where('aid', '=', app.aid)
      .where('action', '=', 'webhook replayed')
      .executeTakeFirstOrThrow()
    expect(recorded.actor).toBe('cli')
    expect(recorded.after).toContain(id)
    const listReplays = () =>
      read.selectFrom('webhook_replays').select('id').where('aid', '=', app.aid).execute()
    const sweep = () => sweepDeliveries(app.environment.database, service.clock.now)
    service.clock.advance(30 * 24 * HOUR - 1)
    await sweep()
    expect(await listReplays()).toHaveLength(1)
    service.clock.advance(1)
    await sweep()
    expect(await listReplays()).toEqual([])
  })
})
