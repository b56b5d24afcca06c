import { beforeEach, describe, expect, it } from 'vitest'
import { changeSettings } from '../../../domain/apps/applications.ts'
import { removeDownload, replaceFile } from '../../../domain/downloads/downloads.ts'
import { archivePrice, createPrice, type Terms } from '../../../domain/resources/prices.ts'
import { entryPointDatabases } from '../../../testing/databases.ts'
import {
  failureIn,
  GET_PATHS,
  URL_PATHS,
  useDownloadRequests,
} from '../../../testing/downloads/download-requests.ts'
import { addDownload, testActor, uploadBytes } from '../../../testing/downloads/downloads.ts'
import {
  authorization,
  send,
  sendSigned,
  withoutRequestId,
} from '../../../testing/http/requests.ts'
import { ONCE } from '../../../testing/payments/shop.ts'
import type { TestApplication } from '../../../testing/service.ts'

describe.each(entryPointDatabases)('Downloads on $name', (database) => {
  /** Each test has its own resource. */
  let rid: string
  const requests = useDownloadRequests(database, () => rid)
  const { service, app, addNewResource } = requests
  const { inTransaction, publish, refusal } = requests
  beforeEach(async () => {
    rid = await addNewResource()
  })

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
