import { randomBytes } from 'node:crypto'
import { chmodSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readConfig } from '../../config/config.ts'
import { type Context, createContext } from '../../context.ts'
import { OperatorError } from '../../errors.ts'
import { databases } from '../../testing/databases.ts'
import { sendSigned } from '../../testing/http/requests.ts'
import { startTestService } from '../../testing/service.ts'
import { useFreshMigratedInstallation } from '../../testing/use-service.ts'
import { decryptKey, listLiveKeys } from './keys.ts'
import { createMasterKey } from './master-key.ts'
import { rotateKeyFile } from './rotate-master.ts'

describe('A master key', () => {
  const key = randomBytes(32)
  const masterKey = createMasterKey('test', () => [key])

  it('opens what it has sealed, for the same owner alone', () => {
    const sealed = masterKey.seal('secret text', 'app/key')
    expect(sealed).not.toContain('secret')
    expect(masterKey.open(sealed, 'app/key')).toBe('secret text')
    expect(() => masterKey.open(sealed, 'app/other')).toThrow()
  })

  it('never seals twice alike', () => {
    const seals = Array.from({ length: 50 }, () => masterKey.seal('secret', 'app/key'))
    expect(new Set(seals).size).toBe(50)
  })

  it('opens nothing that was changed, at any place', () => {
    const sealed = masterKey.seal('secret text', 'app/key')
    const bytes = sealed.split('.').map((part) => Buffer.from(part, 'base64url'))
    for (const [part, buffer] of bytes.entries()) {
      for (let i = 0; i < buffer.length; i++) {
        const changed = bytes.map((one) => Buffer.from(one))
        const target = changed[part] as Buffer
        target[i] = (target[i] as number) ^ 1
        const text = changed.map((one) => one.toString('base64url')).join('.')
        expect(() => masterKey.open(text, 'app/key'), `${part}:${i}`).toThrow()
      }
    }
    expect(() => masterKey.open(sealed.slice(0, -4), 'app/key')).toThrow()
  })

  it('opens nothing that was cut down to a part of its tag', () => {
    const [name, iv, body = ''] = masterKey.seal('', 'owner').split('.')
    const tag = Buffer.from(body, 'base64url').subarray(0, 4)
    const cut = [name, iv, tag.toString('base64url')].join('.')
    expect(() => masterKey.open(cut, 'owner')).toThrow(/tag length/i)
  })

  it('of a rotation seals with the newest and opens with all', () => {
    const old = masterKey.seal('secret', 'app/key')
    const both = createMasterKey('test', () => [randomBytes(32), key])
    expect(both.open(old, 'app/key')).toBe('secret')
    expect(both.isCurrent(old)).toBe(false)
    const fresh = both.seal('secret', 'app/key')
    expect(both.isCurrent(fresh)).toBe(true)
    expect(() => masterKey.open(fresh, 'app/key')).toThrow(OperatorError)
  })

  it('that is another one stops with a line that says so, and no key in it', () => {
    const sealed = masterKey.seal('secret', 'app/key')
    const other = createMasterKey('GATEHOUSE_MASTER_KEY', () => [randomBytes(32)])
    expect(() => other.open(sealed, 'app/key')).toThrow(
      new OperatorError(
        'the private keys were sealed under another master key than GATEHOUSE_MASTER_KEY',
      ),
    )
  })
})

