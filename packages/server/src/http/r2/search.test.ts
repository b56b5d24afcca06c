import type { AccessSearch, Grant } from '@gatehouse/sdk'
import { beforeAll, describe, expect, it } from 'vitest'
import { databases } from '../../testing/databases.ts'
import { sendSigned } from '../../testing/http/requests.ts'
import { useApplication, useService } from '../../testing/use-service.ts'

describe.each(databases)('GET /r2/access/search on $name', (database) => {
  /** Ids of the records, by a short name. */
  const ids: Record<string, string> = {}
  const names = (found: readonly { id: string }[]) =>
    found.map(({ id }) => Object.entries(ids).find(([, known]) => known === id)?.[0] ?? id)

  const search = async (filter: AccessSearch) => {
    const { data, total } = await app.client.searchAccess(filter)
    expect(total).toBe(data.length)
    return names(data)
  }

  async function grant(name: string, input: Grant): Promise<void> {
    ids[name] = (await app.client.grantAccess({ suppress_email: true, ...input })).id
    service.clock.advance(1)
  }

  const service = useService(database)
  const app = useApplication(service)
  const other = useApplication(service)
  beforeAll(async () => {
    for (const rid of ['news', 'archive']) {
      await app.addResource(rid)
      await other.addResource(rid)
    }
    const ann = { email: 'Ann@Example.com', user_ref: 'ann' }
    const bob = { email: 'bob@example.com', user_ref: 'bob' }
    const soon = service.clock.seconds + 5
    await grant('ann news', { rid: 'news', ...ann, tags: 'gift,spring' })
    await grant('ann archive', { rid: 'archive', ...ann, user_ref: 'ann-2', tags: 'gift' })
    await grant('bob news', { rid: 'news', ...bob, tags: 'spring' })
    await grant('bob archive, expired', { rid: 'archive', ...bob, expiration: soon })
    await grant('eve news, revoked', {
      rid: 'news',
      email: 'eve@example.com',
      user_ref: 'eve',
      tags: 'gift',
    })
    await grant('no reference', { rid: 'news', email: 'zoë@example.com' })
    await app.client.revokeAccess({ rid: 'news', user_ref: 'eve' })
    await other.client.grantAccess({ rid: 'news', ...ann, tags: 'gift' })
  })

  it('shows live records newest first, neither expired nor revoked nor foreign ones', async () => {
    expect(await search({})).toEqual(['no reference', 'bob news', 'ann archive', 'ann news'])
    expect(await search({ show_expired: false })).toEqual(await search({}))
  })

  it('adds the expired ones with show_expired, in their place, and never revoked ones', async () => {
    expect(await search({ show_expired: true })).toEqual([
      'no reference',
      'bob archive, expired',
      'bob news',
      'ann archive',
      'ann news',
    ])
    expect(await search({ user_ref: 'eve', show_expired: true })).toEqual([])
  })

  it.each<[AccessSearch, string[]]>([
    [{ rid: 'archive' }, ['ann archive']],
    [{ rid: 'archive', show_expired: true }, ['bob archive, expired', 'ann archive']],
    [{ rid: 'Archive' }, []],
    [{ user_ref: 'ann' }, ['ann archive', 'ann news']],
    [{ user_ref: 'ann-2' }, ['ann archive', 'ann news']],
    [{ user_ref: 'nobody' }, []],
    [{ email: 'ann@example.com' }, ['ann archive', 'ann news']],
    [{ email: 'ANN@EXAMPLE.COM' }, ['ann archive', 'ann news']],
    [{ email: 'ZOE\u0308@example.com' }, ['no reference']],
    [{ email: 'nobody@example.com' }, []],
    [{ tag: 'gift' }, ['ann archive', 'ann news']],
    [{ tag: 'spring' }, ['bob news', 'ann news']],
    [{ tag: 'Spring' }, []],
    [{ tag: 'spr' }, []],
    [{ rid: 'news', tag: 'spring' }, ['bob news', 'ann news']],
    [{ rid: 'news', user_ref: 'ann' }, ['ann news']],
    [{ user_ref: 'ann', email: 'bob@example.com' }, []],
    [{ user_ref: 'bob', tag: 'gift' }, []],
    [{ email: 'bob@example.com', tag: 'spring' }, ['bob news']],
    [{ rid: 'news', user_ref: 'ann-2', email: 'ann@example.com', tag: 'gift' }, ['ann news']],
    [{ rid: 'archive', user_ref: 'ann', email: 'ann@example.com', tag: 'spring' }, []],
  ])('finds by %o: all filters must match', async (filter, expected) => {
    expect(await search(filter)).toEqual(expected)
  })

  it('takes a uid in place of a user_ref', async () => {
    const { data } = await app.client.searchAccess()
    for (const { uid, user_ref } of data) {
      const found = await search({ user_ref: uid })
      expect(found).not.toEqual([])
      expect(found).toEqual(await search({ user_ref }))
    }
  })

  it('is newest first also within a second', async () => {
    const granted: string[] = []
    for (let n = 0; n < 12; n++) {
      const input = { rid: n % 2 ? 'news' : 'archive', tags: 'same second' }
      granted.push((await app.client.grantAccess({ ...input, email: `same-${n}@example.com` })).id)
    }
    const newest = granted.reverse()
    const idsOf = async (filter: AccessSearch) =>
      (await app.client.searchAccess(filter)).data.map(({ id }) => id)
    const before = Object.values(ids)
    expect((await idsOf({ pagesize: 12 })).slice(0, 12)).toEqual(newest)
    expect(await idsOf({ tag: 'same second' })).toEqual(newest)
    expect((await idsOf({ rid: 'news' })).filter((id) => !before.includes(id))).toEqual(
      newest.filter((_, i) => i % 2 === 0),
    )
    const pages = await Promise.all([0, 1, 2].map((page) => idsOf({ page, pagesize: 4 })))
    expect(pages.flat()).toEqual(newest)
    for (const { user_ref, rid } of (await app.client.searchAccess({ tag: 'same second' })).data) {
      await app.client.revokeAccess({ rid, user_ref })
    }
  })

  it('is over at the very second of the end', async () => {
    const expiration = service.clock.seconds + 10
    await app.client.grantAccess({ rid: 'news', email: 'b@example.com', tags: 'edge', expiration })
    service.clock.advance(9)
    expect((await app.client.searchAccess({ tag: 'edge' })).total).toBe(1)
    service.clock.advance(1)
    expect((await app.client.searchAccess({ tag: 'edge' })).total).toBe(0)
    expect((await app.client.searchAccess({ tag: 'edge', show_expired: true })).total).toBe(1)
  })

  it('answers with the envelope and whole records', async () => {
    const record = await app.client.getAccess({ rid: 'news', user_ref: 'bob' })
    const response = await sendSigned(app, 'GET', '/r2/access/search', {
      rid: 'news',
      user_ref: 'bob',
    })
    expect(JSON.parse(response.text)).toEqual({ data: [record], total: 1, page: 0, pagesize: 100 })
  })

  it('is a 400 that names the parameter for what cannot be read', async () => {
    const bad = {
      page: ['-1', '1.5', 'x', '1e3', '99999999999999999999'],
      pagesize: ['0', '-1', 'ten'],
      show_expired: ['yes', '2'],
      email: ['nobody', 'a@b@c'],
      tag: ['a,b'],
      rid: ['a b'],
    }
    for (const [name, values] of Object.entries(bad)) {
      for (const value of values) {
        const response = await sendSigned(app, 'GET', '/r2/access/search', { [name]: value })
        expect(
          [response.status, JSON.parse(response.text).error.message],
          `${name}=${value}`,
        ).toEqual([400, expect.stringMatching(new RegExp(`^${name}: `))])
      }
    }
  })

  it.each(['rid', 'user_ref', 'email', 'tag'])(
    'is a 400 for an empty %s, in which a caller forgot to set a variable',
    async (name) => {
      for (const query of [`${name}=`, name, `show_expired=&pagesize=&${name}=`]) {
        const { status, text } = await sendSigned(app, 'GET', `/r2/access/search?${query}`)
        expect([status, JSON.parse(text).error]).toMatchObject([400, { parameter: name }])
      }
    },
  )

  it.each(['subscription', 'payment'])(
    'as that of the %ss does, takes no empty filter',
    async (what) => {
      for (const name of ['rid', 'user_ref']) {
        for (const query of [`${name}=`, name]) {
          const { status, text } = await sendSigned(app, 'GET', `/r2/${what}/search?${query}`)
          expect([status, JSON.parse(text).error]).toMatchObject([400, { parameter: name }])
        }
      }
    },
  )

  describe('paging', () => {
    const many = useApplication(service, { resources: ['r'] })
    let all: string[]
    beforeAll(async () => {
      // All in one second, so that only the ids determine the order.
      const made = await Promise.all(
        Array.from({ length: 23 }, (_, i) =>
          many.client.grantAccess({ rid: 'r', email: `u${i}@example.com`, suppress_email: true }),
        ),
      )
      all = made.map(({ id }) => id).sort((a, b) => (a > b ? -1 : 1))
    })

    it('breaks ties by id, the highest first, in the order of bytes', async () => {
      const { data } = await many.client.searchAccess()
      expect(data.map(({ id }) => id)).toEqual(all)
    })

    it('shows every record once over the pages, with the count of all on each', async () => {
      const seen: string[] = []
      for (let page = 0; page < 3; page++) {
        const answer = await many.client.searchAccess({ page, pagesize: 10 })
        expect(answer).toMatchObject({ total: 23, page, pagesize: 10 })
        expect(answer.data).toHaveLength(page < 2 ? 10 : 3)
        seen.push(...answer.data.map(({ id }) => id))
      }
      expect(seen).toEqual(all)
      const iterated: string[] = []
      for await (const { id } of many.client.listAccess({ pagesize: 7 })) iterated.push(id)
      expect(iterated).toEqual(all)
    })

    it.each([3, 1_000_000, Number.MAX_SAFE_INTEGER])(
      'is empty past the end (page %i), with the true total',
      async (page) => {
        const answer = await many.client.searchAccess({ page, pagesize: 10 })
        expect(answer).toEqual({ data: [], total: 23, page, pagesize: 10 })
      },
    )

    it.each([
      [1000, 1000],
      [1001, 1000],
      ['99999999999999999999999', 1000],
      [1, 1],
      ['', 100],
    ])('takes pagesize %s as %i, and says so', async (pagesize, taken) => {
      const response = await sendSigned(many, 'GET', '/r2/access/search', { pagesize })
      expect(JSON.parse(response.text)).toMatchObject({ total: 23, page: 0, pagesize: taken })
      expect(JSON.parse(response.text).data).toHaveLength(Math.min(23, taken))
    })

    it('gives no more than 1000 records, however many there are', async () => {
      const { database: db, clock } = many.environment
      await db.write(async (trx) => {
        const { id, ...row } = await trx
          .selectFrom('access')
          .selectAll()
          .where('aid', '=', many.aid)
          .executeTakeFirstOrThrow()
        const rids = Array.from({ length: 1000 }, (_, i) => `r${i}`)
        const created = clock()
        const blank = { aid: many.aid, url: '', description: '', image: '' }
        await trx
          .insertInto('resources')
          .values(rids.map((rid) => ({ ...blank, rid, name: rid, created })))
          .execute()
        const rows = rids.map((rid) => ({ ...row, rid, id: `${id}${rid}` }))
        await trx.insertInto('access').values(rows).execute()
      })
      const page = await many.client.searchAccess({ pagesize: 5000 })
      expect([page.data.length, page.total, page.pagesize]).toEqual([1000, 1023, 1000])
      const rest = await many.client.searchAccess({ pagesize: 5000, page: 1 })
      expect(rest.data).toHaveLength(23)
      // Inserted directly, without sources and history: removed before the invariants are checked.
      await db.write(async (trx) => {
        await trx.deleteFrom('access').where('aid', '=', many.aid).where('rid', '<>', 'r').execute()
      })
    })
  })
})
