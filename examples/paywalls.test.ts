import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type RunningGatehouse, startGatehouse } from '../packages/sdk/src/testing.ts'
import { WITHOUT_CHECKOUT_LIMITS } from '../packages/server/src/testing/payments/without-limits.ts'
import { choose } from './walk/choose.ts'
import { freePort } from './walk/free-port.ts'
import { reachOtherAddress } from './walk/reach-other-address.ts'
import { type Site, startProgram } from './walk/start-site.ts'
import { target, Visitor } from './walk/visitor.ts'

const FREE = 'Twice a day the sea leaves the harbor.'
const PAID = 'The moon takes it, and brings it back.'
const THANKS = 'Thank you for buying this article.'
const LATER = 'We can’t check at the moment whether you may read on.'

const folderOf = (name: string) => fileURLToPath(new URL(name, import.meta.url))
type Env = Record<string, string>

/** How each example is started, as its README says. */
const starts: Record<string, (env: Env) => Promise<Site>> = choose(
  {
    'paywall-express': (env) => start('paywall-express', [process.execPath, 'server.js'], env),
    'paywall-php': (env) =>
      start('paywall-php', ['php', '-S', `localhost:${env.PORT}`, 'index.php'], env),
    'paywall-python': (env) => start('paywall-python', ['python3', 'site.py'], env),
  },
  {
    'paywall-hono': (env) => start('paywall-hono', [process.execPath, 'start.js'], env),
    async 'paywall-next'(env) {
      const next = folderOf('node_modules/next/dist/bin/next')
      const options = { cwd: folderOf('paywall-next'), env: { ...process.env, ...env } }
      await promisify(execFile)(process.execPath, [next, 'build'], options)
      return await start('paywall-next', [process.execPath, next, 'start', '-H', 'localhost'], env)
    },
  },
)
const names = Object.keys(starts)
/** The examples that also protect a handler of requests, beside their page. */
const handlers = names.filter((name) => name === 'paywall-next')

const start = (name: string, [program = '', ...args]: string[], env: Env) =>
  startProgram(program, args, { env, cwd: folderOf(name) })

/** A page of Next.js can't choose its status. */
const statusWhileAway = (name: string) => (name === 'paywall-next' ? 200 : 503)

