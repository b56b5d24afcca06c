import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { formatTime } from '../../format-time.ts'
import { type Cli, inProcessCli, spawnedCli } from '../../testing/cli.ts'
import { entryPointDatabases } from '../../testing/databases.ts'
import type { TestApplication } from '../../testing/service.ts'
import { useService } from '../../testing/use-service.ts'

interface Page {
  data: { rid: string; aid: string; user_ref: string; environment: string }[]
  total: number
}

const seconds = () => Math.floor(Date.now() / 1000)

describe.each(entryPointDatabases)('access by command line on $name', (database) => {
  const service = useService(database, { useRealTime: true })
  let app: TestApplication
  let other: TestApplication
  let cli: Cli
  let real: Cli
  beforeAll(async () => {
    cli = inProcessCli(service.installation.env)
    real = spawnedCli(service.installation.env)
    app = await service.newApplication()
    other = await service.newApplication('sandbox')
    for (const one of [app, other]) await one.addResource('news')
  })
  afterAll(async () => {
    for (const one of [app, other]) expect(cli.printed + real.printed).not.toContain(one.privateKey)
  })

  const keyArgs = (userRef: string, of = app, rid = 'news') => [
    ...['--aid', of.aid, '--rid', rid, '--user-ref', userRef],
  ]

  it('grants what is then seen over HTTP, and revokes it', async () => {
    const expires = seconds() + 3600
    const options = ['--expires', String(expires), '--tags', 'a,b', '--message', 'Welcome']
    const names = ['--first-name', 'Ann', '--last-name', 'Lee']
    const granted = await real.json<{ uid: string }>(
      ...['access', 'grant', ...keyArgs('ann'), '--email', 'Ann@example.com', ...options, ...names],
    )
    const seen = await app.client.getAccess({ rid: 'news', user_ref: 'ann' })
    expect(granted).toEqual({ ...seen, status: 'live', environment: 'production' })
    expect(seen).toMatchObject({ expires, tags: ['a', 'b'], user_email: 'Ann@example.com' })
    expect(await app.client.getUser(granted.uid)).toMatchObject({
      first_name: 'Ann',
      last_name: 'Lee',
    })

    const revoked = await real.json('access', 'revoke', ...keyArgs('ann'))
    expect(revoked).toMatchObject({ status: 'revoked', revoked: expect.any(Number) })
    expect(await app.client.hasAccess({ rid: 'news', user_ref: 'ann' })).toBe(false)
    const again = await cli.run('access', 'revoke', ...keyArgs('ann'))
    expect(again).toEqual({
      code: 1,
      stdout: '',
      stderr: 'gatehouse: ann has no access to news.\n',
    })
  })

  it('sends one notification for a grant, and none with --no-mail', async () => {
    const grant = (ref: string, ...more: string[]) =>
      cli.json('access', 'grant', ...keyArgs(ref), '--email', `${ref}@example.com`, ...more)
    await grant('mailed')
    await Promise.all([grant('mailed'), grant('quiet', '--no-mail')])
    const mails = await cli.json<{ to: string }[]>('mail', 'list', '--aid', app.aid)
    const to = mails.map((mail) => mail.to)
    expect(to.filter((one) => one === 'mailed@example.com')).toHaveLength(1)
    expect(to).not.toContain('quiet@example.com')
  })

  it('refuses a grant to a resource, or in an application, that does not exist', async () => {
    const person = ['--user-ref', 'eve', '--email', 'eve@example.com']
    const [resource, application] = await Promise.all([
      cli.run('access', 'grant', '--aid', app.aid, '--rid', 'olds', ...person),
      cli.run('access', 'grant', '--aid', 'AAAAAAAAAA', '--rid', 'news', ...person),
    ])
    expect(resource).toMatchObject({ code: 1, stderr: 'gatehouse: No such resource.\n' })
    expect(application).toMatchObject({
      code: 1,
      stderr: 'gatehouse: No application has the AID AAAAAAAAAA.\n',
    })
  })

  it('shows an expired and a revoked record, with what held it open', async () => {
    const ends = seconds() - 60
    const input = { rid: 'news', email: 'bob@example.com', user_ref: 'bob' }
    const first = await app.client.grantAccess({ ...input, expiration: ends })
    const expired = await cli.json('access', 'show', ...keyArgs('bob'))
    expect(expired).toMatchObject({
      id: first.id,
      status: 'expired',
      sources: [{ kind: 'grant', expires: ends }],
      earlier: [],
    })
    await app.client.revokeAccess({ rid: 'news', user_ref: 'bob' })
    const revoked = await cli.json('access', 'show', ...keyArgs('bob'))
    expect(revoked).toMatchObject({
      id: first.id,
      status: 'revoked',
      sources: [{ closed: expect.any(Number) }],
    })
    const second = await app.client.grantAccess(input)
    const [live, strange] = await Promise.all([
      cli.json('access', 'show', ...keyArgs('bob')),
      cli.run('access', 'show', ...keyArgs('nobody')),
    ])
    expect(live).toMatchObject({
      id: second.id,
      status: 'live',
      earlier: [{ id: first.id, status: 'revoked' }],
    })
    expect(strange).toMatchObject({
      code: 1,
      stderr: 'gatehouse: nobody never had access to news.\n',
    })
  })

  it('says why, and ends well both ways', async () => {
    const expiration = seconds() + 600
    await app.client.grantAccess({
      ...{ rid: 'news', email: 'why@example.com', user_ref: 'why', expiration },
    })
    const [yes, no, people] = await Promise.all([
      cli.json('access', 'why', ...keyArgs('why')),
      cli.json('access', 'why', ...keyArgs('ann')),
      real.run('access', 'why', ...keyArgs('ann')),
    ])
    expect(yes).toMatchObject({
      access: true,
      reason: expect.stringContaining(`until ${formatTime(expiration)}, because of the grant on `),
      history: [{ action: 'granted', actor: 'api', rid: 'news' }],
      ...{
        code: 'live',
        check: { rid: 'news', granted: true, code: 'granted', until: expiration },
      },
    })
    expect(no).toMatchObject({
      access: false,
      reason: expect.stringMatching(/^The access of ann to news was revoked on \S+ by cli\.$/),
      ...{ code: 'revoked', check: { granted: false, code: 'revoked', sources: [] } },
    })
    expect(people.code).toBe(0)
    const [sentence, , head, ...lines] = people.stdout.trim().split('\n')
    expect(sentence).toBe(no.reason)
    expect(head).toMatch(/when +what +by/)
    expect(lines.map((line) => /Z +(\w+) +(\w+)/.exec(line)?.slice(1))).toEqual([
      ['granted', 'cli'],
      ['revoked', 'cli'],
    ])
  })

  it('tells the history of an application, a resource or a user, the latest last', async () => {
    const history = (...args: string[]) =>
      cli.json<{ action: string; uid?: string }[]>('access', 'history', '--aid', app.aid, ...args)
    const [all, ofAnn, onNews, last, strange] = await Promise.all([
      history(),
      history('--user-ref', 'ann'),
      history('--rid', 'news', '--user-ref', 'ann'),
      history('--limit', '1'),
      cli.run('access', 'history', '--aid', app.aid, '--user-ref', 'nobody'),
    ])
    expect(all[0]?.action).toBe('application created')
    expect(ofAnn.map((row) => row.action)).toEqual([
      ...['user created', 'reference added', 'granted', 'revoked'],
    ])
    expect(onNews.map((row) => row.action)).toEqual(['granted', 'revoked'])
    expect(last).toEqual(all.slice(-1))
    expect(strange.stderr).toBe('gatehouse: There is no user with the reference nobody.\n')
  })

  describe('search', () => {
    const search = (...args: string[]) => cli.json<Page>('access', 'search', ...args)
    const users = (page: Page) => page.data.map((one) => one.user_ref)

    beforeAll(async () => {
      for (const one of [app, other]) {
        await one.addResource('found')
        for (const user_ref of ['one', 'two', 'three']) {
          const input = { rid: 'found', email: `${user_ref}@example.com`, user_ref }
          await one.client.grantAccess({ ...input, tags: `tag-${user_ref}` })
        }
        await one.client.grantAccess({
          ...{ rid: 'found', email: 'past@example.com', user_ref: 'past', expiration: 1 },
        })
      }
    })

    it('covers both environments unless told which', async () => {
      const [both, sandbox, keyArgs, wrong] = await Promise.all([
        search('--rid', 'found'),
        search('--rid', 'found', '--env', 'sandbox'),
        search('--rid', 'found', '--aid', app.aid),
        real.run('access', 'search', '--env', 'sandbox', '--aid', app.aid),
      ])
      expect(both.total).toBe(6)
      expect(new Set(both.data.map((one) => one.environment))).toEqual(
        new Set(['production', 'sandbox']),
      )
      expect(new Set(sandbox.data.map((one) => one.aid))).toEqual(new Set([other.aid]))
      expect(new Set(keyArgs.data.map((one) => one.aid))).toEqual(new Set([app.aid]))
      expect(wrong).toMatchObject({ code: 1, stderr: expect.stringContaining('production') })
    })

    it('filters as the API does', async () => {
      const [tag, email, ref, expired] = await Promise.all([
        search('--tag', 'tag-two'),
        search('--email', 'ONE@example.com', '--rid', 'found'),
        search('--user-ref', 'three'),
        search('--rid', 'found', '--user-ref', 'past', '--expired'),
      ])
      expect(users(tag)).toEqual(['two', 'two'])
      expect(users(email)).toEqual(['one', 'one'])
      expect(users(ref)).toEqual(['three', 'three'])
      expect(users(expired)).toEqual(['past', 'past'])
    })

    it('pages through the matches of all applications together', async () => {
      const pages = await Promise.all(
        ['0', '1', '2'].map((page) => search('--rid', 'found', '--pagesize', '4', '--page', page)),
      )
      expect(pages.map((page) => [page.data.length, page.total])).toEqual([
        [4, 6],
        [2, 6],
        [0, 6],
      ])
      const found = pages.flatMap((page) => page.data.map((one) => `${one.aid} ${one.user_ref}`))
      expect(new Set(found).size).toBe(6)
    })
  })
})
