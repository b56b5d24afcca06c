import { describe, expect, it } from 'vitest'
import { inProcessCli } from '../../testing/cli.ts'
import { databases } from '../../testing/databases.ts'
import { send } from '../../testing/http/requests.ts'
import { startTestService } from '../../testing/service.ts'
import { useFreshService, useService } from '../../testing/use-service.ts'
import { endOldLinkKeys, linkSecretName, rotateLinkKeys } from './link-keys.ts'
import { findSecret } from './secrets.ts'

const DAY = 86_400

describe.each(databases)('keys of links on $name', (database) => {
  const service = useFreshService(database)
  const env = () => service.ctx.environments.production
  const ROW = { aid: 'A123456789', id: 'S1', linkNumber: 3 }

  const rotate = (overlap: number) =>
    env().database.write((trx) =>
      rotateLinkKeys(trx, service.ctx.masterKey, overlap * 1000, env().realTime()),
    )
  /** Keys as a process knows them that has just started. */
  const linksOf = async () => {
    const started = await startTestService(database, {
      installation: service.installation,
      servedAt: service.url,
    })
    started.clock.now = service.clock.now
    return started
  }
  const tokenIn = (url: string) => url.slice(url.lastIndexOf('/') + 1)

  /** A link of each kind, and how to read its token. */
  async function linksNow() {
    const now = env().clock()
    const download = { id: 'L1', aid: ROW.aid, downloadId: 'D1', expires: now + 300 * DAY }
    return {
      manage: tokenIn(await env().manageLink(ROW, now)),
      files: tokenIn(await env().filesLink(ROW, now)),
      download: tokenIn(await env().downloadLink(download)),
    }
  }
  type Tokens = Awaited<ReturnType<typeof linksNow>>

  async function outcomes({ manage, files, download }: Tokens, at = env()) {
    const checks = [
      await at.readManageToken(manage),
      await at.readFilesToken(files),
      await at.readDownloadToken(download),
    ]
    return checks.map((check) => (check.ok ? 'ok' : check.reason))
  }
  const ALL = (outcome: string) => [outcome, outcome, outcome]

  it('links of before name no key, and work until the overlap ends', async () => {
    const before = await linksNow()
    expect(Object.values(before).join()).not.toContain('~')
    expect(await rotate(7 * DAY)).toEqual({
      version: 2,
      ends: service.clock.now + 7 * DAY * 1000,
    })
    const other = await linksOf()
    const at = other.ctx.environments.production
    expect(await outcomes(before, at)).toEqual(ALL('ok'))
    other.clock.advance(7 * DAY)
    expect(await outcomes(before, at)).toEqual(ALL('expired'))
    expect(await at.readManageToken(before.manage)).toMatchObject({ aid: ROW.aid })
    await other.stop()
  })

  it('new links name their key, in a process that rotates and in one that has just started', async () => {
    await rotate(7 * DAY)
    const other = await linksOf()
    const at = other.ctx.environments.production
    const url = await at.manageLink(ROW, at.clock())
    expect(url).toMatch(/\/manage\/2~A123456789\.S1\.\d+\.3\./)
    const token = tokenIn(url)
    expect(await at.readManageToken(token)).toMatchObject({ ok: true, linkNumber: 3 })
    // The service itself doesn't know this version yet, and looks for it.
    expect(await env().readManageToken(token)).toMatchObject({ ok: true })
    for (const forged of [
      token.slice(2),
      `1~${token.slice(2)}`,
      `02~${token.slice(2)}`,
      `3~${token.slice(2)}`,
    ]) {
      expect(await at.readManageToken(forged)).toEqual({ ok: false, reason: 'invalid' })
    }
    await other.stop()
  })

  it('without an overlap, all links so far end', async () => {
    const first = await linksNow()
    await rotate(7 * DAY)
    expect(await rotate(0)).toEqual({ version: 3, ends: 0 })
    const other = await linksOf()
    expect(await outcomes(first, other.ctx.environments.production)).toEqual(ALL('expired'))
    await other.stop()
  })

  it('two versions are live at most, and the earlier one can be ended', async () => {
    const first = await linksNow()
    await rotate(7 * DAY)
    expect(await rotate(7 * DAY)).toBeUndefined()
    expect(await env().database.write((trx) => endOldLinkKeys(trx, env().realTime()))).toBe(1)
    const other = await linksOf()
    expect(await outcomes(first, other.ctx.environments.production)).toEqual(ALL('expired'))
    await other.stop()
    expect(await rotate(7 * DAY)).toMatchObject({ version: 3 })
  })

  it('a key that has ended is deleted at the next rotation; that of the digests of trials never is', async () => {
    const trialKey = await env().trialKey()
    for (const version of [2, 3, 4]) expect(await rotate(0)).toMatchObject({ version })
    const { read } = env().database
    expect(await findSecret(read, linkSecretName('links', 2))).toBeUndefined()
    expect(await findSecret(read, linkSecretName('downloads', 3))).toBeDefined()
    expect(await findSecret(read, linkSecretName('downloads', 4))).toBeDefined()
    expect(await env().trialKey()).toEqual(trialKey)
    const other = await linksOf()
    expect(await other.ctx.environments.production.trialKey()).toEqual(trialKey)
    await other.stop()
  })

  it('two rotations at once make two versions, or one is refused', async () => {
    const results = await Promise.all([rotate(DAY), rotate(DAY), rotate(DAY)])
    expect(results.filter((one) => one !== undefined)).toEqual([
      expect.objectContaining({ version: 2 }),
    ])
  })

  it('a rotation of the master key takes them along', async () => {
    const cli = inProcessCli(service.installation.env)
    await cli.json('key', 'rotate-links')
    const { manage } = await linksNow().then(async () => {
      const other = await linksOf()
      const at = other.ctx.environments.production
      const made = { manage: tokenIn(await at.manageLink(ROW, at.clock())) }
      await other.stop()
      return made
    })
    await cli.run('key', 'rotate-master')
    const other = await linksOf()
    expect(await other.ctx.environments.production.readManageToken(manage)).toMatchObject({
      ok: true,
    })
    await other.stop()
  })
})

