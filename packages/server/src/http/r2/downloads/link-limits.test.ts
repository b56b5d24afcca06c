import { beforeAll, describe, expect, it } from 'vitest'
import { entryPointDatabases } from '../../../testing/databases.ts'
import { failureIn, useDownloadRequests } from '../../../testing/downloads/download-requests.ts'
import { addDownload } from '../../../testing/downloads/downloads.ts'
import { sendSigned } from '../../../testing/http/requests.ts'
import { startTestService } from '../../../testing/service.ts'

const LAST_SECOND = 253_402_300_799

describe.each(entryPointDatabases)('Downloads on $name', (database) => {
  const rid = 'plain'
  const { service, app, askUrl, refusal } = useDownloadRequests(database, () => rid)
  beforeAll(async () => {
    await app.addResource(rid)
    await addDownload(app, rid)
  })

  describe('the end of a link', () => {
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

    it('must be given: 400 without lifetime and expiration, or with an empty one', async () => {
      const refused = (message: string) => ({ status: 400, code: 'invalid_parameter', message })
      expect(await refusal({})).toEqual(refused('lifetime: give either lifetime or expiration'))
      for (const name of ['lifetime', 'expiration', 'expires']) {
        const empty = refused(`${name}: must not be empty`)
        expect(await refusal({ [name]: '' })).toEqual(empty)
        expect(await refusal({ limit: 3, [name]: '' })).toEqual(empty)
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
      "can't have a lifetime of %s: 400",
      async (lifetime) => {
        const refused = { status: 400, message: 'lifetime: must be 1 or more' }
        expect(await refusal({ lifetime })).toMatchObject(refused)
        const both = { lifetime, expiration: service.clock.seconds + 60 }
        expect(await refusal(both)).toMatchObject(refused)
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
