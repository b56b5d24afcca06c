import { describe, expect, it } from 'vitest'
import { databases } from '../../testing/databases.ts'
import { sendSigned, withoutRequestId } from '../../testing/http/requests.ts'
import { useApplication, useService } from '../../testing/use-service.ts'

const NONE = { status: 404, code: 'access_not_found' }

describe.each(databases)('GET /r2/access on $name', (database) => {
  const service = useService(database)
  const app = useApplication(service, { resources: ['news', 'archive'] })
  const other = useApplication(service, { resources: ['news'] })

  const now = () => service.clock.seconds
  const grant = (user_ref: string, more: { expiration?: number; tags?: string } = {}) =>
    app.client.grantAccess({ rid: 'news', email: `${user_ref}@example.com`, user_ref, ...more })

  it('answers with the record of a live access', async () => {
    const granted = await app.client.grantAccess({
      rid: 'news',
      email: 'Ann@example.com',
      user_ref: 'ann',
      expiration: now() + 60,
    })
    expect(await app.client.getAccess({ rid: 'news', user_ref: 'ann' })).toEqual(granted)
    expect(granted).toEqual({
      id: expect.stringMatching(/^[A-Za-z0-9]{16}$/),
      aid: app.aid,
      rid: 'news',
      uid: expect.stringMatching(/^[A-Za-z0-9]{20}$/),
      amount: 0,
      currency: 'USD',
      created: now(),
      expires: now() + 60,
      user_ref: 'ann',
      user_email: 'Ann@example.com',
      contact_email: '',
      tags: [],
    })
  })

  it('is live while now < expires, to the second, and comes back with show_expired', async () => {
    const expiration = now() + 100
    const granted = await grant('boundary', { expiration })
    const query = { rid: 'news', user_ref: 'boundary' }
    service.clock.advance(99)
    expect(await app.client.getAccess(query)).toEqual(granted)
    // The last millisecond before the end.
    service.clock.now += 999
    expect(await app.client.getAccess(query)).toEqual(granted)
    service.clock.now += 1
    expect(now()).toBe(expiration)
    await expect(app.client.getAccess(query)).rejects.toMatchObject(NONE)
    await expect(app.client.getAccess({ ...query, show_expired: false })).rejects.toMatchObject(
      NONE,
    )
    expect(await app.client.getAccess({ ...query, show_expired: true })).toEqual(granted)
  })

  it('leaves out expires, and only that, when access never ends', async () => {
    const bounded = await grant('bounded', { expiration: now() + 60, tags: 'a,b' })
    const endless = await grant('endless')
    const response = await sendSigned(app, 'GET', '/r2/access', {
      rid: 'news',
      user_ref: 'endless',
    })
    expect(JSON.parse(response.text)).toEqual(endless)
    expect(Object.keys(endless).sort()).toEqual(
      Object.keys(bounded)
        .filter((key) => key !== 'expires')
        .sort(),
    )
    service.clock.advance(100 * 366 * 86_400)
    expect(await app.client.hasAccess({ rid: 'news', user_ref: 'endless' })).toBe(true)
  })

  it('never shows revoked access, not even with show_expired', async () => {
    await grant('revoked')
    await app.client.revokeAccess({ rid: 'news', user_ref: 'revoked' })
    const query = { rid: 'news', user_ref: 'revoked' }
    await expect(app.client.getAccess(query)).rejects.toMatchObject(NONE)
    await expect(app.client.getAccess({ ...query, show_expired: true })).rejects.toMatchObject(NONE)
  })

  it('finds a record by any reference of its user, and shows that of the last grant', async () => {
    const email = 'several@example.com'
    await app.client.grantAccess({ rid: 'news', email, user_ref: 'first' })
    await app.client.grantAccess({ rid: 'archive', email, user_ref: 'second' })
    for (const user_ref of ['first', 'second']) {
      const news = await app.client.getAccess({ rid: 'news', user_ref })
      const archive = await app.client.getAccess({ rid: 'archive', user_ref })
      expect([news.user_ref, archive.user_ref]).toEqual(['first', 'second'])
      expect(news.uid).toBe(archive.uid)
    }
  })

  it('takes the uid in place of a user_ref for good, whatever references the user gets', async () => {
    const email = 'unnamed@example.com'
    const { uid, user_ref } = await app.client.grantAccess({ rid: 'news', email })
    expect(user_ref).toBe(uid)
    expect(await app.client.hasAccess({ rid: 'news', user_ref: uid })).toBe(true)
    await app.client.grantAccess({ rid: 'archive', email, user_ref: 'named now' })
    for (const rid of ['news', 'archive']) {
      const byUid = await app.client.getAccess({ rid, user_ref: uid })
      expect(byUid).toEqual(await app.client.getAccess({ rid, user_ref: 'named now' }))
    }
    expect((await app.client.getAccess({ rid: 'news', user_ref: uid })).user_ref).toBe(uid)
  })

  it('does not take an e-mail address for a reference', async () => {
    await app.client.grantAccess({ rid: 'news', email: 'plain@example.com' })
    expect(await app.client.hasAccess({ rid: 'news', user_ref: 'plain@example.com' })).toBe(false)
    await app.client.grantAccess({
      rid: 'news',
      email: 'plain@example.com',
      user_ref: 'plain@example.com',
    })
    expect(await app.client.hasAccess({ rid: 'news', user_ref: 'plain@example.com' })).toBe(true)
  })

  it('compares references byte for byte', async () => {
    await grant('Case')
    for (const user_ref of ['case', 'Case ', 'CASE', 'Cas', 'Case%', 'Cas_']) {
      expect(await app.client.hasAccess({ rid: 'news', user_ref }), user_ref).toBe(false)
    }
    expect(await app.client.hasAccess({ rid: 'NEWS', user_ref: 'Case' })).toBe(false)
  })

  it.each([{}, { rid: 'news' }, { user_ref: 'ann' }, { rid: '', user_ref: 'ann' }])(
    'is a 400 that names what is missing in %o',
    async (parameters) => {
      const response = await sendSigned(app, 'GET', '/r2/access', parameters)
      const missing = parameters.rid ? 'user_ref' : 'rid'
      expect(response.status).toBe(400)
      expect(JSON.parse(response.text).error).toMatchObject({
        code: 'invalid_parameter',
        message: `${missing}: ${missing in parameters ? 'must not be empty' : 'required'}`,
        parameter: missing,
      })
    },
  )

  it('answers another application as if there were no such row', async () => {
    const { uid } = await grant('mine')
    const foreign = await sendSigned(other, 'GET', '/r2/access', { rid: 'news', user_ref: 'mine' })
    const foreignUid = await sendSigned(other, 'GET', '/r2/access', { rid: 'news', user_ref: uid })
    const absent = await sendSigned(other, 'GET', '/r2/access', { rid: 'news', user_ref: 'nobody' })
    expect(absent.status).toBe(404)
    for (const response of [foreign, foreignUid]) {
      expect(response.status).toBe(404)
      expect(withoutRequestId(response)).toBe(withoutRequestId(absent))
    }
  })
})