describe.each(databases)('The master key of an installation on $name', (database) => {
  const path = () => join(installation.env.GATEHOUSE_DATA as string, 'master.key')
  const open = (env: Record<string, string> = {}) =>
    createContext(readConfig({ ...installation.env, ...env }))

  const installation = useFreshMigratedInstallation(database)

  /** Creates an application with a key, then stops the service. */
  async function install(): Promise<string> {
    const service = await startTestService(database, { installation })
    const { aid } = await service.newApplication()
    await service.stop()
    return aid
  }

  async function privateKeyOf(ctx: Context, aid: string): Promise<string> {
    const { database: db, realTime } = ctx.environments.production
    const [row] = await listLiveKeys(db.read, aid, realTime())
    return row ? decryptKey(ctx.masterKey, row) : ''
  }

  it('is made by the first start, for its owner alone, and kept', async () => {
    await install()
    const first = readFileSync(path(), 'utf8')
    expect(statSync(path()).mode & 0o777).toBe(0o600)
    await (await open()).close()
    expect(readFileSync(path(), 'utf8')).toBe(first)
  })

  it('stops the start when others can read it', async () => {
    await install()
    for (const mode of [0o640, 0o604, 0o644, 0o660]) {
      chmodSync(path(), mode)
      await expect(open()).rejects.toThrow(
        new OperatorError(
          `the master key ${path()} can be read by others; fix it with: chmod 600 ${path()}`,
        ),
      )
    }
    chmodSync(path(), 0o600)
    await (await open()).close()
  })

  it.each([
    ['empty', ''],
    ['cut', 'abc\n'],
    ['something else', 'this is not a key at all, whatever else it may be\n'],
  ])('stops the start when it is %s', async (_, text) => {
    await install()
    writeFileSync(path(), text, { mode: 0o600 })
    await expect(open()).rejects.toThrow(
      /^the master key .* is damaged; bring back your copy of it$/,
    )
  })

  it('stops the start when it is missing and something was sealed under it', async () => {
    await install()
    rmSync(path())
    await expect(open()).rejects.toThrow(/^the master key .* is missing and the private keys can't/)
    await expect(open()).rejects.toBeInstanceOf(OperatorError)
  })

  it('that is another one is noticed as soon as the keys are read', async () => {
    await install()
    const ctx = await open({ GATEHOUSE_MASTER_KEY: randomBytes(32).toString('base64url') })
    try {
      await expect(ctx.environments.production.keyring.refresh()).rejects.toThrow(
        new OperatorError(
          'the private keys were sealed under another master key than GATEHOUSE_MASTER_KEY',
        ),
      )
    } finally {
      await ctx.close()
    }
  })

  it('can come from GATEHOUSE_MASTER_KEY, the newest first, and then needs no file', async () => {
    const [one, two] = [randomBytes(32), randomBytes(32)].map((key) => key.toString('base64url'))
    const service = await startTestService(database, {
      installation,
      env: { GATEHOUSE_MASTER_KEY: one as string },
    })
    const { aid, privateKey } = await service.newApplication()
    await service.stop()
    const ctx = await open({ GATEHOUSE_MASTER_KEY: `${two},${one}` })
    expect(await privateKeyOf(ctx, aid)).toBe(privateKey)
    await ctx.close()
    expect(() => statSync(path())).toThrow('ENOENT')
  })

  it('can be rotated while the service runs: no request fails, and only the new one is left', async () => {
    const service = await startTestService(database, { installation })
    try {
      const app = await service.newApplication()
      const before = readFileSync(path(), 'utf8')
      const { production, sandbox } = service.ctx.environments
      let done = false
      const statuses = new Set<number>()
      const asking = (async () => {
        while (!done) statuses.add((await sendSigned(app, 'GET', '/r2/access/search')).status)
      })()
      const count = await rotateKeyFile(
        service.ctx.control,
        [production.database, sandbox.database],
        installation.env.GATEHOUSE_DATA as string,
      )
      expect(count).toBe(1)
      const later = await service.newApplication()
      await later.client.searchAccess()
      await production.keyring.refresh()
      await app.client.searchAccess()
      done = true
      await asking
      expect([...statuses]).toEqual([200])
      const after = readFileSync(path(), 'utf8')
      expect(after).toMatch(/^[A-Za-z0-9_-]{43}\n$/)
      expect(after).not.toBe(before)
      const ctx = await open()
      expect(await privateKeyOf(ctx, app.aid)).toBe(app.privateKey)
      expect(await privateKeyOf(ctx, later.aid)).toBe(later.privateKey)
      await ctx.close()
    } finally {
      await service.stop()
    }
  })
})