/** All examples are the same site, at the same time, in front of one service. */
describe('the examples', () => {
  let service: RunningGatehouse
  const sites = new Map<string, Site>()
  let keys: Env
  /** Where the PHP site keeps answers. */
  const known = mkdtempSync(join(tmpdir(), 'gatehouse-known-'))

  beforeAll(async () => {
    service = await startGatehouse({ env: WITHOUT_CHECKOUT_LIMITS })
    const { aid, privateKey, baseUrl, run } = service
    const ports = new Map<string, number>()
    for (const name of names) ports.set(name, await freePort())
    const origins = [...ports.values()].map((port) => `http://localhost:${port}`)
    const article = ['--aid', aid, '--rid', 'tides']
    await run('resource', 'create', ...article, '--name', 'Tides', '--url', origins[0] as string)
    await run('price', 'create', ...article, '--amount', '2.50')
    await run('app', 'set', aid, ...origins.flatMap((origin) => ['--return-url', origin]))
    keys = { AID: aid, PRIVATE_KEY: privateKey, GATEHOUSE: baseUrl, KNOWN: known }
    await Promise.all(
      [...ports].map(async ([name, port]) => {
        sites.set(name, (await starts[name]?.({ ...keys, PORT: String(port) })) as Site)
      }),
    )
    // The first check at a busy machine may take longer than a site waits.
    for (const name of names) {
      const eve = await signIn(name, 'eve')
      await vi.waitFor(async () => expect((await read(name, eve)).status).toBe(200), 60_000)
    }
  })
  afterAll(async () => {
    await Promise.all([...sites.values()].map((site) => site.stop()))
    await service?.stop()
    rmSync(known, { recursive: true })
  })

  const originOf = (name: string) => sites.get(name)?.origin as string
  const emailOf = (reader: string, name: string) => `${reader}-${name}@example.com`

  async function signIn(name: string, reader: string): Promise<Visitor> {
    const visitor = new Visitor()
    const email = emailOf(reader, name).toUpperCase()
    await visitor.submit(`${originOf(name)}/sign-in`, { email })
    return visitor
  }
  async function read(name: string, visitor = new Visitor()) {
    const from = performance.now()
    const page = await visitor.open(`${originOf(name)}/`)
    return { ...page, took: performance.now() - from }
  }
  /** Presses the button, and pays; returns the address to which the buyer is sent back. */
  async function buy(name: string, visitor: Visitor): Promise<string> {
    return await visitor.buy(target(await visitor.submit(`${originOf(name)}/buy`)))
  }
  const buyers = new Map<string, Visitor>()

  describe.each(names)('%s', (name) => {
    it('shows strangers and readers without access the introduction alone', async () => {
      const stranger = await read(name)
      const eve = await read(name, await signIn(name, 'eve'))
      for (const { status, text } of [stranger, eve]) {
        expect(status).toBe(200)
        expect(text).toContain(FREE)
        expect(text).not.toContain(PAID)
      }
      expect(stranger.text).toContain('Sign in')
      expect(eve.text).toContain('Buy this article for 2.50 USD')
    })

    it('shows the article to a reader who has bought it, at once, and to no other', async () => {
      const ann = await signIn(name, 'ann')
      expect((await read(name, ann)).text).not.toContain(PAID)
      const back = await buy(name, ann)
      expect(back).toContain(`${originOf(name)}/?gatehouse_status=paid`)
      const { text } = await ann.open(back)
      expect(text).toContain(THANKS)
      expect(text).toContain(PAID)
      expect((await read(name, ann)).text).toContain(PAID)
      expect((await read(name, ann)).text).not.toContain(THANKS)
      expect((await read(name, await signIn(name, 'ann'))).text).toContain(PAID)
      expect((await read(name, await signIn(name, 'eve'))).text).not.toContain(PAID)
      expect((await read(name)).text).not.toContain(PAID)
      buyers.set(name, ann)
    })

    it('gives and thanks nobody for the payment of another, or for one that was made up', async () => {
      const back = await buy(name, await signIn(name, 'bob'))
      const eve = await signIn(name, 'eve')
      const own = back.replaceAll('bob', 'eve')
      for (const address of [back, `${back}x`, own]) {
        const { text } = await eve.open(address)
        expect(text).not.toContain(THANKS)
        expect(text).not.toContain(PAID)
      }
      const ann = buyers.get(name) as Visitor
      for (const address of [back, `${back}x`]) {
        expect((await ann.open(address)).text).not.toContain(THANKS)
      }
    })

    it('lets no cache keep what one reader sees', async () => {
      const ann = await read(name, buyers.get(name))
      const eve = await read(name, await signIn(name, 'eve'))
      const stranger = await read(name)
      expect(ann.text).toContain(PAID)
      for (const { caching } of [ann, eve, stranger]) expect(caching.control).toContain('private')
      expect(ann.caching.control).toContain('no-cache')
      for (const { caching } of [eve, stranger]) expect(caching.control).toContain('no-store')
      // A page of Next.js is always private; what it varies by is the business of Next.js.
      if (name !== 'paywall-next') expect(ann.caching.vary).toContain('Cookie')
    })

    it('is as wide as the screen of a phone', async () => {
      const page = await fetch(`${originOf(name)}/`)
      expect(await page.text()).toContain('name="viewport" content="width=device-width')
    })

    it('listens on this machine alone, because anybody can sign in as anybody', async () => {
      await expect(reachOtherAddress(originOf(name))).rejects.toThrow('fetch failed')
    })

    it('sells to nobody who has not signed in', async () => {
      const { status, location } = await new Visitor().submit(`${originOf(name)}/buy`)
      expect([status, location]).toEqual([303, `${originOf(name)}/`])
    })
  })

  /** Opens the article as text, which a handler of Next.js with the gate around it sends. */
  async function readText(name: string, visitor = new Visitor()) {
    const from = performance.now()
    const page = await visitor.open(`${originOf(name)}/text`)
    expect(performance.now() - from).toBeLessThan(2_000)
    return page
  }

  it.each(handlers)(
    '%s: a handler with the gate around it has the article as text',
    async (name) => {
      const ann = await readText(name, buyers.get(name))
      expect(ann.status).toBe(200)
      expect(ann.text).toContain(PAID)
      const eve = await readText(name, await signIn(name, 'eve'))
      expect([eve.status, eve.text]).toEqual([303, ''])
      expect(eve.location).toContain(`${service.baseUrl}/checkout/${service.aid}/tides?`)
      const stranger = await readText(name)
      expect([stranger.status, stranger.location]).toEqual([303, `${originOf(name)}/`])
    },
  )

  describe('while the service is killed', () => {
    beforeAll(() => service.kill())

    it.each(handlers)('%s: a handler serves known readers, and no others', async (name) => {
      for (let n = 0; n < 2; n++) {
        const ann = await readText(name, buyers.get(name))
        expect(ann.status).toBe(200)
        expect(ann.text).toContain(PAID)
        const joe = await readText(name, await signIn(name, 'joe'))
        expect(joe.status).toBe(503)
        expect(joe.text).not.toContain(PAID)
      }
    })

    it.each(names)('%s: known readers read on, strangers are told', async (name) => {
      for (let n = 0; n < 2; n++) {
        const ann = await read(name, buyers.get(name))
        expect(ann.text).toContain(PAID)
        const joe = await read(name, await signIn(name, 'joe'))
        expect(joe.status).toBe(statusWhileAway(name))
        expect(joe.text).toContain(LATER)
        expect(joe.text).not.toContain(PAID)
        for (const { took } of [ann, joe]) expect(took).toBeLessThan(2_000)
      }
    })
  })

  describe('when the service is back', () => {
    beforeAll(() => service.restart())

    it.each(names)('%s: the article can be given to a reader by email address', async (name) => {
      const joe = await signIn(name, 'joe')
      const run = promisify(execFile)
      const email = emailOf('joe', name)
      const { stdout } = await run(process.execPath, ['grant.js', email.toUpperCase()], {
        cwd: folderOf('paywall-express'),
        env: { ...process.env, ...keys },
      })
      expect(stdout).toBe(`${email} can read tides.\n`)
      expect((await read(name, joe)).text).toContain(PAID)
    })
  })

  // Not Next.js, which would be built again.
  it.each(names.filter((name) => name !== 'paywall-next'))(
    '%s fails where its port is taken',
    async (name) => {
      const { port } = new URL(originOf(name))
      const second = starts[name]?.({ ...keys, PORT: port })
      await expect(second).rejects.toThrow(/ended:.*\b(in use|EADDRINUSE)\b/is)
    },
  )

  it('paywall-express says how to give the article where the address is missing', async () => {
    const run = promisify(execFile)
    const options = { cwd: folderOf('paywall-express'), env: { ...process.env, ...keys } }
    await expect(run(process.execPath, ['grant.js'], options)).rejects.toMatchObject({
      code: 1,
      stderr: 'Usage: node grant.js ann@example.com\n',
    })
  })

  it('paywall-express stops with a message where keys are missing', async () => {
    const env = { ...process.env, ...keys, AID: '', PRIVATE_KEY: '' }
    const run = promisify(execFile)
    await expect(
      run(process.execPath, ['server.js'], { cwd: folderOf('paywall-express'), env }),
    ).rejects.toThrow('aid is missing; privateKey is missing')
  })
})
