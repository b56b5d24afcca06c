import { describe, expect, it } from 'vitest'
import { databases } from '../../testing/databases.ts'
import type { TestMember } from '../../testing/staff.ts'
import { useFreshApplication, useService, useStaff } from '../../testing/use-service.ts'

interface View {
  id: string
  list: string
  name: string
  search: Record<string, string>
  is_default: boolean
}

describe.each(databases)('Saved views on $name', (database) => {
  const service = useService(database)
  const staff = useStaff(service)
  const app = useFreshApplication(service, { resources: ['news'] })

  const ask = (who: TestMember, method: string, path: string, body?: unknown) =>
    who.call(method, `/production/${app.aid}/views${path}`, body)
  const viewsOf = async (who: TestMember) =>
    ((await ask(who, 'GET', '')).json as { data: View[] }).data
  const save = async (who: TestMember, name: string, list = 'access') => {
    const search = { state: 'ending', sort: '-ends' }
    service.clock.advance(1)
    const done = await ask(who, 'POST', '', { list, name, search })
    expect(done.status).toBe(200)
    return (done.json as { id: string }).id
  }

  it('belong to one member, application and list, whatever the role', async () => {
    const { owner, reader } = staff
    const id = await save(reader, ' Ending soon ')
    expect(await viewsOf(reader)).toEqual([
      {
        ...{ id, list: 'access', name: 'Ending soon', is_default: false },
        search: { state: 'ending', sort: '-ends' },
      },
    ])
    expect(await viewsOf(owner)).toEqual([])
    const other = await service.newApplication()
    const elsewhere = await reader.call('GET', `/production/${other.aid}/views`)
    expect(elsewhere.json).toEqual({ data: [] })
    for (const path of [`/production/${app.aid}/views/${id}`]) {
      expect((await owner.call('PATCH', path, { name: 'Mine' })).status).toBe(404)
      expect((await owner.call('DELETE', path)).status).toBe(404)
    }
    const there = `/production/${other.aid}/views/${id}`
    expect((await reader.call('DELETE', there)).status).toBe(404)
    expect(await viewsOf(reader)).toHaveLength(1)
  })

  it('are renamed, changed and removed; a name is used once per list', async () => {
    const { support } = staff
    const [first, second] = [await save(support, 'First'), await save(support, 'Second')]
    await save(support, 'First', 'payments')
    const taken = await ask(support, 'PATCH', `/${second}`, { name: 'First' })
    expect([taken.status, taken.json]).toMatchObject([400, { error: { parameter: 'name' } }])
    const again = await ask(support, 'POST', '', {
      ...{ list: 'access', name: 'First', search: { state: 'live' } },
    })
    expect([again.status, again.json]).toMatchObject([400, { error: { parameter: 'name' } }])
    await ask(support, 'PATCH', `/${second}`, { name: 'Other', search: { rid: 'news' } })
    await ask(support, 'PATCH', `/${first}`, { name: 'First' })
    await ask(support, 'DELETE', `/${first}`)
    expect(await viewsOf(support)).toMatchObject([
      { name: 'Other', search: { rid: 'news' } },
      { name: 'First', list: 'payments' },
    ])
  })

  it('have one default per list, also when ten are chosen at once', async () => {
    const { developer } = staff
    const ids: string[] = []
    for (let i = 0; i < 10; i++) ids.push(await save(developer, `View ${i}`))
    const payments = await save(developer, 'Payments', 'payments')
    await ask(developer, 'PATCH', `/${payments}`, { is_default: true })
    const done = await Promise.all(
      ids.map((id) => ask(developer, 'PATCH', `/${id}`, { is_default: true })),
    )
    expect(done.map(({ status }) => status)).toEqual(ids.map(() => 200))
    const views = await viewsOf(developer)
    expect(views.filter((view) => view.is_default && view.list === 'access')).toHaveLength(1)
    expect(views.find(({ id }) => id === payments)?.is_default).toBe(true)
    const chosen = views.find((view) => view.is_default)?.id
    await ask(developer, 'PATCH', `/${chosen}`, { is_default: false })
    expect((await viewsOf(developer)).filter((view) => view.is_default)).toHaveLength(1)
  })

  it('are refused with a list that is not there, without a name or filters, and beyond 50', async () => {
    const { owner } = staff
    const view = { list: 'access', name: 'View', search: { state: 'live' } }
    for (const [wrong, parameter] of [
      [{ list: 'staff' }, 'list'],
      [{ name: '  ' }, 'name'],
      [{ name: 'x'.repeat(61) }, 'name'],
      [{ search: {} }, 'search'],
      [{ search: { 'a b': 'x' } }, 'search'],
      [{ search: { state: 'x'.repeat(256) } }, 'search'],
    ] as const) {
      const { status, json } = await ask(owner, 'POST', '', { ...view, ...wrong })
      expect([status, json]).toMatchObject([400, { error: { parameter } }])
    }
    for (let i = 0; i < 50; i++) await save(owner, `View ${i}`)
    expect((await ask(owner, 'POST', '', view)).json).toMatchObject({
      error: { code: 'too_many_views' },
    })
  })

  it('go when they name somebody who is erased', async () => {
    const { support } = staff
    const ann = { rid: 'news', email: 'ann@example.com', user_ref: 'ann-1' }
    const { uid } = await app.client.grantAccess(ann)
    for (const [i, search] of [
      { uid },
      { email: 'Ann@example.com' },
      { user_ref: 'ann-1' },
      { state: 'live' },
    ].entries()) {
      await ask(support, 'POST', '', { list: 'access', name: `View ${i}`, search })
    }
    await ask(support, 'POST', '', {
      ...{ list: 'people', name: 'About ann@example.com', search: { sort: 'name' } },
    })
    await support.call('POST', `/production/${app.aid}/people/${uid}/erase`)
    expect(await viewsOf(support)).toMatchObject([{ name: 'View 3' }])
  })
})
