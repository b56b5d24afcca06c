import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inProcessCli } from '../../packages/server/src/testing/cli.ts'
import { databases, type TestInstallation } from '../../packages/server/src/testing/databases.ts'
import {
  getPage,
  redirectTarget,
  submitForm,
  visibleText,
} from '../../packages/server/src/testing/payments/page-client.ts'
import { payOnPage } from '../../packages/server/src/testing/payments/page-shop.ts'
import {
  type ServerProcess,
  startProcess,
} from '../../packages/server/src/testing/processes/process.ts'

const FREE = 'Twice a day the sea leaves the harbor.'
const PAID = 'The moon takes it, and brings it back.'

const folder = fileURLToPath(new URL('.', import.meta.url))
const [database] = databases

async function freePort(): Promise<number> {
  const server = createServer().listen(0, 'localhost')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}

/** Walks the example as its README describes it, with a Gatehouse as `npm start` runs it. */
describe('the Express site with a paid article', () => {
  let installation: TestInstallation
  let gatehouse: ServerProcess
  let site: ChildProcess
  let origin: string
  let env: NodeJS.ProcessEnv

  beforeAll(async () => {
    installation = await database.createEmpty()
    gatehouse = await startProcess({ env: installation.env })
    const url = await gatehouse.url
    const port = await freePort()
    origin = `http://localhost:${port}`
    const { aid, privateKey } = await prepareApplication()
    const settings = { AID: aid, PRIVATE_KEY: privateKey, GATEHOUSE: `${url}/sandbox` }
    env = { ...process.env, ...settings, PORT: String(port) }
    site = spawn(process.execPath, ['server.js'], { cwd: folder, env, stdio: 'pipe' })
    await once(site.stdout as NonNullable<typeof site.stdout>, 'data')
  })
  afterAll(async () => {
    site?.kill()
    await gatehouse?.stop()
    await installation?.remove()
  })

  async function prepareApplication() {
    const cli = inProcessCli(installation.env)
    const [app] = await cli.json<{ aid: string }[]>('app', 'list', '--env', 'sandbox')
    const aid = app?.aid as string
    const { keys } = await cli.json<{ keys: { private_key: string }[] }>(
      ...['app', 'show', aid, '--reveal'],
    )
    const article = ['--aid', aid, '--rid', 'tides']
    await cli.json('resource', 'create', ...article, '--name', 'Tides', '--url', origin)
    await cli.json('price', 'create', ...article, '--amount', '2.50')
    await cli.json('app', 'set', aid, '--return-url', origin)
    return { aid, privateKey: keys[0]?.private_key as string }
  }

  /** Returns the cookie of a reader who has just signed in. */
  async function signIn(email: string): Promise<{ cookie: string }> {
    const { headers } = await submitForm(`${origin}/sign-in`, { email })
    return { cookie: headers['set-cookie']?.[0]?.split(';')[0] as string }
  }
  const read = async (reader?: { cookie: string }) =>
    visibleText((await getPage(`${origin}/`, reader)).text)

  /** Buys as a browser does; returns the address to which the buyer is sent back. */
  async function buy(reader: { cookie: string }): Promise<string> {
    const link = redirectTarget(await submitForm(`${origin}/buy`, {}, reader), origin)
    const { text } = await getPage(link)
    expect(visibleText(text)).toContain('$2.50')
    const payment = redirectTarget(await submitForm(link, valuesIn(text)), link)
    const done = await payOnPage(payment)
    return redirectTarget(await getPage(done), done)
  }

  it('shows strangers and readers without access the introduction alone', async () => {
    for (const words of [await read(), await read(await signIn('eve@example.com'))]) {
      expect(words).toContain(FREE)
      expect(words).not.toContain(PAID)
    }
    expect(await read()).toContain('Sign in')
    expect(await read(await signIn('eve@example.com'))).toContain('Buy this article')
  })

  it('shows the article to a reader who has bought it, and to no other', async () => {
    const ann = await signIn('Ann@example.com')
    const back = await buy(ann)
    expect(back).toContain(`${origin}/thanks?gatehouse_status=paid`)
    expect(visibleText((await getPage(back, ann)).text)).toContain('Thank you')
    expect(await read(ann)).toContain(PAID)
    expect(await read(await signIn('ann@example.com'))).toContain(PAID)
    expect(await read(await signIn('eve@example.com'))).not.toContain(PAID)
    expect(await read()).not.toContain(PAID)
  })

  it('thanks nobody for the payment of another, or for one that was made up', async () => {
    const bob = await signIn('bob@example.com')
    const eve = await signIn('eve@example.com')
    const back = await buy(bob)
    for (const address of [back, `${back}x`, back.replace('bob', 'eve'), `${origin}/thanks`]) {
      const { status, headers } = await getPage(address, eve)
      expect([status, headers.location]).toEqual([302, '/'])
    }
    expect(await read(eve)).not.toContain(PAID)
  })

  it('gives the article to a reader by email address', async () => {
    const joe = await signIn('joe@example.com')
    expect(await read(joe)).not.toContain(PAID)
    const run = promisify(execFile)
    const { stdout } = await run(process.execPath, ['grant.js', 'Joe@example.com'], {
      cwd: folder,
      env,
    })
    expect(stdout).toBe('joe@example.com can read tides.\n')
    expect(await read(joe)).toContain(PAID)
  })

  it('stops with a message where the keys are missing', async () => {
    const without = { ...env, AID: '', PRIVATE_KEY: '' }
    const run = promisify(execFile)
    await expect(
      run(process.execPath, ['server.js'], { cwd: folder, env: without }),
    ).rejects.toThrow('Set AID and PRIVATE_KEY')
  })
})

/** The values that the form of a page has before anybody types. */
const valuesIn = (page: string) =>
  Object.fromEntries(
    [...page.matchAll(/<input[^>]* name="([^"]+)" value="([^"]*)"/g)].map(([, name, value]) => [
      name,
      value,
    ]),
  )
