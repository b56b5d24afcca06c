import { describe, expect, it } from 'vitest'
import { databases } from '../../testing/databases.ts'
import { useFreshApplication, useService } from '../../testing/use-service.ts'
import { listEventsAfter } from './cursor.ts'
import { findLastPosition, listEvents } from './list.ts'
import { stampPositions } from './stamp.ts'
import { type EventDraft, writeEvents } from './write.ts'

describe.each(databases)('Positions of events on $name', (database) => {
  const service = useService(database)
  const app = useFreshApplication(service)

  const draft = (uid: string | undefined, name: string): EventDraft => ({
    type: uid === undefined ? 'catalogue.changed' : 'user.updated',
    uid,
    at: service.clock.seconds,
    data: { name },
    cause: { actor: 'test', action: name },
  })
  const write = (drafts: readonly EventDraft[], realTime: number) =>
    app.environment.database.write((trx) =>
      writeEvents(trx, { aid: app.aid, environment: 'sandbox' }, drafts, realTime),
    )
  const names = async (after = 0, types?: string[]) => {
    const rows = await listEvents(app.environment.database, app.aid, { after, limit: 100, types })
    return rows.map(({ position, body }) => `${position} ${JSON.parse(body).data.name}`)
  }

  it('keep the order of each reader, even if the clock of the later writer was behind', async () => {
    const first = await findLastPosition(app.environment.database, app.aid)
    await write([draft('ann', 'a1'), draft('bob', 'b1')], 2_000)
    await write([draft('ann', 'a2')], 1_000)
    await write([draft(undefined, 'none'), draft('bob', 'b2')], 1_500)
    expect(await stampPositions(app.environment.database, app.aid)).toBe(5)
    const listed = await names(first)
    expect(listed.map((text) => text.split(' ')[0])).toEqual(
      [1, 2, 3, 4, 5].map((n) => String(first + n)),
    )
    const order = listed.map((text) => text.split(' ')[1])
    for (const reader of ['a', 'b']) {
      expect(order.filter((name) => name?.startsWith(reader))).toEqual([`${reader}1`, `${reader}2`])
    }
    expect(order[0]).toBe('none')
  })

  it('continue after the last one, and are given once', async () => {
    await write([draft('ann', 'a1')], 2_000)
    const last = await findLastPosition(app.environment.database, app.aid)
    await write([draft('ann', 'a2')], 1_000)
    expect(await names(last)).toEqual([`${last + 1} a2`])
    expect(await stampPositions(app.environment.database, app.aid)).toBe(0)
    expect(await names(last, ['user.*', 'access.granted'])).toEqual([`${last + 1} a2`])
    expect(await names(last, ['access.*'])).toEqual([])
  })

  it('let a cursor move past events of other types, and skip none', async () => {
    const ask = (after: string, limit = 100) =>
      listEventsAfter(app.environment.database, app.aid, {
        ...{ after, limit, types: ['user.*'], realTime: app.environment.realTime() },
      })
    const { cursor: begin } = await ask('latest')
    await write([draft(undefined, 'other')], 1_000)
    const moved = await ask(begin)
    expect(moved).toMatchObject({ events: [], cursor: (await ask('latest')).cursor })
    expect(moved.cursor).not.toBe(begin)
    await write([draft('ann', 'a1'), draft('ann', 'a2'), draft(undefined, 'other')], 2_000)
    const first = await ask(moved.cursor, 1)
    expect(first).toMatchObject({ events: [{ uid: 'ann' }], more: true })
    expect((await ask(first.cursor)).events).toHaveLength(1)
  })
})
