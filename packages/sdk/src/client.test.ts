import { describe, expect, it } from 'vitest'
import { databases } from '../../server/src/testing/databases.ts'
import { useApplication, useService } from '../../server/src/testing/use-service.ts'
import {
  ApiError,
  Gatehouse,
  GatehouseError,
  InvalidRequestError,
  NotFoundError,
  RefusedError,
  UnauthorizedError,
} from './index.ts'

const credentials = { aid: 'Client0001', privateKey: 'k'.repeat(40) }

describe('against a real service', () => {
  const service = useService(databases[0])
  const app = useApplication(service, { resources: ['news'] })

  const caught = (work: Promise<unknown>) => work.then(() => undefined).catch((error) => error)

  it('400 is an InvalidRequestError that names the parameter', async () => {
    const error = await caught(app.client.grantAccess({ rid: 'news', email: 'nobody' }))
    expect(error).toBeInstanceOf(InvalidRequestError)
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toBeInstanceOf(GatehouseError)
    expect(error).toMatchObject({
      name: 'InvalidRequestError',
      status: 400,
      code: 'invalid_parameter',
      message: 'email: not a valid email address',
      parameter: 'email',
      requestId: expect.stringMatching(/^\w+$/),
      retryAfter: undefined,
    })
  })

  it('401 is an UnauthorizedError', async () => {
    const stranger = new Gatehouse({ baseUrl: service.url, ...credentials })
    const error = await caught(stranger.searchAccess())
    expect(error).toBeInstanceOf(UnauthorizedError)
    expect(error).toMatchObject({ status: 401, code: 'unauthorized' })
  })

  it('402 is a RefusedError', async () => {
    await app.client.grantAccess({ rid: 'news', email: 'one@example.com', user_ref: 'one' })
    const again = { rid: 'news', email: 'two@example.com', user_ref: 'one' }
    const error = await caught(app.client.grantAccess(again))
    expect(error).toBeInstanceOf(RefusedError)
    expect(error).toMatchObject({ status: 402, code: 'user_ref_taken' })
  })

  it('writes are dated by the service if the clock of this machine is wrong', async () => {
    const behind = () => service.clock.now - 3_600_000
    let sent = 0
    const counting: typeof fetch = (...all) => {
      sent++
      return fetch(...all)
    }
    const client = new Gatehouse({ ...app, baseUrl: service.url, now: behind, fetch: counting })
    for (const user_ref of ['late', 'later']) {
      await client.grantAccess({ rid: 'news', email: `${user_ref}@example.com`, user_ref })
    }
    expect(sent).toBe(3)
  })

  it('404 is a NotFoundError, or undefined, or false', async () => {
    const query = { rid: 'news', user_ref: 'nobody' }
    const error = await caught(app.client.getAccess(query))
    expect(error).toBeInstanceOf(NotFoundError)
    expect(error).toMatchObject({ status: 404, code: 'access_not_found' })
    expect(await app.client.findAccess(query)).toBeUndefined()
    expect(await app.client.hasAccess(query)).toBe(false)
    const wrongAddress = new Gatehouse({ ...app, baseUrl: `${service.url}/elsewhere` })
    expect(await caught(wrongAddress.hasAccess(query))).toBeInstanceOf(NotFoundError)
  })

  it.each([
    "o'brien@example.com",
    '!*~-_@example.com',
    'jürgen@bücher.example',
    'a+b@example.com',
    '100%@example.com',
    '{a}|^`@example.com',
  ])('signs what fetch sends: %s', async (email) => {
    const granted = await app.client.grantAccess({ rid: 'news', email, user_ref: email })
    expect(granted.user_email).toBe(email)
    expect(await app.client.getAccess({ rid: 'news', user_ref: email })).toEqual(granted)
    expect((await app.client.searchAccess({ email })).data).toEqual([granted])
  })

  it('takes a base address with slashes at its end, and that of the sandbox', async () => {
    for (const end of ['', '/', '//']) {
      const client = new Gatehouse({ ...app, baseUrl: service.url + end })
      expect((await client.searchAccess({ rid: 'none' })).total).toBe(0)
    }
    const sandbox = await service.newApplication('sandbox')
    for (const end of ['/sandbox', '/sandbox/']) {
      const client = new Gatehouse({ ...sandbox, baseUrl: service.url + end })
      expect((await client.searchAccess()).total).toBe(0)
      const production = new Gatehouse({ ...app, baseUrl: service.url + end })
      expect(await caught(production.searchAccess())).toBeInstanceOf(UnauthorizedError)
    }
  })

  it('lists all matches, page after page, each once', async () => {
    await app.addResource('pages')
    const emails = Array.from({ length: 7 }, (_, i) => `page${i}@example.com`)
    for (const email of emails) await app.client.grantAccess({ rid: 'pages', email })
    for (const pagesize of [1, 2, 3, 7, 100]) {
      const found: string[] = []
      for await (const { user_email } of app.client.listAccess({ rid: 'pages', pagesize })) {
        found.push(user_email)
      }
      expect(found.sort()).toEqual(emails)
    }
    for await (const access of app.client.listAccess({ rid: 'none' })) throw new Error(access.id)
  })

  it('says why, for one resource and for hundreds, in the query or in a form', async () => {
    await app.client.grantAccess({ rid: 'news', email: 'why@example.com', user_ref: 'why' })
    const rids = ['news', ...Array.from({ length: 300 }, (_, n) => `article/${n}-é'&+`)]
    for (const count of [1, 2, 100, 101, rids.length]) {
      const asked = { user_ref: 'why', rids: rids.slice(0, count) }
      const { checks, user_ref } = await app.client.checkAccess(asked)
      expect(user_ref).toBe('why')
      expect(checks.map(({ rid }) => rid)).toEqual(asked.rids)
      expect(checks[0]).toMatchObject({ granted: true, code: 'granted' })
      expect(checks.slice(1).every(({ granted }) => !granted)).toBe(true)
    }
    const { access_id } = (await app.client.checkAccess({ user_ref: 'why', rids: ['news'] }))
      .checks[0] as { access_id: string }
    const preview = { user_ref: 'why', rids: ['news'], if: `revoke:${access_id}` }
    const { checks } = await app.client.checkAccess(preview)
    expect(checks[0]).toMatchObject({ granted: false, code: 'revoked' })
    expect(await app.client.hasAccess({ rid: 'news', user_ref: 'why' })).toBe(true)
  })

  it('lists all that a reader may see, page after page', async () => {
    const rids = ['list-1', 'list-2', 'list-3']
    for (const rid of rids) {
      await app.addResource(rid)
      await app.client.grantAccess({ rid, email: 'all@example.com', user_ref: 'all' })
    }
    for (const pagesize of [1, 2, 3, 100]) {
      const found: string[] = []
      for await (const { rid } of app.client.listEntitlements({ user_ref: 'all', pagesize })) {
        found.push(rid)
      }
      expect(found).toEqual(rids)
    }
    for await (const { rid } of app.client.listEntitlements({ user_ref: 'none' }))
      throw new Error(rid)
  })

  it('asks for no more pages than are wanted', async () => {
    let calls = 0
    const counting: typeof fetch = (...all) => {
      calls++
      return fetch(...all)
    }
    const client = new Gatehouse({ ...app, baseUrl: service.url, fetch: counting })
    for await (const { rid } of client.listAccess({ rid: 'pages', pagesize: 2 })) {
      expect(rid).toBe('pages')
      break
    }
    expect(calls).toBe(1)
  })
})
