import { createHash } from 'node:crypto'
import { request } from 'node:http'
import { describe, expect, it } from 'vitest'
import { recordDeliveries } from '../../../domain/downloads/deliveries.ts'
import { disableAfterFirstAction, signInAs } from '../../../testing/dashboard-api.ts'
import { databases } from '../../../testing/databases.ts'
import { toDeliveryRows } from '../../../testing/downloads/downloads.ts'
import { sendSlowly } from '../../../testing/http/requests.ts'
import { useApplication, useService, useSignedIn } from '../../../testing/use-service.ts'
import type { ResourceDetails } from '../resources/schemas.ts'
import type { Page } from '../schemas.ts'
import type { DeliveryItem, DownloadItem, ListedDownload, NewDownloadLink } from './schemas.ts'

const digest = (text: string) => createHash('sha256').update(text).digest('hex')

describe.each(databases)('files at the dashboard on $name', (database) => {
  const service = useService(database)
  const app = useApplication(service)
  const editor = useSignedIn(service, 'support')

  const ctx = () => editor.of(app)
  const upload = (rid: string, query: string, bytes: string) =>
    ctx().upload<DownloadItem>('POST', `/resources/${rid}/files?${query}`, bytes)
  const fetched = async (url: string) => await (await fetch(url)).text()

  async function link(id: string): Promise<string> {
    const { body } = await ctx().request<NewDownloadLink>('POST', `/downloads/${id}/link`, {
      lifetime: 60,
    })
    return body.url
  }

  it('puts a file behind a resource, and another in its place; links go on', async () => {
    await app.addResource('one', { name: 'Issue one' })
    const first = await upload('one', 'name=Issue%201.txt', 'first')
    expect([first.status, first.body]).toMatchObject([
      200,
      { title: 'Issue one', file: 'Issue 1.txt', type: 'text/plain', sha256: digest('first') },
    ])
    expect(first.body.published).toBe(service.clock.seconds)
    const url = await link(first.body.id)
    expect(await fetched(url)).toBe('first')
    const at = `/downloads/${first.body.id}/file?name=b.csv`
    const second = await ctx().upload<DownloadItem>('PUT', at, 'the second')
    expect(second.body).toMatchObject({ id: first.body.id, title: 'Issue one', file: 'b.csv' })
    expect(await fetched(url)).toBe('the second')
    const nowhere = await ctx().upload('PUT', '/downloads/none/file?name=b.csv', 'x')
    expect(nowhere.status).toBe(404)
  })

  it('adds more files to a resource, and orders all of them', async () => {
    await app.addResource('many', { name: 'All issues' })
    const files = [
      await upload('many', 'name=one.txt', '1'),
      await upload('many', 'name=two.v2.txt', '2'),
      await upload('many', 'name=three.txt&title=The%20third&published=false', '3'),
    ]
    expect(files.map(({ body }) => body.title)).toEqual(['All issues', 'two.v2', 'The third'])
    const ids = files.map(({ body }) => body.id)
    const path = '/resources/many/files/order'
    const listed = async () =>
      (await ctx().request<ResourceDetails>('GET', '/resources/many')).body.files.map(
        ({ id }) => id,
      )
    expect(await listed()).toEqual(ids)
    const turned = ids.toReversed()
    expect((await ctx().request('PUT', path, { ids: turned })).body).toEqual({ ids: turned })
    expect(await listed()).toEqual(turned)
    for (const wrong of [ids.slice(1), [...ids, 'x'], [ids[0], ids[0], ids[1]]]) {
      expect((await ctx().request('PUT', path, { ids: wrong })).body).toMatchObject({
        error: { code: 'downloads_changed' },
      })
    }
    expect(await listed()).toEqual(turned)
    const url = await link(ids[1] as string)
    expect(await fetched(url)).toBe('2')
    await ctx().request('DELETE', `/downloads/${ids[1]}`)
    expect(await listed()).toEqual([ids[2], ids[0]])
  })

  it('takes a rid with a slash, and refuses what names no resource or no file', async () => {
    await app.addResource('a/b')
    const coded = encodeURIComponent('a/b')
    expect((await upload(coded, 'name=a.txt', 'x')).body.rid).toBe('a/b')
    expect((await upload('none', 'name=a.txt', 'x')).status).toBe(404)
    for (const query of ['name=..%2Fa', 'name=', '', 'name=a.txt&title=%01']) {
      expect([query, (await upload(coded, query, 'x')).status]).toEqual([query, 400])
    }
  })

  it('takes no file from somebody who was disabled while it came', async () => {
    await app.addResource('late')
    const { member, headers } = await signInAs(service, 'support')
    const path = `/dashboard/api/${app.environment.name}/${app.aid}/resources/late/files?name=a.txt`
    const type = { 'content-type': 'application/octet-stream' }
    const message = { method: 'POST', headers: { ...headers, ...type }, body: 'whatever' }
    const response = await sendSlowly(service.url, path, message, () =>
      disableAfterFirstAction(service, member),
    )
    expect(response.status).toBe(401)
    expect((await ctx().request<Page<DownloadItem>>('GET', '/downloads?q=late')).body.total).toBe(0)
  })

  it('keeps nothing of an upload that breaks off', async () => {
    await app.addResource('broken')
    const path = `/dashboard/api/production/${app.aid}/resources/broken/files?name=a.txt`
    const type = { 'content-type': 'application/octet-stream', 'content-length': '1000' }
    await new Promise<void>((resolve) => {
      const headers = { ...editor.headers, ...type }
      const outgoing = request(service.url + path, { method: 'POST', headers, agent: false })
      outgoing.on('error', () => resolve())
      outgoing.write('only this', () => outgoing.destroy(new Error('gone')))
    })
    const { body } = await ctx().request<Page<DownloadItem>>('GET', '/downloads?q=broken')
    expect(body.total).toBe(0)
  })

  it('lets a file take longer than any other request may', async () => {
    await app.addResource('slow')
    const { server } = service.app
    const { requestTimeout, headersTimeout } = server
    const path = `/dashboard/api/production/${app.aid}/resources/slow/files?name=a.txt`
    const type = { 'content-type': 'application/octet-stream', 'content-length': '10' }
    const answered = await new Promise<number | undefined>((resolve, reject) => {
      const headers = { ...editor.headers, ...type }
      const outgoing = request(service.url + path, { method: 'POST', headers, agent: false })
      outgoing.on('error', reject)
      outgoing.on('response', (answer) => resolve(answer.statusCode))
      outgoing.write('half ')
      // The rest is sent only after the server has noticed that the timeout has passed.
      server.once('clientError', () => outgoing.end('after'))
      Object.assign(server, { headersTimeout: 100, requestTimeout: 200 })
    }).finally(() => Object.assign(server, { requestTimeout, headersTimeout }))
    expect(answered).toBe(200)
  })

  it('describes, withdraws and removes a download', async () => {
    await app.addResource('two')
    const { id } = (await upload('two', 'name=a.txt', 'two')).body
    const url = await link(id)
    const change = (body: object) => ctx().request<DownloadItem>('PATCH', `/downloads/${id}`, body)
    const image = 'https://example.com/a.png'
    expect((await change({ title: 'New', description: 'Long', image })).body).toMatchObject({
      ...{ title: 'New', description: 'Long', image },
    })
    expect((await change({ image: 'javascript:alert(1)' })).status).toBe(400)
    expect((await change({ title: '' })).status).toBe(400)
    expect((await change({ description: '', published: false })).body).toMatchObject({
      ...{ description: '', published: null, image },
    })
    expect((await fetch(url)).status).toBe(404)
    expect((await ctx().request('DELETE', `/downloads/${id}`)).status).toBe(200)
    expect((await ctx().request('GET', `/downloads/${id}`)).status).toBe(404)
  })

  it('makes links for one reader, who has to have access', async () => {
    await app.addResource('three')
    const { id } = (await upload('three', 'name=a.txt', 'three')).body
    const input = { lifetime: 60, user_ref: 'lea' }
    expect((await ctx().request('POST', `/downloads/${id}/link`, input)).status).toBe(404)
    const unset = { ...input, user_ref: '' }
    expect((await ctx().request('POST', `/downloads/${id}/link`, unset)).status).toBe(400)
    await app.client.grantAccess({ rid: 'three', user_ref: 'lea', email: 'lea@example.com' })
    const { body } = await ctx().request<NewDownloadLink>('POST', `/downloads/${id}/link`, input)
    expect(body.expires).toBe(service.clock.seconds + 60)
    expect(await fetched(body.url)).toBe('three')
  })

  it('lists what was delivered, and to whom', async () => {
    await app.addResource('four', { name: 'Fourth' })
    const { id } = (await upload('four', 'name=a.txt', 'four')).body
    const { uid } = await app.client.grantAccess({
      rid: 'four',
      user_ref: 'max',
      email: 'm@example.com',
    })
    const { aid, environment } = app
    const delivery = { aid, rid: 'four', download_id: id, at: service.clock.seconds, bytes: 4 }
    const both = [
      { ...delivery, link: 'named', uid, outcome: 'complete' as const },
      { ...delivery, link: 'plain', uid: null, outcome: 'partial' as const },
    ]
    await environment.database.write((trx) =>
      recordDeliveries(trx, toDeliveryRows(both), service.clock.seconds),
    )
    const found = async (query: string) =>
      (await ctx().request<Page<DeliveryItem>>('GET', `/deliveries?${query}`)).body
    expect((await found('rid=four')).total).toBe(2)
    expect((await found('q=m@ex')).data).toMatchObject([
      { link: 'named', email: 'm@example.com', resource: 'Fourth' },
    ])
    expect((await found('rid=none')).total).toBe(0)
    const listed = await ctx().request<Page<ListedDownload>>('GET', `/downloads?q=${id}`)
    expect(listed.body.data).toMatchObject([{ id, rid: 'four', resource: 'Fourth' }])
  })
})
