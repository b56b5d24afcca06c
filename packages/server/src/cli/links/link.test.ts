import { beforeAll, describe, expect, it } from 'vitest'
import { archiveApplication, changeSettings } from '../../domain/apps/applications.ts'
import { createPrice } from '../../domain/resources/prices.ts'
import { advanceClock } from '../../domain/sandbox/clock.ts'
import { type Cli, inProcessCli } from '../../testing/cli.ts'
import { entryPointDatabases } from '../../testing/databases.ts'
import { ONCE } from '../../testing/payments/shop.ts'
import type { TestApplication } from '../../testing/service.ts'
import { DAY } from '../../testing/time.ts'
import { useService } from '../../testing/use-service.ts'

interface Link {
  url: string
  expires: number
}

describe.each(entryPointDatabases)('purchase links by command line on $name', (database) => {
  const service = useService(database, { useRealTime: true })
  let cli: Cli
  let app: TestApplication
  let price: string
  // The commands use real time.
  beforeAll(async () => {
    cli = inProcessCli({ ...service.installation.env, GATEHOUSE_BASE_URL: service.url })
    app = await service.newApplication('sandbox')
    await app.addResource('news')
    const { database: own, clock } = app.environment
    price = await own.write(async (trx) => {
      const settings = { return_urls: '["https://pub.example/shop"]' }
      await changeSettings(trx, app.aid, settings, clock(), 'test')
      return (await createPrice(trx, { aid: app.aid, rid: 'news', ...ONCE }, clock(), 'test')).id
    })
  })

  const create = (...args: string[]) => cli.json<Link>('link', 'create', '--aid', app.aid, ...args)
  const pageOf = async (url: string) => {
    const answer = await fetch(url, { headers: { accept: 'text/html' } })
    return { status: answer.status, text: await answer.text() }
  }

  it('prints a link that opens the checkout, for a day', async () => {
    const before = app.environment.clock()
    const { url, expires } = await create('--rid', 'news', '--price', price, '--user-ref', 'ann')
    const now = app.environment.clock()
    expect(expires).toBeGreaterThanOrEqual(before + DAY)
    expect(expires).toBeLessThanOrEqual(now + DAY)
    expect(url).toBe(
      `${app.baseUrl}/checkout/${app.aid}/news?price=${price}&user_ref=ann&expires=${expires}&signature=${url.slice(-43)}`,
    )
    expect(await pageOf(url)).toMatchObject({ status: 200 })
    expect(await pageOf(url.replace('=ann', '=eve'))).toMatchObject({ status: 403 })
    const args = ['--aid', app.aid, '--rid', 'news']
    const { stdout, code } = await cli.run('link', 'create', ...args)
    expect(code).toBe(0)
    expect(await pageOf(stdout.trim())).toMatchObject({ status: 200 })
  })

  it('sells what does not exist yet, on terms of its own', async () => {
    const { url, expires } = await create(
      ...['--rid', 'new/issue-é', '--name', 'Spring & more', '--url', 'https://pub.example/s'],
      ...['--amount', '4.99', '--currency', 'EUR', '--every', '1 month'],
      ...['--trial-days', '14', '--user-ref', 'ann', '--email', 'ann@example.com'],
      ...['--return-url', 'https://pub.example/shop/thanks?a=1', '--lifetime', '2h'],
    )
    expect(expires).toBeLessThanOrEqual(app.environment.clock() + 7_200)
    const { pathname, searchParams } = new URL(url)
    expect(pathname).toBe(`/sandbox/checkout/${app.aid}/new%2Fissue-%C3%A9`)
    expect(Object.fromEntries(searchParams)).toEqual({
      name: 'Spring & more',
      url: 'https://pub.example/s',
      amount: '4.99',
      currency: 'EUR',
      period: '1 month',
      recurring: 'true',
      trial_days: '14',
      user_ref: 'ann',
      email: 'ann@example.com',
      return_url: 'https://pub.example/shop/thanks?a=1',
      expires: String(expires),
      signature: url.slice(-43),
    })
    const page = await pageOf(url)
    expect(page.status).toBe(200)
    expect(page.text).toContain('Spring &amp; more')
  })

  it("asks for the application's currency unless it is told another", async () => {
    const { url } = await create('--rid', 'news', '--amount', '3')
    expect(new URL(url).searchParams.get('currency')).toBe('USD')
    const other = await create('--rid', 'news', '--amount', '3', '--currency', 'jpy')
    expect(new URL(other.url).searchParams.get('currency')).toBe('JPY')
  })

  it.each([
    ['a price beside terms', ['--price', 'x', '--amount', '1'], /^--amount: can't be combined/],
    ['terms without an amount', ['--currency', 'EUR'], /^--amount: required/],
    ['no such currency', ['--amount', '1', '--currency', 'EUROS'], /ISO 4217/],
    [
      'no such amount',
      ['--amount', '1.234', '--currency', 'EUR'],
      /^--amount: not a valid EUR amount/,
    ],
    ['a free offer', ['--amount', '0', '--currency', 'EUR'], /more than 0/],
    ['no such period', ['--amount', '1', '--for', 'soon'], /Must be a period such as/],
    [
      'a trial of nothing',
      ['--amount', '1', '--trial-days', '3'],
      /only a subscription can have a free trial/,
    ],
    ['no such price', ['--price', 'nothing'], /for sale/],
    ['a way back that is not allowed', ['--return-url', 'https://evil.example'], /--return-url/],
    ['an empty reader', ['--user-ref', ''], /Must not be empty/],
    ['no life', ['--lifetime', '0s'], /Must be at least one second/],
  ])('tells the seller, not the buyer, what is wrong: %s', async (_, args, words) => {
    const outcome = await cli.run('link', 'create', '--aid', app.aid, '--rid', 'news', ...args)
    expect(outcome).toMatchObject({ code: 1, stdout: '' })
    expect(outcome.stderr.replace(/^gatehouse: /, '')).toMatch(words)
    expect(outcome.stderr.trim()).not.toContain('\n')
  })

  it('prints the whole command that allows a return URL, and keeps the others', async () => {
    const link = ['link', 'create', '--aid', app.aid, '--rid', 'news', '--return-url']
    const { stderr } = await cli.run(...link, 'http://localhost:3000/back?a=1')
    const command = `app set ${app.aid} --return-url https://pub.example/shop --return-url http://localhost:3000`
    expect(stderr).toBe(
      `gatehouse: This return URL is not allowed for the application. Allow it with: gatehouse ${command}\n`,
    )
    const never = await cli.run(...link, 'http://magazine.example/')
    expect(never.stderr).toContain('repeat --return-url for each URL')
  })

  it('sells nothing that has no name', async () => {
    const args = ['--aid', app.aid, '--rid', 'unheard-of', '--amount', '1', '--currency', 'EUR']
    const outcome = await cli.run('link', 'create', ...args)
    expect(outcome).toMatchObject({ code: 1, stderr: 'gatehouse: No such resource.\n' })
  })

  it('sells nothing of an archived application', async () => {
    const { aid, environment } = await service.newApplication('sandbox')
    await environment.database.write((trx) =>
      archiveApplication(trx, aid, environment.clock(), 'test'),
    )
    const outcome = await cli.run('link', 'create', '--aid', aid, '--rid', 'news')
    expect(outcome).toMatchObject({ code: 1, stderr: expect.stringContaining('is archived') })
  })

  it("counts in real time, however far the sandbox's clock is ahead", async () => {
    await advanceClock(app.environment, 40 * DAY)
    const { url, expires } = await create('--rid', 'news', '--lifetime', '1h')
    expect(expires).toBeLessThanOrEqual(Math.floor(Date.now() / 1000) + 3_600)
    expect(await pageOf(url)).toMatchObject({ status: 200 })
    const bySdk = await app.client.purchaseLink({ rid: 'news', user_ref: 'ann' })
    expect(await pageOf(bySdk)).toMatchObject({ status: 200 })
  })

  it('never prints a private key', () => {
    expect(cli.printed).not.toContain(app.privateKey)
  })
})