describe.each(databases)('gatehouse key rotate-links on $name', (database) => {
  const service = useService(database)
  const cli = () => inProcessCli(service.installation.env)

  it('rotates both environments, and says until when links work', async () => {
    const rotated = await cli().json<unknown[]>('key', 'rotate-links', '--overlap', '30d')
    expect(rotated).toMatchObject([
      { environment: 'production', version: 2 },
      { environment: 'sandbox', version: 2 },
    ])
    const again = await cli().run('key', 'rotate-links', '--env', 'sandbox')
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('--end-old')])
    expect((await cli().run('key', 'rotate-links', '--end-old')).stdout).toContain('have ended')
    expect((await cli().run('key', 'rotate-links', '--end-old')).stdout).toContain('No earlier key')
    expect((await cli().run('key', 'rotate-links', '--now')).stdout).toContain(
      'key 3; links so far have ended',
    )
    const both = await cli().run('key', 'rotate-links', '--now', '--end-old')
    expect(both.stderr).toContain('only one of')
  })

  it('a page opens with a link that names its key, and with none that was made up', async () => {
    await cli().json('key', 'rotate-links', '--now')
    const started = await startTestService(database, { installation: service.installation })
    const { address, clock, manageLink } = started.ctx.environments.production
    const url = await manageLink({ aid: 'A123456789', id: 'S1', linkNumber: 0 }, clock())
    const path = url.slice(address().length)
    expect(path).toMatch(/^\/manage\/\d+~/)
    const statusOf = async (target: string) => (await send(started.url, target)).status
    // The signature is right, and there is no such subscription.
    expect(await statusOf(path)).toBe(404)
    expect(await statusOf(path.replace('.S1.', '.S2.'))).toBe(403)
    expect(await statusOf(path.replace(/\d+~/, ''))).toBe(403)
    await started.stop()
  })
})
