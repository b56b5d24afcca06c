import { describe, expect, it } from 'vitest'
import { databases } from '../../testing/databases.ts'
import { dumpTables } from '../../testing/dump.ts'
import { sendSigned } from '../../testing/http/requests.ts'
import { useFreshApplication, useService } from '../../testing/use-service.ts'

const NONE = { status: 404, code: 'access_not_found' }

describe.each(databases)('POST /r2/access/revoke on $name', (database) => {
  const service = useService(database)
  const app = useFreshApplication(service, { resources: ['news', 'archive'] })

  const now = () => service.clock.seconds
  const db = () => app.environment.database.read
  const who = { rid: 'news', user_ref: 'ann' }
  const grant = (more: { rid?: string; user_ref?: string; expiration?: number } = {}) =>
    app.client.grantAccess({ ...who, email: 'ann@example.com', ...more })

  it('answers with the record, when it was revoked, and no refund: nothing was paid', async () => {
    const granted = await grant({ expiration: now() + 100 })
    service.clock.advance(7)
    const revoked = await app.client.revokeAccess(who)
    expect(revoked).toEqual({ ...granted, revoked: now(), refund: null, refunds: [] })
    expect(await app.client.hasAccess(who)).toBe(false)
  })

  it('is never before the grant, even on a machine whose clock is behind', async () => {
    const { created } = await grant()
    service.clock.advance(-5)
    const revoked = await app.client.revokeAccess(who)
    service.clock.advance(5)
    expect(revoked).toMatchObject({ created, revoked: created })
    await service.requireInvariants()
  })

  it('with refund=true where nothing was paid revokes all the same, and refund is null', async () => {
    const granted = await grant()
    const response = await sendSigned(app, 'POST', '/r2/access/revoke', { ...who, refund: '1' })
    expect(JSON.parse(response.text)).toEqual({
      ...granted,
      revoked: now(),
      refund: null,
      refunds: [],
    })
  })

  it('is a 404 the second time, and changes nothing then', async () => {
    await grant()
    await app.client.revokeAccess(who)
    const before = await dumpTables(db())
    service.clock.advance(1)
    await expect(app.client.revokeAccess(who)).rejects.toMatchObject(NONE)
    expect(await dumpTables(db())).toEqual(before)
  })

  it('is a 404 for no record, an unknown user, an unknown resource: nothing changes', async () => {
    await grant()
    const before = await dumpTables(db())
    for (const [rid, user_ref] of [
      ['archive', 'ann'],
      ['news', 'bob'],
      ['nothing', 'ann'],
      ['news', 'ANN'],
    ] as const) {
      await expect(app.client.revokeAccess({ rid, user_ref })).rejects.toMatchObject(NONE)
    }
    expect(await dumpTables(db())).toEqual(before)
  })

  it('revokes an expired record too', async () => {
    const granted = await grant({ expiration: now() + 5 })
    service.clock.advance(6)
    expect(await app.client.revokeAccess(who)).toMatchObject({ id: granted.id, revoked: now() })
    const { total } = await app.client.searchAccess({ show_expired: true })
    expect(total).toBe(0)
  })

  it('ends every source of the access, and touches no other record', async () => {
    const { id } = await grant()
    const kept = await grant({ rid: 'archive' })
    await app.client.revokeAccess(who)
    const sources = await db()
      .selectFrom('sources')
      .select(['access_id', 'closed'])
      .where('aid', '=', app.aid)
      .execute()
    expect(sources).toHaveLength(2)
    expect(sources).toContainEqual({ access_id: id, closed: now() })
    expect(sources).toContainEqual({ access_id: kept.id, closed: null })
    expect(await app.client.getAccess({ ...who, rid: 'archive' })).toEqual(kept)
  })

  it('works by any reference of the user, and by the uid', async () => {
    await grant({ user_ref: 'one' })
    await grant({ user_ref: 'two' })
    expect((await app.client.revokeAccess({ rid: 'news', user_ref: 'one' })).user_ref).toBe('two')
    const { uid, id } = await grant({ user_ref: 'two' })
    expect((await app.client.revokeAccess({ rid: 'news', user_ref: uid })).id).toBe(id)
    const anonymous = await app.client.grantAccess({ rid: 'news', email: 'anon@example.com' })
    const revoked = await app.client.revokeAccess({ rid: 'news', user_ref: anonymous.uid })
    expect(revoked.id).toBe(anonymous.id)
  })

  it('sends no mail', async () => {
    await app.client.grantAccess({ ...who, email: 'ann@example.com', suppress_email: true })
    await app.client.revokeAccess(who)
    expect((await dumpTables(db())).outbox?.filter((row) => row.includes(app.aid))).toEqual([])
  })

  it.each([{ rid: 'news' }, { user_ref: 'ann' }, { ...who, refund: 'maybe' }])(
    'is a 400 for %o',
    async (parameters) => {
      expect((await sendSigned(app, 'POST', '/r2/access/revoke', parameters)).status).toBe(400)
    },
  )
})
