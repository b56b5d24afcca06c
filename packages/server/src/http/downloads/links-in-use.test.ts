import { once } from 'node:events'
import { Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { DownloadUrlQuery } from '@gatehouse/sdk'
import { pino } from 'pino'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createApp } from '../../app.ts'
import { listDeliveries } from '../../domain/downloads/deliveries.ts'
import { setOpens } from '../../domain/passes/opens.ts'
import { endLinks } from '../../domain/users/reader-links.ts'
import { databases, entryPointDatabases } from '../../testing/databases.ts'
import { addDownload } from '../../testing/downloads/downloads.ts'
import { errorCode, fetchBytes, openFetch } from '../../testing/http/fetching.ts'
import { startTestService } from '../../testing/service.ts'
import { DAY } from '../../testing/time.ts'
import { useApplication, useService } from '../../testing/use-service.ts'

const BYTES = Buffer.from('some bytes')
const [SQLITE] = databases

describe.each(entryPointDatabases)('a link to a file on $name', (database) => {
  let rid: string
  let count = 0

  const service = useService(database)
  const app = useApplication(service)
  beforeEach(async () => {
    rid = `film-${count++}`
    await app.addResource(rid)
    await addDownload(app, rid, BYTES)
  })

  const linkTo = async (input: Partial<DownloadUrlQuery> = {}) =>
    (await app.client.getDownloadUrl({ rid, lifetime: 30 * DAY, ...input })).url
  const grant = () =>
    app.client.grantAccess({
      rid,
      email: `${rid}@example.com`,
      user_ref: rid,
      suppress_email: true,
    })
  const usesOf = (url: string) =>
    app.environment.database.read
      .selectFrom('download_uses')
      .selectAll()
      .where('link', '=', new URL(url).pathname.split('.')[3] as string)
      .execute()
  const refusal = async (url: string) => {
    const answer = await fetchBytes(url)
    return [answer.status, errorCode(answer)]
  }

  it('ends in the second that it says', async () => {
    const url = await linkTo({ lifetime: 60 })
    service.clock.advance(59)
    expect((await fetchBytes(url)).status).toBe(200)
    service.clock.advance(1)
    expect(await refusal(url)).toEqual([410, 'link_expired'])
  })

  it('that is bound to an access dies with it, and for good', async () => {
    await grant()
    const url = await linkTo({ user_ref: rid })
    expect((await fetchBytes(url)).body.equals(BYTES)).toBe(true)
    await app.client.revokeAccess({ rid, user_ref: rid })
    expect(await refusal(url)).toEqual([403, 'access_ended'])
    expect((await fetchBytes(url, {}, 'HEAD')).status).toBe(403)
    await grant()
    expect(await refusal(url)).toEqual([403, 'access_ended'])
    expect((await fetchBytes(await linkTo({ user_ref: rid }))).status).toBe(200)
  })

  it('says who it was made for in what is written down', async () => {
    const { uid } = await grant()
    await fetchBytes(await linkTo({ user_ref: rid }))
    const { read } = app.environment.database
    const find = () => listDeliveries(read, { aid: app.aid, uid })
    await expect.poll(async () => (await find()).length).toBe(1)
    expect(await find()).toMatchObject([{ rid, bytes: BYTES.length, outcome: 'complete' }])
  })

  it('that may be used once is one use for a whole day, however it is fetched', async () => {
    const url = await linkTo({ limit: 1 })
    const parts = Array.from({ length: 20 }, (_, i) => ({ range: `bytes=${i % 10}-` }))
    const answers = await Promise.all(parts.map((headers) => fetchBytes(url, headers)))
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(206))
    service.clock.advance(DAY - 1)
    expect((await fetchBytes(url)).status).toBe(200)
    expect(await usesOf(url)).toHaveLength(1)
    service.clock.advance(1)
    expect(await refusal(url)).toEqual([410, 'link_used'])
    expect(await usesOf(url)).toHaveLength(1)
  })

  it('that may be used twice can be, a day later', async () => {
    const url = await linkTo({ limit: 2 })
    for (const expected of [200, 200, 410]) {
      expect((await fetchBytes(url)).status).toBe(expected)
      service.clock.advance(DAY)
    }
    expect(await usesOf(url)).toMatchObject([{ number: 1 }, { number: 2 }])
  })

  it('is not used up by looking at the head, by what is not sent, or by a part that is not there', async () => {
    const url = await linkTo({ limit: 1 })
    const { headers } = await fetchBytes(url, {}, 'HEAD')
    expect((await fetchBytes(url, { 'if-none-match': headers.etag as string })).status).toBe(304)
    expect((await fetchBytes(url, { 'if-match': '"x"' })).status).toBe(412)
    expect((await fetchBytes(url, { range: 'bytes=10-' })).status).toBe(416)
    expect(await usesOf(url)).toEqual([])
  })
})

