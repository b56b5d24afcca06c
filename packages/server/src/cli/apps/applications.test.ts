import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { Gatehouse } from '@gatehouse/sdk'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import type { EnvironmentName } from '../../context.ts'
import { type Cli, inProcessCli, spawnedCli } from '../../testing/cli.ts'
import { entryPointDatabases } from '../../testing/databases.ts'
import type { TestApplication } from '../../testing/service.ts'
import { DAY } from '../../testing/time.ts'
import { useService } from '../../testing/use-service.ts'

interface NewApp {
  aid: string
  private_key: string
  key_id: string
}

describe.each(entryPointDatabases)('applications by command line on $name', (database) => {
  const service = useService(database)
  let cli: Cli
  let real: Cli
  let secrets: string[]
  // The service runs on a test clock, ahead of this machine's clock, which the commands use.
  beforeAll(async () => {
    const env = { ...service.installation.env, GATEHOUSE_BASE_URL: service.url }
    cli = inProcessCli(env)
    real = spawnedCli(env)
    secrets = []
  })

  async function newApplication(env: EnvironmentName = 'production'): Promise<TestApplication> {
    const app = await service.newApplication(env)
    secrets.push(app.privateKey)
    return app
  }

  function client(aid: string, privateKey: string, env = 'production'): Gatehouse {
    const baseUrl = env === 'sandbox' ? `${service.url}/sandbox` : service.url
    return new Gatehouse({ baseUrl, aid, privateKey })
  }

  const statusOf = async (call: Promise<unknown>) => {
    try {
      await call
      return 200
    } catch (error) {
      return (error as { status?: number }).status
    }
  }

  /** Every process must refuse a revoked key within 5 seconds. */
  const deadWithin5Seconds = (one: Gatehouse) =>
    vi.waitFor(async () => expect(await statusOf(one.searchAccess())).toBe(401), {
      timeout: 5_000,
      interval: 50,
    })

  it('makes an application whose key works at once, in its own environment only', async () => {
    const own = spawnedCli({ ...service.installation.env })
    const app = await own.json<NewApp>(
      ...['app', 'create', '--env', 'sandbox', '--name', 'Made “here” & now'],
    )
    secrets.push(app.private_key)
    expect(app).toEqual({
      aid: expect.stringMatching(/^[A-Za-z0-9]{10}$/),
      private_key: expect.stringMatching(/^[A-Za-z0-9]{40}$/),
      key_id: expect.any(String),
      name: 'Made “here” & now',
      environment: 'sandbox',
    })
    const { aid, private_key } = app
    expect(await statusOf(client(aid, private_key, 'sandbox').searchAccess())).toBe(200)
    expect(await statusOf(client(aid, private_key, 'production').searchAccess())).toBe(401)
  })

  it('makes a resource that access can be granted to over HTTP', async () => {
    const { aid, client: own } = await newApplication()
    const args = ['--aid', aid, '--rid', 'été', '--name', 'Summer', '--url', 'https://example.com/']
    const made = await real.json<object>('resource', 'create', ...args)
    expect(made).toEqual({
      aid,
      rid: 'été',
      name: 'Summer',
      url: 'https://example.com/',
      created: expect.any(Number),
      environment: 'production',
    })
    await own.grantAccess({ rid: 'été', email: 'ann@example.com', user_ref: 'ann' })
    expect(await own.hasAccess({ rid: 'été', user_ref: 'ann' })).toBe(true)

    const [shown, again, listed] = await Promise.all([
      cli.json('resource', 'show', '--aid', aid, '--rid', 'été'),
      cli.run('resource', 'create', ...args),
      cli.json('resource', 'list', '--aid', aid),
    ])
    expect(shown).toEqual({ ...made, opens: { rids: [], prefixes: [], all: false } })
    expect(listed).toEqual([made])
    expect(again).toEqual({
      code: 1,
      stdout: '',
      stderr: 'gatehouse: A resource with this rid already exists.\n',
    })
  })

  it('lists both environments unless told which', async () => {
    const [one, other] = await Promise.all([newApplication(), newApplication('sandbox')])
    const aids = async (...args: string[]) =>
      (await cli.json<{ aid: string }[]>('app', 'list', ...args)).map(({ aid }) => aid)
    const [all, sandbox, named] = await Promise.all([
      aids(),
      aids('--env', 'sandbox'),
      aids('--aid', one.aid),
    ])
    expect(all).toEqual(expect.arrayContaining([one.aid, other.aid]))
    expect(sandbox).toContain(other.aid)
    expect(sandbox).not.toContain(one.aid)
    expect(named).toEqual([one.aid])
  })

  it('rotates a key with an overlap, after which the old one is dead', async () => {
    const { aid, client: before } = await newApplication()
    const own = spawnedCli({ ...service.installation.env })
    // The overlap begins on this machine's clock and ends ten days ahead on the service's.
    const ahead = service.clock.seconds - Math.floor(Date.now() / 1000)
    const overlap = (Math.floor(ahead / 3600) + 240) * 3600
    const rotated = await own.json<NewApp>(
      ...['app', 'rotate-key', aid, '--overlap', `${overlap / 3600}h`],
    )
    secrets.push(rotated.private_key)
    expect(rotated).toMatchObject({ aid, overlap })
    const after = client(aid, rotated.private_key)
    expect(await statusOf(after.searchAccess())).toBe(200)
    expect(await statusOf(before.searchAccess())).toBe(200)
    service.clock.advance(9 * DAY)
    expect(await statusOf(before.searchAccess())).toBe(200)
    service.clock.advance(DAY + 60)
    expect(await statusOf(before.searchAccess())).toBe(401)
    expect(await statusOf(after.searchAccess())).toBe(200)
  })

  it('revokes a key, which is dead within 5 seconds', async () => {
    const { aid, client: own } = await newApplication()
    const { keys } = await cli.json<{ keys: { id: string }[] }>('app', 'show', aid)
    const key_id = keys[0]?.id as string
    expect(await statusOf(own.searchAccess())).toBe(200)
    const done = await real.json('app', 'revoke-key', aid, key_id)
    expect(done).toEqual({ aid, key_id, revoked: true })
    await deadWithin5Seconds(own)
    expect(await cli.run('app', 'revoke-key', aid, key_id)).toMatchObject({
      code: 1,
      stderr: 'gatehouse: No such live key.\n',
    })
  })

  it('archives an application, whose requests are then refused', async () => {
    const { aid, client: own } = await newApplication()
    expect(await statusOf(own.searchAccess())).toBe(200)
    expect(await real.json('app', 'archive', aid)).toMatchObject({
      aid,
      archived: expect.any(Number),
    })
    await deadWithin5Seconds(own)
    expect((await cli.run('sign', 'GET', '/r2/access/search', '--aid', aid)).stderr).toBe(
      `gatehouse: the application ${aid} is archived, so its requests are refused\n`,
    )
  })

  it('shows private keys when they are asked for, and only then', async () => {
    const { aid, privateKey } = await newApplication()
    const own = inProcessCli(service.installation.env)
    const [shown, revealed] = await Promise.all([
      cli.json<{ keys: object[] }>('app', 'show', aid),
      own.json<{ keys: { private_key: string }[] }>('app', 'show', aid, '--reveal'),
    ])
    expect(shown.keys).toEqual([{ id: expect.any(String), created: expect.any(Number) }])
    expect(revealed.keys.map((key) => key.private_key)).toEqual([privateKey])
  })

  it('changes settings, and takes them back to the default', async () => {
    const { aid } = await newApplication()
    const sender = 'Example <access@example.com>'
    const changed = await cli.json('app', 'set', aid, '--mail-from', sender, '--currency', 'eur')
    expect(changed).toMatchObject({ mail_from: sender, currency: 'EUR' })
    expect(await cli.json('app', 'set', aid, '--mail-from', '')).toMatchObject({ mail_from: null })
  })

  it('changes the brand part by part, and refuses what is no color, address, URL or zone', async () => {
    const { aid } = await newApplication()
    const set = (...options: string[]) => cli.json('app', 'set', aid, ...options)
    await set('--accent', '#C2185B', '--support-email', 'help@example.com')
    await set('--terms-url', 'https://example.com/terms', '--time-zone', 'europe/berlin')
    expect(await set('--privacy-url', 'https://example.com/privacy')).toMatchObject({
      ...{ accent: '#c2185b', support_email: 'help@example.com', time_zone: 'Europe/Berlin' },
      legal_links: { terms: 'https://example.com/terms', privacy: 'https://example.com/privacy' },
    })
    const reset = await set('--terms-url', '', '--accent', '', '--time-zone', '')
    expect(reset).toMatchObject({
      ...{ accent: null, time_zone: 'UTC' },
      legal_links: { privacy: 'https://example.com/privacy' },
    })
    for (const [option = '', value = ''] of [
      ['--accent', 'red'],
      ['--accent', '#fff'],
      ['--support-email', 'nobody'],
      ['--terms-url', 'http://example.com'],
      ['--imprint-url', 'javascript:alert(1)'],
      ['--time-zone', '+01:00'],
      ['--mail-template-for', 'grant=x'],
      ['--mail-template-for', 'receipt=/no/such/file'],
    ]) {
      const { code, stderr } = await cli.run('app', 'set', aid, option, value)
      expect([option, value, code === 0]).toEqual([option, value, false])
      expect(stderr).toContain(option)
    }
  })

  it('signs a request as a curl line that answers 200', async () => {
    const { aid } = await newApplication('sandbox')
    await cli.json('resource', 'create', '--aid', aid, '--rid', "it's", '--name', 'Quoted')
    const grant = "/r2/access/grant?rid=it's&email=j%C3%BCrgen%40example.com&user_ref={a}"
    const search = '/r2/access/search?user_ref={a}'
    const granted = await paste((await cli.run('sign', 'post', grant, '--aid', aid)).stdout)
    expect(granted).toMatchObject({ status: 200, body: { rid: "it's" } })
    const found = await paste((await real.run('sign', 'GET', search, '--aid', aid)).stdout)
    expect(found).toMatchObject({ status: 200, body: { total: 1 } })
  })

  it('prints no private key but where it is asked for', () => {
    expect(secrets.length).toBeGreaterThan(0)
    expect(cli.printed).not.toBe('')
    for (const secret of secrets) expect(cli.printed + real.printed).not.toContain(secret)
  })
})

/** Runs the line in a shell, as if pasted there. */
async function paste(line: string): Promise<{ status: number; body: unknown }> {
  const command = `${line.trim()} -s -w '\\n%{http_code}'`
  const { stdout } = await promisify(execFile)('sh', ['-c', command])
  const [body = '', status] = stdout.split('\n')
  return { status: Number(status), body: JSON.parse(body) }
}
