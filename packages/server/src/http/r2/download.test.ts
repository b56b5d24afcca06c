import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { changeSettings } from '../../domain/apps/applications.ts'
import { publishDownload, removeDownload, replaceFile } from '../../domain/downloads/downloads.ts'
import { archivePrice, createPrice, type Terms } from '../../domain/resources/prices.ts'
import { entryPointDatabases } from '../../testing/databases.ts'
import { addDownload, testActor, uploadBytes } from '../../testing/downloads/downloads.ts'
import { dumpTables } from '../../testing/dump.ts'
import {
  authorization,
  send,
  sendSigned,
  type TestResponse,
  withoutRequestId,
} from '../../testing/http/requests.ts'
import { ONCE } from '../../testing/payments/shop.ts'
import { startTestService, type TestApplication } from '../../testing/service.ts'
import { useApplication, useService } from '../../testing/use-service.ts'

const GET_PATHS = ['/r2/download/', '/r2/download']
const URL_PATHS = ['/r2/downloads/url', '/r2/download/url']
const LAST_SECOND = 253_402_300_799

const TOKEN = /\/d\/[\w.-]+$/

const failureIn = ({ status, text }: TestResponse) => {
  const { code, message } = JSON.parse(text).error
  return { status, code, message }
}

describe.each(entryPointDatabases)('Downloads on $name', (database) => {
  /** Each test has its own resource. */
  let rid: string
  let count = 0

  const service = useService(database)
  const app = useApplication(service, { resources: ['plain'] })
  beforeAll(async () => {
    await addDownload(app, 'plain')
  })
  beforeEach(async () => {
    rid = `file-${++count}`
    await app.addResource(rid)
  })

  const inTransaction: typeof app.environment.database.write = (work) =>
    app.environment.database.write(work)
  const publish = (isPublished: boolean) =>
    inTransaction((trx) =>
      publishDownload(trx, { aid: app.aid, rid }, isPublished, testActor(app.environment)),
    )
  const askUrl = (parameters: Record<string, string | number>, path = URL_PATHS[0] as string) =>
    sendSigned(app, 'GET', path, { rid, ...parameters })
  const refusal = async (parameters: Record<string, string | number>) =>
    failureIn(await askUrl(parameters))
  const linkIn = async (url: string) => {
    const check = await app.environment.readDownloadToken(url.split('/d/')[1] as string)
    return check.ok ? check.link : check.reason
  }

  describe('GET /r2/download/', () => {
    const offer = (terms: Partial<Terms>) =>
      inTransaction((trx) =>
        createPrice(trx, { aid: app.aid, rid, ...ONCE, ...terms }, app.environment.clock(), 'test'),
      )
    const priceNow = async () => (await app.client.getDownload({ rid })).price

    it('answers with the record, at both spellings alike', async () => {
      const created = service.clock.seconds
      const { id } = await addDownload(app, rid, Buffer.from('x'), {
        title: 'Das große Buch',
        description: 'Two lines.\nThis is the second.',
        image: 'https://example.com/cover.png',
        publish: false,
      })
      service.clock.advance(60)
      await publish(true)
      service.clock.advance(0.5)
      const expected = {
        id,
        rid,
        title: 'Das große Buch',
        description: 'Two lines.\nThis is the second.',
        image: 'https://example.com/cover.png',
        price: '',
        created_date: created,
        published_date: created + 60,
        modified_date: created + 60,
      }
      for (const path of GET_PATHS) {
        const response = await sendSigned(app, 'GET', path, { rid })
        expect(response.status).toBe(200)
        expect(JSON.parse(response.text)).toEqual(expected)
      }
      expect(await app.client.getDownload({ rid })).toEqual(expected)
    })

    it('tells when the file was replaced, and stays the same record', async () => {
      await addDownload(app, rid, Buffer.from('one'))
      const before = await app.client.getDownload({ rid })
      service.clock.advance(30)
      await uploadBytes(app, Buffer.from('two'), (file) =>
        inTransaction((trx) =>
          replaceFile(
            trx,
            { aid: app.aid, rid },
            file,
            { fileName: 'two.txt', type: 'text/plain' },
            testActor(app.environment),
          ),
        ),
      )
      const after = await app.client.getDownload({ rid })
      expect(after).toEqual({ ...before, modified_date: before.modified_date + 30 })
    })

    it('shows what is empty as empty texts', async () => {
      await addDownload(app, rid)
      const record = await app.client.getDownload({ rid })
      expect(record).toMatchObject({ description: '', image: '', price: '' })
    })

    it('shows the lowest price that can be bought now, in digits that a program can read', async () => {
      await addDownload(app, rid)
      await offer({ amount: 123_450, currency: 'USD' })
      expect(await priceNow()).toBe('1234.50 USD')
      const cheap = await offer({ amount: 5, currency: 'USD' })
      expect(await priceNow()).toBe('0.05 USD')
      await offer({ amount: 999, currency: 'USD', recurring: 1, period: '1 month' })
      expect(await priceNow()).toBe('0.05 USD')
      const now = app.environment.clock()
      await inTransaction((trx) => archivePrice(trx, { aid: app.aid, id: cheap.id }, now, 'test'))
      expect(await priceNow()).toBe('9.99 USD')
    })

    it("prefers the application's own currency, and then that of the first offer", async () => {
      await addDownload(app, rid)
      await offer({ amount: 500, currency: 'JPY' })
      service.clock.advance(1)
      await offer({ amount: 3, currency: 'KWD' })
      await offer({ amount: 400, currency: 'JPY' })
      expect(await priceNow()).toBe('400 JPY')
      const settings = (currency: string) =>
        inTransaction((trx) =>
          changeSettings(trx, app.aid, { currency }, app.environment.clock(), 'test'),
        )
      await settings('KWD')
      expect(await priceNow()).toBe('0.003 KWD')
      await settings('EUR')
      expect(await priceNow()).toBe('400 JPY')
      await settings('USD')
    })

    it('has no price of another resource or application', async () => {
      const other = await service.newApplication()
      await other.addResource(rid)
      await app.addResource(`${rid}-dear`)
      await addDownload(app, rid)
      const now = app.environment.clock()
      await inTransaction((trx) =>
        createPrice(trx, { aid: app.aid, ...ONCE, rid: `${rid}-dear` }, now, 'test'),
      )
      await inTransaction((trx) => createPrice(trx, { aid: other.aid, ...ONCE, rid }, now, 'test'))
      expect(await priceNow()).toBe('')
    })
  })

  describe('a link', () => {
    it('leads to the address of its environment and ends when its life does', async () => {
      const { id } = await addDownload(app, rid)
      const now = service.clock.seconds
      for (const path of URL_PATHS) {
        const response = await askUrl({ lifetime: 3600 }, path)
        expect(response.status).toBe(200)
        const body = JSON.parse(response.text)
        expect(body).toEqual({ url: expect.stringMatching(TOKEN), expires: now + 3600 })
        expect(body.url.startsWith(`${service.url}/d/`)).toBe(true)
        expect(await linkIn(body.url)).toMatchObject({
          aid: app.aid,
          downloadId: id,
          expires: now + 3600,
        })
      }
    })

    it('in the sandbox leads to the sandbox, whose clock it goes by', async () => {
      const sandbox = await service.newApplication('sandbox')
      await sandbox.addResource('s')
      await addDownload(sandbox, 's')
      const { time } = await sandbox.client.advanceClock({ seconds: 86_400 })
      const { url, expires } = await sandbox.client.getDownloadUrl({ rid: 's', lifetime: 60 })
      expect(url.startsWith(`${service.url}/sandbox/d/`)).toBe(true)
      expect(expires).toBe(time + 60)
      expect(await linkIn(url)).toBe('invalid')
    })

    it('is another one each time, and each is good', async () => {
      await addDownload(app, rid)
      const input = { rid, lifetime: 60 }
      const urls = await Promise.all([1, 2, 3].map(() => app.client.getDownloadUrl(input)))
      expect(new Set(urls.map(({ url }) => url)).size).toBe(3)
      for (const { url } of urls) expect(await linkIn(url)).toMatchObject({ aid: app.aid })
    })

    it('is made without a write', async () => {
      await addDownload(app, rid)
      await app.client.grantAccess({ rid, email: 'dry@example.com', user_ref: 'dry' })
      await app.client.getDownloadUrl({ rid, lifetime: 60 })
      const before = await dumpTables(app.environment.database.read)
      const input = { rid, lifetime: 60, user_ref: 'dry', limit: 1, filename: 'a.txt' }
      await app.client.getDownloadUrl(input)
      await app.client.getDownload({ rid })
      expect(await dumpTables(app.environment.database.read)).toEqual(before)
    })

    it('says what it allows: whose access, how often, under which name', async () => {
      await addDownload(app, rid)
      const who = { rid, email: 'ann@example.com', user_ref: 'ann' }
      const { id: accessId } = await app.client.grantAccess(who)
      const filename = 'Überraschung “für” 你 🔑.txt'
      const input = { rid, lifetime: 60, user_ref: 'ann', limit: 1_000_000, filename }
      const { url } = await app.client.getDownloadUrl(input)
      expect(await linkIn(url)).toMatchObject({ accessId, limit: 1_000_000, fileName: filename })
      const plain = await linkIn((await app.client.getDownloadUrl({ rid, lifetime: 60 })).url)
      for (const name of ['accessId', 'limit', 'fileName']) expect(plain).not.toHaveProperty(name)
      // Empty parameters count as absent.
      const empty = JSON.parse(
        (await askUrl({ lifetime: 60, expiration: '', user_ref: '', limit: '', filename: '' }))
          .text,
      )
      for (const name of ['accessId', 'limit', 'fileName']) {
        expect(await linkIn(empty.url)).not.toHaveProperty(name)
      }
    })
  })

  describe('the end of a link', () => {
    beforeEach(() => {
      rid = 'plain'
    })

    it('is `expires` too, as the answer calls it; with `expiration` it is a 400', async () => {
      const end = service.clock.seconds + 30
      for (const input of [{ expires: end }, { expires: end, lifetime: 60 }]) {
        expect((await app.client.getDownloadUrl({ rid, ...input })).expires).toBe(end)
      }
      expect(await refusal({ expires: end, expiration: end })).toMatchObject({
        status: 400,
        message: 'expires: means the same as expiration; send only one of them',
      })
    })

    it('must be given: 400 without lifetime and expiration, or with empty ones', async () => {
      for (const none of [{}, { lifetime: '' }, { expiration: '' }]) {
        expect(await refusal(none)).toEqual({
          status: 400,
          code: 'invalid_parameter',
          message: 'lifetime: give either lifetime or expiration',
        })
      }
    })

    it('is the earlier one of both', async () => {
      const now = service.clock.seconds
      const end = async (lifetime: number, expiration: number) =>
        (await app.client.getDownloadUrl({ rid, lifetime, expiration })).expires
      expect(await end(60, now + 61)).toBe(now + 60)
      expect(await end(60, now + 59)).toBe(now + 59)
      expect(await end(60, now + 60)).toBe(now + 60)
      expect(await end(LAST_SECOND, now + 1)).toBe(now + 1)
    })

    it('may be the next second, and the last second that there is', async () => {
      const now = service.clock.seconds
      const end = async (parameters: Record<string, number>) =>
        JSON.parse((await askUrl(parameters)).text).expires
      expect(await end({ lifetime: 1 })).toBe(now + 1)
      expect(await end({ expiration: now + 1 })).toBe(now + 1)
      expect(await end({ expiration: LAST_SECOND })).toBe(LAST_SECOND)
      expect(await end({ lifetime: LAST_SECOND })).toBe(LAST_SECOND)
    })

    it.each(['0', '-0', '-1', '-60', `-${2 ** 53}`, `-${'9'.repeat(400)}`])(
      'is refused by rule for a lifetime of %s: 402',
      async (lifetime) => {
        expect(await refusal({ lifetime })).toMatchObject({ status: 402, code: 'link_end_passed' })
        const both = { lifetime, expiration: service.clock.seconds + 60 }
        expect(await refusal(both)).toMatchObject({ status: 402, code: 'link_end_passed' })
      },
    )

    it('is refused by rule in the past, and now: 402', async () => {
      const now = service.clock.seconds
      for (const expiration of [0, 1, now - 1, now]) {
        const refused = { status: 402, code: 'link_end_passed' }
        expect(await refusal({ expiration })).toMatchObject(refused)
        expect(await refusal({ expiration, lifetime: 60 })).toMatchObject(refused)
      }
    })

    const unreadable = ['1e21', '1e3', '0x10', '12abc', 'NaN', 'Infinity', '-Infinity', '1.5', '+1']
    const tooLarge = ['253402300800', `${2 ** 53}`, '8640000000000001', '9'.repeat(400)]
    const milliseconds = '1804064400000'

    it.each([...unreadable, ...tooLarge, milliseconds])(
      "can't be read from %s: 400 that names the parameter",
      async (text) => {
        for (const name of ['lifetime', 'expiration']) {
          const { status, code, message } = await refusal({ [name]: text })
          expect([status, code]).toEqual([400, 'invalid_parameter'])
          expect(message.startsWith(`${name}: `)).toBe(true)
        }
      },
    )

    it('thinks of milliseconds where a number is too large', async () => {
      for (const name of ['lifetime', 'expiration']) {
        expect((await refusal({ [name]: milliseconds })).message).toContain('not milliseconds')
      }
    })

    it("can't be before 1970: 400", async () => {
      for (const expiration of ['-1', `-${2 ** 53}`]) {
        expect(await refusal({ expiration })).toMatchObject({ status: 400 })
      }
    })
  })

  describe('a limit and a name', () => {
    beforeEach(() => {
      rid = 'plain'
    })

    it.each(['0', '-1', '1000001', '1e3', '1.5', 'many', '9'.repeat(400)])(
      "that can't be read are a 400: limit=%s",
      async (limit) => {
        const { status, message } = await refusal({ lifetime: 60, limit })
        expect(status).toBe(400)
        expect(message).toMatch(/^limit: /)
      },
    )
    it.each(['a/b', 'a\\b', '..', '.', '../../etc/passwd', 'x'.repeat(256)])(
      "that can't be read are a 400: filename=%s",
      async (filename) => {
        const { status, message } = await refusal({ lifetime: 60, filename })
        expect(status).toBe(400)
        expect(message).toMatch(/^filename: /)
      },
    )
    it('with control characters or half a character are a 400', async () => {
      for (const encoded of [
        'a%0Ab',
        'a%00b',
        'a%0D%0AX-Evil:%201',
        '%C2%85',
        '%ED%A0%80',
        '%7F',
      ]) {
        const path = `/r2/downloads/url?rid=${rid}&lifetime=60&filename=${encoded}`
        const response = await sendSigned(app, 'GET', path)
        expect(failureIn(response)).toMatchObject({ status: 400, code: 'invalid_parameter' })
      }
    })
  })

  describe('what is not there', () => {
    const NOT_FOUND = { status: 404, code: 'download_not_found', message: 'No such download.' }
    const both = [
      ...GET_PATHS.map((path) => ({ path, more: {} as Record<string, string | number> })),
      ...URL_PATHS.map((path) => ({ path, more: { lifetime: 60 } })),
    ]
    const askAll = (who: TestApplication, of: string) =>
      Promise.all(both.map(({ path, more }) => sendSigned(who, 'GET', path, { rid: of, ...more })))
    const expectAll = async (expected: object) => {
      for (const response of await askAll(app, rid)) expect(failureIn(response)).toEqual(expected)
    }

    it('is a 404: an unknown resource, and one without a file', async () => {
      await expectAll(NOT_FOUND)
      for (const response of await askAll(app, 'no-such-thing')) {
        expect(failureIn(response)).toEqual(NOT_FOUND)
      }
    })

    it('is a 404 until it is published, and again after it is withdrawn', async () => {
      await addDownload(app, rid, undefined, { publish: false })
      await expectAll(NOT_FOUND)
      await publish(true)
      for (const { status } of await askAll(app, rid)) expect(status).toBe(200)
      await publish(false)
      await expectAll(NOT_FOUND)
    })

    it('is a 404 after it was removed', async () => {
      await addDownload(app, rid)
      await inTransaction((trx) =>
        removeDownload(trx, { aid: app.aid, rid }, testActor(app.environment)),
      )
      await expectAll(NOT_FOUND)
    })

    it("is the same 404 for another application's file as for none", async () => {
      const stranger = await service.newApplication()
      await addDownload(app, rid)
      const foreign = await askAll(stranger, rid)
      const none = await askAll(stranger, 'no-such-thing')
      expect(foreign.map(withoutRequestId)).toEqual(none.map(withoutRequestId))
      for (const response of foreign) expect(failureIn(response)).toEqual(NOT_FOUND)
    })

    it('comes after what is wrong with the request', async () => {
      expect(await refusal({ lifetime: 'x' })).toMatchObject({ status: 400 })
      expect(await refusal({ lifetime: 60, limit: 0 })).toMatchObject({ status: 400 })
      for (const { path, more } of both) {
        const missing = await sendSigned(app, 'GET', path, more)
        expect(failureIn(missing)).toMatchObject({ status: 400, message: 'rid: required' })
        const unsigned = await send(service.url, `${path}?rid=${rid}`)
        expect(failureIn(unsigned)).toMatchObject({ status: 401, code: 'unauthorized' })
      }
    })
  })

  describe('a link for a user', () => {
    const NO_ACCESS = { status: 404, code: 'access_not_found', message: 'No such access.' }
    const email = () => `${rid}@example.com`
    const askFor = (user_ref: string) => askUrl({ lifetime: 60, user_ref })

    beforeEach(async () => {
      await addDownload(app, rid)
    })

    it('needs live access: 404 for an unknown user and for access to something else', async () => {
      await app.addResource(`${rid}-other`)
      await app.client.grantAccess({ rid: `${rid}-other`, email: email(), user_ref: rid })
      for (const ref of ['nobody', rid]) expect(failureIn(await askFor(ref))).toEqual(NO_ACCESS)
    })

    it('needs live access: 404 after its end and after a revoke, and not before', async () => {
      const expiration = service.clock.seconds + 100
      await app.client.grantAccess({ rid, email: email(), user_ref: rid, expiration })
      service.clock.advance(99)
      expect((await askFor(rid)).status).toBe(200)
      service.clock.advance(1)
      expect(failureIn(await askFor(rid))).toEqual(NO_ACCESS)
      await app.client.grantAccess({ rid, email: email(), user_ref: rid })
      expect((await askFor(rid)).status).toBe(200)
      await app.client.revokeAccess({ rid, user_ref: rid })
      expect(failureIn(await askFor(rid))).toEqual(NO_ACCESS)
    })

    it('takes any reference of the user, and the uid of one without any', async () => {
      const { uid } = await app.client.grantAccess({ rid, email: email() })
      expect((await askFor(uid)).status).toBe(200)
      await app.client.grantAccess({ rid, email: email(), user_ref: `${rid}-1` })
      await app.client.grantAccess({ rid, email: email(), user_ref: `${rid}-2` })
      const links = await Promise.all(
        [1, 2].map(async (n) => linkIn(JSON.parse((await askFor(`${rid}-${n}`)).text).url)),
      )
      expect(links[0]).toHaveProperty('accessId')
      expect((links[0] as { accessId: string }).accessId).toBe(
        (links[1] as { accessId: string }).accessId,
      )
      // A leaked uid must not give access.
      expect(failureIn(await askFor(uid))).toEqual(NO_ACCESS)
    })

    it("does not take another application's user", async () => {
      const other = await service.newApplication()
      await other.addResource(rid)
      const foreign = await other.client.grantAccess({ rid, email: email(), user_ref: rid })
      for (const ref of [rid, foreign.uid]) expect(failureIn(await askFor(ref))).toEqual(NO_ACCESS)
    })

    it('does not tell of access to a file that is not published', async () => {
      await app.client.grantAccess({ rid, email: email(), user_ref: rid })
      await publish(false)
      expect(failureIn(await askFor(rid))).toMatchObject({ code: 'download_not_found' })
    })
  })

  describe('their paths', () => {
    it('take GET alone: every other method is a 402, signed or not', async () => {
      for (const path of [...GET_PATHS, ...URL_PATHS]) {
        for (const method of ['HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH']) {
          for (const response of [
            await sendSigned(app, method, path, { rid, lifetime: 60 }),
            await send(service.url, path, { method }),
          ]) {
            expect([path, method, response.status]).toEqual([path, method, 402])
            if (method !== 'HEAD')
              expect(failureIn(response)).toMatchObject({ code: 'method_not_allowed' })
          }
        }
      }
    })

    it('are signed as they are sent: a signature of one spelling is none of the other', async () => {
      await addDownload(app, rid)
      for (const [one, two] of [GET_PATHS, URL_PATHS] as [string, string][]) {
        const query = `?rid=${rid}&lifetime=60`
        const headers = { authorization: authorization(app, 'GET', one + query) }
        for (const [path, status] of [
          [one, 200],
          [two, 401],
        ] as const) {
          const response = await send(service.url, path + query, { headers })
          expect([path, response.status]).toEqual([path, status])
        }
      }
    })

    it('have no other spelling', async () => {
      await addDownload(app, rid)
      for (const path of [
        '/r2/downloads',
        '/r2/downloads/',
        '/r2/downloads/url/',
        '/r2/download/url/',
        '/r2/download//',
        '/r2//download',
        '/r2/Download',
        '/r2/download/URL',
        '/r2/download/./url',
        '/r2/download%2Furl',
        '/r2/download/other',
      ]) {
        const response = await sendSigned(app, 'GET', path, { rid, lifetime: 60 })
        expect([path, failureIn(response).code]).toEqual([path, 'path_not_found'])
      }
    })
  })
})

describe.each(entryPointDatabases)('A longest life on $name', (database) => {
  it('is a 402 that names it, for whatever would live longer', async () => {
    const service = await startTestService(database, {
      env: { GATEHOUSE_DOWNLOAD_LONGEST_LIFE: '604800' },
    })
    try {
      for (const environment of ['production', 'sandbox'] as const) {
        const app = await service.newApplication(environment)
        await app.addResource('f')
        await addDownload(app, 'f')
        const now = app.environment.clock()
        const ask = (input: object) => app.client.getDownloadUrl({ rid: 'f', ...input })
        const tooLong = {
          status: 402,
          code: 'link_life_too_long',
          message: "The link's lifetime exceeds the configured maximum of 604800 seconds.",
        }
        for (const input of [
          { lifetime: 604_801 },
          { expiration: now + 604_801 },
          { lifetime: LAST_SECOND },
          { expiration: LAST_SECOND },
        ]) {
          await expect(ask(input)).rejects.toMatchObject(tooLong)
        }
        expect((await ask({ lifetime: 604_800 })).expires).toBe(now + 604_800)
        expect((await ask({ lifetime: 604_801, expiration: now + 5 })).expires).toBe(now + 5)
      }
    } finally {
      await service.stop()
    }
  })
})
