import { describe, expect, it } from 'vitest'
import { orderDownloads } from '../../domain/downloads/order.ts'
import { databases } from '../../testing/databases.ts'
import { addDownload, testActor } from '../../testing/downloads/downloads.ts'
import { useFreshApplication, useService } from '../../testing/use-service.ts'

const HTML = { accept: 'text/html' }
const SAME = { ...HTML, 'sec-fetch-site': 'same-origin' }

describe.each(databases)("the page with a reader's files on $name", (database) => {
  const service = useService(database)
  const app = useFreshApplication(service, { resources: ['album'] })
  const other = useFreshApplication(service, { resources: ['album'] })

  const now = () => app.environment.clock()
  const add = (title: string, more: object = {}) =>
    addDownload(app, 'album', Buffer.from(`bytes of ${title}`), {
      ...{ title, fileName: `${title}.pdf`, isAdditional: true },
      ...more,
    })
  const open = async (url: string) => {
    const response = await fetch(url, { headers: HTML })
    return { status: response.status, headers: response.headers, text: await response.text() }
  }
  const click = (url: string, headers: Record<string, string> = SAME) =>
    fetch(url, { method: 'POST', headers, redirect: 'manual', body: new URLSearchParams() })

  async function grant(more: object = {}, to = app): Promise<{ link: string; id: string }> {
    const { uid } = await to.client.grantAccess({
      ...{ rid: 'album', email: 'ann@example.com', user_ref: 'ann' },
      ...more,
    })
    const { database } = to.environment
    const row = await database.read
      .selectFrom('access')
      .select('id')
      .where((eb) => eb.and({ aid: to.aid, uid }))
      .where('revoked', 'is', null)
      .executeTakeFirstOrThrow()
    return {
      link: await to.environment.filesLink({ aid: to.aid, id: row.id, linkNumber: 0 }, now()),
      ...row,
    }
  }

  it('lists the published files in order, and delivers each', async () => {
    const one = await add('one', { description: 'The <b>first</b>' })
    const two = await add('two')
    const hidden = await add('secret', { publish: false })
    const { database } = app.environment
    await database.write((trx) =>
      orderDownloads(
        trx,
        { aid: app.aid, rid: 'album' },
        [two.id, hidden.id, one.id],
        testActor(app.environment),
      ),
    )
    const { link } = await grant()
    const page = await open(link)
    expect(page.status).toBe(200)
    expect(page.headers.get('cache-control')).toBe('no-store')
    expect(page.headers.get('referrer-policy')).toBe('same-origin')
    expect(page.text).not.toContain('secret')
    expect(page.text).toContain('The &lt;b&gt;first&lt;/b&gt;')
    expect(page.text).toContain('PDF, 12 byte')
    expect(page.text.indexOf('>two<')).toBeLessThan(page.text.indexOf('>one<'))
    for (const file of [one, two]) {
      const single = await open(`${link}/${file.id}`)
      expect([single.status, single.text.includes(`<h1>${file.title}</h1>`)]).toEqual([200, true])
      const answer = await click(`${link}/${file.id}`)
      expect(answer.status).toBe(303)
      const sent = await fetch(answer.headers.get('location') as string)
      expect(await sent.text()).toBe(`bytes of ${file.title}`)
    }
    expect((await open(`${link}/${hidden.id}`)).status).toBe(404)
    expect((await click(`${link}/${hidden.id}`)).status).toBe(404)
  })

  it('ends with the access, and so does what it has given out', async () => {
    const { id } = await add('one')
    const { link } = await grant()
    const location = (await click(`${link}/${id}`)).headers.get('location') as string
    await app.client.revokeAccess({ rid: 'album', user_ref: 'ann' })
    for (const url of [link, `${link}/${id}`]) {
      const page = await open(url)
      expect([page.status, page.text.includes('Your access has ended')]).toEqual([403, true])
      expect(page.text).not.toContain(id)
    }
    const refused = await click(`${link}/${id}`)
    expect([refused.status, refused.headers.get('location')]).toEqual([403, null])
    expect((await fetch(location)).status).toBe(403)
    // The old link stays dead after a new grant, which has a record and a link of its own.
    const again = await grant()
    expect((await open(link)).status).toBe(403)
    expect((await open(again.link)).status).toBe(200)
  })

  it('ends when the access expires', async () => {
    const { id } = await add('one')
    const { link } = await grant({ expiration: now() + 600 })
    expect((await open(link)).status).toBe(200)
    service.clock.advance(600)
    expect((await open(link)).status).toBe(403)
    expect((await click(`${link}/${id}`)).status).toBe(403)
  })

  it('gives out links that live for hours, and never longer than its own link', async () => {
    const { id } = await add('one')
    const access = await grant()
    const endOf = async (link: string) =>
      Number((await click(`${link}/${id}`)).headers.get('location')?.split('.').at(-6))
    expect(await endOf(access.link)).toBe(now() + 6 * 3600)
    const short = await app.environment.filesLink(
      { aid: app.aid, id: access.id, linkNumber: 0 },
      now(),
      60,
    )
    expect(await endOf(short)).toBe(now() + 60)
    service.clock.advance(60)
    const page = await open(short)
    expect([page.status, page.text.includes('This link has expired')]).toEqual([410, true])
  })

  it('promises nothing that its link does not keep', async () => {
    const { id } = await add('one')
    const access = await grant()
    const linkFor = (lifetime: number) =>
      app.environment.filesLink({ aid: app.aid, id: access.id, linkNumber: 0 }, now(), lifetime)
    const month = await linkFor(30 * 86_400)
    for (const url of [month, `${month}/${id}`]) {
      const { text } = await open(url)
      expect(text).toMatch(/You have lifetime access\. The link to this page works until .* UTC\./)
      expect(text).not.toContain('Come back')
    }
    for (const url of [access.link, `${access.link}/${id}`]) {
      expect((await open(url)).text).toContain('You have lifetime access. Come back to this page')
    }
    const timed = await grant({
      email: 'bea@example.com',
      user_ref: 'bea',
      expiration: now() + 600,
    })
    const ends = /You have access until .*\.<\/p>/
    expect((await open(timed.link)).text).toMatch(ends)
    expect((await open(timed.link)).text).not.toMatch(/works until|Come back/)
    const short = await app.environment.filesLink(
      { aid: app.aid, id: timed.id, linkNumber: 0 },
      now(),
      60,
    )
    expect((await open(short)).text).toMatch(/You have access until .* works until .*\.<\/p>/)
    service.clock.advance(60)
    expect((await open(short)).text).toContain('or ask for a new link where you got this one')
  })

  it('has nothing of another application or another resource', async () => {
    await add('one')
    await app.addResource('book')
    const book = await addDownload(app, 'book')
    const foreign = await addDownload(other, 'album')
    const { link, id } = await grant()
    for (const file of [book, foreign]) {
      expect((await open(`${link}/${file.id}`)).status).toBe(404)
      expect((await click(`${link}/${file.id}`)).status).toBe(404)
    }
    const mixed = await app.environment.filesLink({ aid: other.aid, id, linkNumber: 0 }, now())
    expect((await open(mixed)).status).toBe(404)
    expect((await open(link.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')))).status).toBe(403)
  })

  it('takes no click from another site', async () => {
    const { id } = await add('one')
    const { link } = await grant()
    const answer = await click(`${link}/${id}`, { ...HTML, 'sec-fetch-site': 'cross-site' })
    expect([answer.status, answer.headers.get('location')]).toEqual([403, null])
  })

  it('says so if there are no files', async () => {
    const { link } = await grant()
    expect((await open(link)).text).toContain('There are no files here at the moment.')
  })
})
