import { describe, expect, it } from 'vitest'
import { databases } from '../../testing/databases.ts'
import { sendSigned, withoutRequestId } from '../../testing/http/requests.ts'
import { useApplication, useService } from '../../testing/use-service.ts'

describe.each(databases)('GET /r2/user/{uid} on $name', (database) => {
  const service = useService(database)
  const app = useApplication(service, { resources: ['news'] })

  it('shows the address as it was given, and the names', async () => {
    const { uid } = await app.client.grantAccess({
      rid: 'news',
      email: 'Jürgen.Ö@Example.com',
      first_name: 'Jürgen',
      last_name: 'Ö <b>',
    })
    const response = await sendSigned(app, 'GET', `/r2/user/${uid}`)
    expect(JSON.parse(response.text)).toEqual({
      uid,
      email: 'Jürgen.Ö@Example.com',
      first_name: 'Jürgen',
      last_name: 'Ö <b>',
      contact_email: '',
    })
  })

  it('shows names that are not known as empty', async () => {
    const { uid } = await app.client.grantAccess({ rid: 'news', email: 'x@example.com' })
    expect(await app.client.getUser(uid)).toEqual({
      uid,
      email: 'x@example.com',
      first_name: '',
      last_name: '',
      contact_email: '',
    })
  })

  it('knows no reference and no e-mail address, only the uid', async () => {
    const email = 'ref@example.com'
    await app.client.grantAccess({ rid: 'news', email, user_ref: 'ref' })
    for (const name of ['ref', email]) {
      await expect(app.client.getUser(name)).rejects.toMatchObject({ code: 'user_not_found' })
    }
  })

  it('is a 404 for an unknown uid and, the same but for the request id, for a foreign one', async () => {
    const other = await service.newApplication()
    const { uid } = await app.client.grantAccess({ rid: 'news', email: 'y@example.com' })
    const unknown = await sendSigned(other, 'GET', `/r2/user/${'a'.repeat(20)}`)
    const endless = await sendSigned(other, 'GET', `/r2/user/${'a'.repeat(10_000)}`)
    expect(withoutRequestId(endless)).toBe(withoutRequestId(unknown))
    const foreign = await sendSigned(other, 'GET', `/r2/user/${uid}`)
    expect(unknown.status).toBe(404)
    expect(foreign.status).toBe(404)
    expect(withoutRequestId(foreign)).toBe(withoutRequestId(unknown))
  })

  it.each(['%00', 'a%00b', 'a%0a', '%7f', '%F0%9F%98%80', '%2f', "'--", 'a'.repeat(3000)])(
    'is a 404 for the odd uid %s',
    async (uid) => {
      expect((await sendSigned(app, 'GET', `/r2/user/${uid}`)).status).toBe(404)
    },
  )

  it('gives uids of ten or more characters, no two alike', async () => {
    const uids = await Promise.all(
      Array.from({ length: 20 }, async (_, i) => {
        const input = { rid: 'news', email: `many${i}@example.com`, suppress_email: true }
        return (await app.client.grantAccess(input)).uid
      }),
    )
    for (const uid of uids) expect(uid).toMatch(/^[A-Za-z0-9]{10,}$/)
    expect(new Set(uids).size).toBe(uids.length)
  })

  it('is a 400 for a query that cannot be read, although it takes no parameter', async () => {
    const { uid } = await app.client.grantAccess({ rid: 'news', email: 'x@example.com' })
    for (const query of ['a=%zz', 'a=1&a=2', 'a=%ff']) {
      expect((await sendSigned(app, 'GET', `/r2/user/${uid}?${query}`)).status).toBe(400)
    }
    expect((await sendSigned(app, 'GET', `/r2/user/${uid}?unknown=1`)).status).toBe(200)
  })
})
