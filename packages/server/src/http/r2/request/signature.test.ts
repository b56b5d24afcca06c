import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { createApplication } from '../../../domain/apps/applications.ts'
import { entryPointDatabases } from '../../../testing/databases.ts'
import { fingerprint } from '../../../testing/http/attack.ts'
import { hmac, requestBytes, sendRaw, signedBytes } from '../../../testing/http/raw-http.ts'
import { reencodings } from '../../../testing/http/reencodings.ts'
import { startTestService } from '../../../testing/service.ts'
import { useApplication, useService } from '../../../testing/use-service.ts'

const FORM = 'Content-Type: application/x-www-form-urlencoded'
const GET = '/r2/access?rid=news&user_ref=ann'
const GRANT = '/r2/access/grant?rid=news&email=bob%40example.com&user_ref=bob'

describe.each(entryPointDatabases)('the signature of a request on $name', (database) => {
  const service = useService(database)
  const app = useApplication(service, { resources: ['news'] })
  const other = useApplication(service)
  beforeAll(async () => {
    await app.client.grantAccess({ rid: 'news', email: 'ann@example.com', user_ref: 'ann' })
  })

  const status = async (bytes: string) => (await sendRaw(service.url, bytes))?.status

  /** Expects a refusal that changes nothing. */
  async function expectRefused(bytes: string, ...statuses: number[]): Promise<void> {
    const before = await fingerprint(service.ctx)
    expect(statuses).toContain(await status(bytes))
    expect(await fingerprint(service.ctx)).toBe(before)
  }

  it('is good for exactly what was signed', async () => {
    expect(await status(signedBytes(app, { target: GET }))).toBe(200)
    const header = `aUTHORIZATION:${app.aid}:${hmac(app.privateKey, `GET ${GET}`)}=  `
    expect(await status(requestBytes({ target: GET, headers: [header] }))).toBe(200)
  })

  it('is bad for every other spelling', async () => {
    await fc.assert(
      fc.asyncProperty(reencodings, async ({ signed, sent }) => {
        const bytes = signedBytes(app, { target: sent, signed: `GET ${signed}` })
        expect(await status(bytes)).toBe(401)
      }),
      { numRuns: 100 },
    )
  })

  it.each([
    ['reordered', '/r2/access?user_ref=ann&rid=news'],
    ['repeated', `${GET}&rid=news`],
    ['appended', `${GET}&a=2`],
    ['appended with a semicolon', `${GET};a=2`],
    ['appended as an array', `${GET}&rid[]=other`],
    ['appended with a NUL in its name', `${GET}&rid%00=other`],
    ['appended with an escaped name', `${GET}&%72id=other`],
    ['dropped', '/r2/access?rid=news'],
  ])('is bad when a parameter is %s', async (_, sent) => {
    await expectRefused(signedBytes(app, { target: sent, signed: `GET ${GET}` }), 401)
  })

  it.each([
    `${GET}&rid=news`,
    `${GET}&rid=other`,
    `${GET}&%72id=other`,
    `${GET}&user_ref=eve`,
    `${GET}&user%5Fref=eve`,
    `${GET}&rid%00=x`,
  ])('covers %s, which is given twice and still refused', async (target) => {
    await expectRefused(signedBytes(app, { target }), 400)
  })

  it.each([`${GET};rid=other`, `${GET}&rid[]=other`, `${GET}&rid%5B%5D=other`, `${GET}&RID=other`])(
    'covers %s, where nothing takes the place of rid',
    async (target) => {
      const response = await sendRaw(service.url, signedBytes(app, { target }))
      // A semicolon is not a separator: it is part of the user_ref.
      expect(response?.status).toBe(target.includes(';') ? 404 : 200)
    },
  )

  it.each(['HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY'])(
    'of a GET does not make a %s of it',
    async (method) => {
      const bytes = signedBytes(app, { method, target: GET, signed: `GET ${GET}` })
      await expectRefused(bytes, 402)
      await expectRefused(signedBytes(app, { method, target: GET }), 402)
      await expectRefused(requestBytes({ method, target: GET }), 402)
    },
  )

  it.each(['X-HTTP-Method-Override', 'X-HTTP-Method', 'X-Method-Override'])(
    'is of the real method, whatever %s says',
    async (override) => {
      const revoke = '/r2/access/revoke?rid=news&user_ref=ann'
      const headers = [`${override}: POST`]
      await expectRefused(signedBytes(app, { target: revoke, headers }), 402)
      await expectRefused(signedBytes(app, { target: `${revoke}&_method=POST` }), 402)
      expect(await status(signedBytes(app, { target: GET, headers }))).toBe(200)
    },
  )

  it('of another application is refused, with the same words as any', async () => {
    const texts = await Promise.all(
      [
        signedBytes({ aid: app.aid, privateKey: other.privateKey }, { target: GET }),
        signedBytes({ aid: other.aid, privateKey: app.privateKey }, { target: GET }),
        signedBytes({ aid: 'Unknown001', privateKey: app.privateKey }, { target: GET }),
        requestBytes({ target: GET }),
      ].map(async (bytes) => {
        const response = await sendRaw(service.url, bytes)
        expect(response?.status).toBe(401)
        return response?.body.replace(/"request_id":"\w+"/, '')
      }),
    )
    expect(new Set(texts).size).toBe(1)
  })

  it('is worth nothing at another installation, nor in the sandbox', async () => {
    const elsewhere = await startTestService(database)
    try {
      const bytes = signedBytes(app, { target: GET })
      expect((await sendRaw(elsewhere.url, bytes))?.status).toBe(401)
      // Even if the same AID happens to exist there: it has another key.
      const { environments, masterKey } = elsewhere.ctx
      const { database: db, clock, realTime } = environments.production
      const clocks = { now: clock(), realTime: realTime() }
      const input = { aid: app.aid, name: 'Namesake' }
      await db.write((trx) => createApplication(trx, masterKey, input, clocks, 'test'))
      expect((await sendRaw(elsewhere.url, bytes))?.status).toBe(401)
    } finally {
      await elsewhere.stop()
    }
    await expectRefused(signedBytes(app, { target: GET, prefix: '/sandbox' }), 401)
    const withPrefix = { target: GET, prefix: '/sandbox', signed: `GET /sandbox${GET}` }
    await expectRefused(signedBytes(app, withPrefix), 401)
  })

  describe('and the body', () => {
    const post = (target: string, body: string, signed: string, type = FORM) =>
      signedBytes(app, { method: 'POST', target, headers: [type], body, signed })

    it.each([
      ['a form that was not signed', GRANT, 'first_name=Eve', `POST ${GRANT}`],
      ['a form that shadows the query', GRANT, 'rid=other', `POST ${GRANT}`],
      [
        'a form in place of the query',
        GRANT.split('?')[0],
        GRANT.split('?')[1],
        'POST /r2/access/grant',
      ],
      [
        'a form that was changed',
        '/r2/access/grant',
        'rid=news&email=eve%40x.y',
        'POST /r2/access/grant?rid=news&email=bob%40x.y',
      ],
      ['a form of one &', GRANT, '&', `POST ${GRANT}`],
    ])('%s is 401', async (_, target = '', body = '', signed = '') => {
      await expectRefused(post(target, body, signed), 401)
    })

    it.each(['application/json', 'text/plain', 'multipart/form-data; boundary=x', 'x/y'])(
      'a body of type %s is 400 beside a good signature, and 401 beside a bad one',
      async (type) => {
        const body = '{"rid":"other"}'
        await expectRefused(post(GRANT, body, `POST ${GRANT}`, `Content-Type: ${type}`), 400)
        await expectRefused(post(GRANT, body, 'POST /x', `Content-Type: ${type}`), 401)
      },
    )

    it('a signed form that gives a parameter of the query again is 400', async () => {
      await expectRefused(post(GRANT, 'rid=news', `POST ${GRANT}&rid=news`), 400)
    })

    it('a signed form counts, alone or beside a query', async () => {
      const body = 'rid=news&email=cy%40example.com&user_ref=cy'
      const target = '/r2/access/grant'
      expect(await status(post(target, body, `POST ${target}?${body}`))).toBe(200)
      const query = `${target}?rid=news&user_ref=dee`
      const more = 'email=dee%40example.com'
      expect(await status(post(query, more, `POST ${query}&${more}`))).toBe(200)
      const { total } = await app.client.searchAccess({ email: 'dee@example.com' })
      expect(total).toBe(1)
    })

    it('a body of a GET has no effect', async () => {
      const bytes = signedBytes(app, { target: GET, headers: [FORM], body: 'rid=other&user_ref=x' })
      const response = await sendRaw(service.url, bytes)
      expect(JSON.parse(response?.body ?? '')).toMatchObject({ rid: 'news', user_ref: 'ann' })
    })

    it.each([
      ['as the Ruby client sends it', (value: string) => value.replace(':', '%3A')],
      ['unescaped', (value: string) => value],
      ['with padding', (value: string) => `${value}%3D`],
    ])('the field authorization stands in for the header, %s', async (_, write) => {
      const target = '/r2/access/grant?rid=news&email=eli%40example.com'
      const value = write(`${app.aid}:${hmac(app.privateKey, `POST ${target}`)}`)
      const parts = { method: 'POST', target, headers: [FORM], body: `authorization=${value}` }
      expect(await status(requestBytes(parts))).toBe(200)
      await expectRefused(requestBytes({ ...parts, body: `${parts.body}&first_name=Eve` }), 401)
      await expectRefused(requestBytes({ ...parts, target: `${target}&first_name=Eve` }), 401)
      await expectRefused(requestBytes({ ...parts, headers: ['Content-Type: text/plain'] }), 401)
      const header = `Authorization: ${app.aid}:${hmac(app.privateKey, `POST ${target}`)}`
      await expectRefused(requestBytes({ ...parts, headers: [FORM, header] }), 401)
    })

    it('the field authorization is no header for a GET', async () => {
      const body = `authorization=${app.aid}:${hmac(app.privateKey, `GET ${GET}`)}`
      await expectRefused(requestBytes({ target: GET, headers: [FORM], body }), 401)
    })
  })
})