describe('links to files', () => {
  const lines: string[] = []

  const service = useService(SQLITE)
  const app = useApplication(service, { resources: ['film'] })
  beforeAll(async () => {
    await addDownload(app, 'film', Buffer.alloc(48 * 1024 * 1024, 7))
  })

  it('end what is under way soon after a revoke, after a pass opens less, or with all links of a reader', async () => {
    const { database } = app.environment
    const setPass = (all: boolean) =>
      database.write((trx) =>
        setOpens(trx, { aid: app.aid, rid: 'pass' }, { rids: [], prefixes: [], all }, 0, 'test'),
      )
    await app.addResource('pass')
    await setPass(true)
    await app.client.grantAccess({ rid: 'film', email: 'a@example.com', user_ref: 'a' })
    await app.client.grantAccess({ rid: 'pass', email: 'b@example.com', user_ref: 'b' })
    const { uid } = await app.client.grantAccess({
      ...{ rid: 'film', email: 'c@example.com', user_ref: 'c' },
    })
    const answers = []
    for (const user_ref of ['a', 'b', 'c']) {
      const { url } = await app.client.getDownloadUrl({ rid: 'film', lifetime: 60, user_ref })
      const answer = await openFetch(url)
      await once(answer, 'data')
      answer.pause()
      answers.push(answer)
    }
    await app.client.revokeAccess({ rid: 'film', user_ref: 'a' })
    await setPass(false)
    const who = { aid: app.aid, uid, actor: 'test' }
    await database.write((trx) => endLinks(trx, who, app.environment.clock()))
    // The service checks the access record every five seconds.
    await sleep(6_000)
    for (const answer of answers) {
      const cut = once(answer, 'error')
      answer.resume()
      expect((await cut)[0]).toMatchObject({ code: 'ECONNRESET' })
      expect(answer.complete).toBe(false)
    }
  })

  it.each([
    ['plain.pdf', 'attachment; filename="plain.pdf"'],
    ['two words.pdf', 'attachment; filename="two words.pdf"'],
    ['a "quote".txt', 'attachment; filename="a \\"quote\\".txt"'],
    ['Müller.pdf', `attachment; filename="Muller.pdf"; filename*=UTF-8''M%C3%BCller.pdf`],
    ['雑誌.pdf', `attachment; filename="__.pdf"; filename*=UTF-8''%E9%9B%91%E8%AA%8C.pdf`],
    ['🎬.mp4', `attachment; filename="_.mp4"; filename*=UTF-8''%F0%9F%8E%AC.mp4`],
    ["it's (1)*.txt", `attachment; filename="it's (1)*.txt"`],
    ['50%41.txt', `attachment; filename="50%41.txt"; filename*=UTF-8''50%2541.txt`],
    ['‥', `attachment; filename="download"; filename*=UTF-8''%E2%80%A5`],
    ['a／b', `attachment; filename="a_b"; filename*=UTF-8''a%EF%BC%8Fb`],
    ['a;b=c.txt', 'attachment; filename="a;b=c.txt"'],
  ])('call the file %s', async (filename, disposition) => {
    const { url } = await app.client.getDownloadUrl({ rid: 'film', lifetime: 60, filename })
    const { headers } = await fetchBytes(url, {}, 'HEAD')
    expect(headers['content-disposition']).toBe(disposition)
  })

  it('of one environment are nothing in the other', async () => {
    const sandbox = await service.newApplication('sandbox')
    await sandbox.addResource('film')
    await addDownload(sandbox, 'film')
    const inSandbox = (await sandbox.client.getDownloadUrl({ rid: 'film', lifetime: 60 })).url
    const inProduction = (await app.client.getDownloadUrl({ rid: 'film', lifetime: 60 })).url
    expect((await fetchBytes(inSandbox)).status).toBe(200)
    for (const url of [
      inSandbox.replace('/sandbox/d/', '/d/'),
      inProduction.replace('/d/', '/sandbox/d/'),
    ]) {
      const answer = await fetchBytes(url)
      expect([answer.status, errorCode(answer)]).toEqual([403, 'link_invalid'])
    }
  })

  it('take GET and HEAD alone', async () => {
    const { url } = await app.client.getDownloadUrl({ rid: 'film', lifetime: 60 })
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH']) {
      const answer = await fetchBytes(url, {}, method)
      expect([method, answer.status, errorCode(answer)]).toEqual([
        method,
        402,
        'method_not_allowed',
      ])
    }
  })

  it.each<[string, (url: string) => string, number, string]>([
    [
      'altered',
      (url) => `${url.slice(0, -1)}${url.endsWith('A') ? 'B' : 'A'}`,
      403,
      'This download link does not work',
    ],
    ['half', (url) => url.slice(0, -20), 403, 'This download link does not work'],
    ['of old', (url) => url, 410, 'This download link has expired'],
  ])('that are %s show a page to readers and tell programs', async (_, change, status, title) => {
    const { url } = await app.client.getDownloadUrl({ rid: 'film', lifetime: 60 })
    if (status === 410) service.clock.advance(60)
    const page = await fetchBytes(change(url), { accept: 'text/html,*/*' })
    expect(page.status).toBe(status)
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(page.headers['content-disposition']).toBeUndefined()
    expect(page.body.toString()).toContain(`<h1>${title}</h1>`)
    const told = await fetchBytes(change(url))
    expect([told.status, told.headers['content-type']]).toEqual([
      status,
      'application/json; charset=utf-8',
    ])
  })

  it('are in no log and in no table, whatever becomes of them', async () => {
    const sink = new Writable({
      write(chunk, _, done) {
        lines.push(String(chunk))
        done()
      },
    })
    const logged = await createApp(service.ctx, pino({ level: 'trace' }, sink) as never)
    await logged.listen({ host: '127.0.0.1', port: 0 })
    const { port } = logged.server.address() as { port: number }
    const links = [
      (await app.client.getDownloadUrl({ rid: 'film', lifetime: 60, limit: 3 })).url,
      `${(await app.client.getDownloadUrl({ rid: 'film', lifetime: 60 })).url}x`,
    ].map((url) => url.replace(service.url, `http://127.0.0.1:${port}`))
    for (const url of links) await fetchBytes(url, { accept: 'text/html' })
    await fetchBytes(`${links[0]}/../x`)
    await logged.close()
    const { read } = app.environment.database
    const tables = await Promise.all([
      read.selectFrom('deliveries').selectAll().execute(),
      read.selectFrom('download_uses').selectAll().execute(),
      read.selectFrom('history').selectAll().execute(),
    ])
    const kept = lines.join('') + JSON.stringify(tables)
    // Make sure that something was logged and stored at all.
    expect(lines.length).toBeGreaterThan(2)
    expect(tables[1]).toHaveLength(1)
    for (const url of links) {
      const signature = url.split('.').at(-1) as string
      expect(kept).not.toContain(signature.slice(0, 20))
    }
  })

  it('are written down when the service stops, also if it was a moment ago', async () => {
    const installation = await SQLITE.createMigrated()
    const first = await startTestService(SQLITE, { installation })
    const one = await first.newApplication()
    await one.addResource('film')
    await addDownload(one, 'film', BYTES)
    await fetchBytes((await one.client.getDownloadUrl({ rid: 'film', lifetime: 60 })).url)
    await first.stop()
    const second = await startTestService(SQLITE, { installation })
    const { read } = second.ctx.environments.production.database
    expect(await listDeliveries(read, { aid: one.aid })).toHaveLength(1)
    await second.stop()
    await installation.remove()
  })
})
