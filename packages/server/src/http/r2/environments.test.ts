import { describe, expect, it } from 'vitest'
import { databases, entryPointDatabases } from '../../testing/databases.ts'
import { dumpTables } from '../../testing/dump.ts'
import { authorization, send } from '../../testing/http/requests.ts'
import { startTestService, type TestApplication, type TestService } from '../../testing/service.ts'
import { useApplication, useService } from '../../testing/use-service.ts'

const SEARCH = '/r2/access/search'

/** Sends a request that is signed from /r2/ on, with any prefix and to any host name. */
function ask(service: TestService, app: TestApplication, prefix: string, host?: string) {
  const headers = {
    authorization: authorization(app, 'GET', SEARCH),
    ...(host === undefined ? {} : { host }),
  }
  return send(service.url, prefix + SEARCH, { headers }).then(({ status }) => status)
}

describe.each(entryPointDatabases)('Environments on $name', (database) => {
  const service = useService(database)
  const production = useApplication(service, { environment: 'production' })
  const sandbox = useApplication(service, { environment: 'sandbox' })

  it('know their own applications only: an AID of the other is unknown, 401', async () => {
    expect(await ask(service, production, '')).toBe(200)
    expect(await ask(service, sandbox, '/sandbox')).toBe(200)
    expect(await ask(service, sandbox, '')).toBe(401)
    expect(await ask(service, production, '/sandbox')).toBe(401)
  })

  it.each([
    '/Sandbox',
    '/SANDBOX',
    '/sandbox/',
    '//sandbox',
    '/sandboxx',
    '/sandbo',
    '/sandbox/sandbox',
    '/sandbox/.',
    '/sandbox/../sandbox',
    '/%73andbox',
    '/production',
    '/api',
    '/.',
    '/',
  ])('are at their own prefix and no other: %s is 404', async (prefix) => {
    for (const app of [production, sandbox]) {
      expect(await ask(service, app, prefix)).toBe(404)
    }
  })

  it('do not sign the prefix', async () => {
    const target = `/sandbox${SEARCH}`
    const headers = { authorization: authorization(sandbox, 'GET', target) }
    expect((await send(service.url, target, { headers })).status).toBe(401)
  })

  it('are worlds of their own: resources, users, mails, history', async () => {
    await sandbox.addResource('only-here')
    const [of, other] = [sandbox.environment.database.read, production.environment.database.read]
    const before = await dumpTables(other)
    const input = { rid: 'only-here', email: 'ann@example.com', user_ref: 'ann' }
    const { uid } = await sandbox.client.grantAccess(input)
    expect(await dumpTables(other)).toEqual(before)
    expect((await of.selectFrom('outbox').selectAll().execute()).length).toBe(1)
    await expect(production.client.grantAccess(input)).rejects.toMatchObject({
      status: 404,
      code: 'resource_not_found',
    })
    await expect(production.client.getUser(uid)).rejects.toMatchObject({ status: 404 })
  })

  it('never share an AID', async () => {
    const { aid } = sandbox
    await expect(
      service.ctx.control.write((trx) =>
        trx.insertInto('aids').values({ aid, environment: 'production' }).execute(),
      ),
    ).rejects.toThrow()
  })

  it('keep sandbox mail, readable and never sent, although production sends', async () => {
    const env = { GATEHOUSE_SMTP_URL: 'smtp://127.0.0.1:1' }
    const sending = await startTestService(database, { env })
    try {
      for (const [name, status] of [
        ['production', 'queued'],
        ['sandbox', 'kept'],
      ] as const) {
        const app = await sending.newApplication(name)
        await app.addResource('r')
        await app.client.grantAccess({ rid: 'r', email: 'ann@example.com', message: 'Hi' })
        const mails = await app.environment.database.read.selectFrom('outbox').selectAll().execute()
        expect(mails).toMatchObject([{ status, payload: expect.stringContaining('Hi') }])
      }
    } finally {
      await sending.stop()
    }
  })
})

describe('Addresses', () => {
  const [sqlite] = databases

  async function withService(
    env: Record<string, string>,
    test: (s: TestService, production: TestApplication, sandbox: TestApplication) => Promise<void>,
  ): Promise<void> {
    const service = await startTestService(sqlite, { env })
    try {
      await test(
        service,
        await service.newApplication('production'),
        await service.newApplication('sandbox'),
      )
    } finally {
      await service.stop()
    }
  }

  it('of a base address with a path: both environments are below it, and nowhere else', async () => {
    const env = { GATEHOUSE_BASE_URL: 'https://example.com/api/access/' }
    await withService(env, async (service, production, sandbox) => {
      expect(await ask(service, production, '/api/access')).toBe(200)
      expect(await ask(service, sandbox, '/api/access/sandbox')).toBe(200)
      for (const prefix of ['', '/sandbox', '/api', '/api/access/', '/API/access', '/access']) {
        expect(await ask(service, production, prefix), prefix).toBe(404)
        expect(await ask(service, sandbox, prefix), prefix).toBe(404)
      }
      expect((await production.client.searchAccess()).total).toBe(0)
    })
  })

  it('of host names: each leads to its own environment alone', async () => {
    const env = {
      GATEHOUSE_PRODUCTION_HOST: 'access.example.com',
      GATEHOUSE_SANDBOX_HOST: 'Sandbox.example.com',
    }
    await withService(env, async (service, production, sandbox) => {
      const at = (app: TestApplication, host: string, prefix = '') =>
        ask(service, app, prefix, host)
      for (const host of [
        'sandbox.example.com',
        'SANDBOX.example.com',
        'sandbox.example.com:8443',
      ]) {
        expect(await at(sandbox, host), host).toBe(200)
        expect(await at(production, host), host).toBe(401)
        expect(await at(sandbox, host, '/sandbox'), host).toBe(404)
      }
      expect(await at(production, 'access.example.com')).toBe(200)
      expect(await at(sandbox, 'access.example.com')).toBe(401)
      expect(await at(sandbox, 'access.example.com', '/sandbox')).toBe(404)
      // Any other host name serves both environments, like the base URL.
      expect(await at(production, 'localhost')).toBe(200)
      expect(await at(sandbox, 'localhost', '/sandbox')).toBe(200)
      expect(await at(sandbox, 'sandbox.example.com.evil.example')).toBe(401)
    })
  })

  it('of a production host name alone leave the sandbox below it', async () => {
    await withService(
      { GATEHOUSE_PRODUCTION_HOST: 'access.example.com' },
      async (service, production, sandbox) => {
        expect(await ask(service, production, '', 'access.example.com')).toBe(200)
        expect(await ask(service, sandbox, '/sandbox', 'access.example.com')).toBe(200)
      },
    )
  })

  it('of a sandbox host name below a base address with a path', async () => {
    const env = {
      GATEHOUSE_BASE_URL: 'https://example.com/api',
      GATEHOUSE_SANDBOX_HOST: 'sandbox.example.com',
    }
    await withService(env, async (service, production, sandbox) => {
      expect(await ask(service, sandbox, '/api', 'sandbox.example.com')).toBe(200)
      expect(await ask(service, sandbox, '', 'sandbox.example.com')).toBe(404)
      expect(await ask(service, production, '/api', 'example.com')).toBe(200)
      expect(await ask(service, sandbox, '/api/sandbox', 'example.com')).toBe(200)
    })
  })
})
