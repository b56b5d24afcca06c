import { beforeEach, describe, expect, it } from 'vitest'
import { databases } from '../../testing/databases.ts'
import { useFreshApplication, useOwner, useService } from '../../testing/use-service.ts'

interface Note {
  id: string
  text: string
  actor: string
  created: number
  changed: number | null
  changed_by: string | null
}

describe.each(databases)('Notes about a person on $name', (database) => {
  const service = useService(database)
  const owner = useOwner(service)
  const app = useFreshApplication(service, { resources: ['news'] })

  const now = () => service.clock.seconds
  const ask = (method: string, path: string, body?: unknown) =>
    owner.call(method, `/production/${app.aid}${path}`, body)
  const newPerson = async (name: string) =>
    (await app.client.grantAccess({ rid: 'news', email: `${name}@example.com` })).uid
  const notesOf = async (uid: string) =>
    ((await ask('GET', `/people/${uid}`)).json as { notes: Note[] }).notes
  const write = async (uid: string, text: string) => {
    const done = await ask('POST', `/people/${uid}/notes`, { text })
    expect(done.status).toBe(200)
    return (done.json as Note[])[0] as Note
  }

  it('are added once, also if the answer was lost and the same is sent again', async () => {
    const uid = await newPerson('twice')
    const first = await write(uid, 'Called.')
    service.clock.advance(599)
    expect(await write(uid, 'Called. ')).toEqual(first)
    await write(uid, 'Called again.')
    service.clock.advance(1)
    await write(uid, 'Called.')
    const texts = (await notesOf(uid)).map(({ text }) => text)
    expect(texts).toEqual(['Called.', 'Called again.', 'Called.'])
  })

  it('are added, changed and removed, newest first, with who and when', async () => {
    const uid = await newPerson('ann')
    const by = `staff:${owner.id}`
    const first = await write(uid, '  Called.\r\nWants an invoice.\r  ')
    expect(first).toEqual({
      ...{ id: expect.any(String), text: 'Called.\nWants an invoice.', actor: by },
      ...{ created: now(), changed: null, changed_by: null },
    })
    service.clock.advance(60)
    const second = await write(uid, 'Second')
    service.clock.advance(60)
    await ask('PATCH', `/people/${uid}/notes/${first.id}`, { text: 'Paid' })
    const changed = { ...first, text: 'Paid', changed: now(), changed_by: by }
    expect(await notesOf(uid)).toEqual([second, changed])
    service.clock.advance(60)
    await ask('PATCH', `/people/${uid}/notes/${first.id}`, { text: 'Paid' })
    expect(await notesOf(uid)).toEqual([second, changed])
    expect((await ask('DELETE', `/people/${uid}/notes/${second.id}`)).json).toEqual([changed])
    const timeline = (await ask('GET', `/people/${uid}/timeline`)).json as {
      data: { what: string; actor: string }[]
    }
    const told = timeline.data.filter(({ what }) => what.startsWith('note '))
    expect(told.map(({ what, actor }) => [what, actor])).toEqual([
      ['note removed', by],
      ['note changed', by],
      ['note added', by],
      ['note added', by],
    ])
  })

  it('are refused empty, longer than 2,000 characters, or with control characters, at the field', async () => {
    const uid = await newPerson('bob')
    for (const [text, problem] of [
      [' \n ', 'must not be empty'],
      ['x'.repeat(2_001), 'must have at most 2000 characters'],
      ['a\u0000b', 'must not contain control characters'],
    ] as const) {
      const { status, json } = await ask('POST', `/people/${uid}/notes`, { text })
      expect([status, json]).toMatchObject([400, { error: { parameter: 'text', problem } }])
    }
    expect((await write(uid, '😀'.repeat(2_000))).text).toHaveLength(4_000)
  })

  it('are of one person of one application', async () => {
    const [ann, bob] = [await newPerson('ann'), await newPerson('bob')]
    const { id } = await write(ann, 'About Ann')
    const other = await service.newApplication()
    for (const path of [
      `/production/${app.aid}/people/${bob}/notes/${id}`,
      `/production/${other.aid}/people/${ann}/notes/${id}`,
      `/production/${app.aid}/people/nobody/notes/${id}`,
    ]) {
      expect((await owner.call('PATCH', path, { text: 'x' })).status).toBe(404)
      expect((await owner.call('DELETE', path)).status).toBe(404)
    }
    expect(await notesOf(ann)).toMatchObject([{ text: 'About Ann' }])
  })

  beforeEach(async () => {
    await owner.confirm()
  })

  it('follow a merge, are in the export, and go with an erasure, after which none can be added', async () => {
    const [ann, bob] = [await newPerson('ann'), await newPerson('bob')]
    await write(ann, 'Of the first')
    await write(bob, 'Of the second')
    await ask('POST', `/people/${ann}/merge`, { into: bob })
    expect((await ask('POST', `/people/${ann}/notes`, { text: 'Too late' })).status).toBe(404)
    const exported = (await ask('GET', `/people/${bob}/export`)).json as { notes: Note[] }
    expect(exported.notes.map(({ text }) => text).sort()).toEqual(['Of the first', 'Of the second'])
    await ask('POST', `/people/${bob}/erase`)
    expect(await notesOf(bob)).toEqual([])
    expect((await ask('POST', `/people/${bob}/notes`, { text: 'Too late' })).status).toBe(404)
  })

  it('an erasure and ten notes at once leave none behind', async () => {
    const uid = await newPerson('eve')
    await Promise.all([
      ask('POST', `/people/${uid}/erase`),
      ...Array.from({ length: 10 }, (_, i) =>
        ask('POST', `/people/${uid}/notes`, { text: `Note ${i}` }),
      ),
    ])
    expect(await notesOf(uid)).toEqual([])
  })
})
