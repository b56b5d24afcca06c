import { randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { archiveApplication } from '../../domain/apps/applications.ts'
import { type Delivery, recordDeliveries } from '../../domain/downloads/deliveries.ts'
import { inProcessCli } from '../../testing/cli.ts'
import { databases } from '../../testing/databases.ts'
import { toDeliveryRows } from '../../testing/downloads/downloads.ts'
import type { FixtureResource, PrintedDownload } from '../../testing/downloads/fixture.ts'
import { fetchBytes } from '../../testing/http/fetching.ts'
import { DAY } from '../../testing/time.ts'
import { useDownloadFixture } from '../../testing/use-service.ts'

const [SQLITE] = databases
describe('downloads by command line', () => {
  const fixture = useDownloadFixture(SQLITE)
  /** Has a published file. */
  let full: FixtureResource
  let resource: FixtureResource
  beforeAll(async () => {
    full = await fixture.newResource()
    await full.create('--file', fixture.newFile('the file', 'own.txt'), '--publish')
  })
  beforeEach(async () => {
    resource = await fixture.newResource()
  })

  describe('what a command is told', () => {
    const long = (length: number) => '🎧'.repeat(length)
    /** Expands `256 characters` to that many, so that test titles stay short. */
    const written = (text: string) =>
      text.replace(/^(\d+) characters$/, (_, count) => long(Number(count)))

    it.each([
      ['create', ['--file', 'x', '--name', 'a/b'], '--name', '/ or \\'],
      ['create', ['--file', 'x', '--name', 'a\\b'], '--name', '/ or \\'],
      ['create', ['--file', 'x', '--name', '..'], '--name', 'name of a folder'],
      ['create', ['--file', 'x', '--name', '.'], '--name', 'name of a folder'],
      ['create', ['--file', 'x', '--name', ''], '--name', 'Must not be empty'],
      ['create', ['--file', 'x', '--name', 'a\r\nb'], '--name', 'control character'],
      ['create', ['--file', 'x', '--name', 'a\ud83c.pdf'], '--name', 'half a surrogate pair'],
      ['replace', ['--file', 'x', '--name', '256 characters'], '--name', '255'],
      ['create', ['--file', 'x', '--title', ''], '--title', 'Must not be empty'],
      ['create', ['--file', 'x', '--title', '256 characters'], '--title', '255'],
      ['create', ['--file', 'x', '--description', '10001 characters'], '--description', '10000'],
      ['create', ['--file', 'x', '--description', 'a\u0007'], '--description', 'control character'],
      ['create', ['--file', 'x', '--image', 'javascript:x'], '--image', 'https://'],
      ['set', ['--image', 'example.com/x.png'], '--image', 'https://'],
      ['set', [], 'nothing to change'],
      ['create', [], '--file', 'not specified'],
      ['link', [], '--lifetime', '--expiration'],
      ['link', ['--lifetime', '0'], '--lifetime', '1 or more'],
      ['link', ['--lifetime', '-5'], '--lifetime', '1 or more'],
      ['link', ['--lifetime', '1803859200000'], '--lifetime', 'milliseconds'],
      ['link', ['--lifetime', 'soon'], '--lifetime', 'duration like'],
      ['link', ['--expiration', '2020-01-01'], '--expiration: ', 'in the past'],
      ['link', ['--lifetime', '60', '--limit', '0'], '--limit', '1 or more'],
      ['link', ['--lifetime', '60', '--limit', '1000001'], '--limit', '1000000 or less'],
      ['link', ['--lifetime', '60', '--filename', '../x'], '--filename', '/ or \\'],
      ['link', ['--lifetime', '60', '--user-ref', 'nobody'], 'No such access'],
    ] as [string, string[], ...string[]][])(
      'is refused in one line: %s %j',
      async (command, args, ...named) => {
        const { options: key } = command === 'link' ? full : resource
        const told = ['download', command, ...key, ...args.map(written)]
        const { code, stdout, stderr } = await fixture.cli.run(...told)
        expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
        expect(stderr).toMatch(/^gatehouse: [^\n]+\n$/)
        for (const name of named) expect(stderr).toContain(name)
      },
    )

    it('may be as long as it can be', async () => {
      const [title, description, name] = [long(255), long(10_000), long(255)]
      const about = ['--title', title, '--description', description, '--name', name]
      const data = await resource.create('--file', fixture.newFile(), ...about, '--publish')
      expect(data).toMatchObject({ title, description, file: name })
      const { url } = await resource.link('--lifetime', '60', '--filename', name)
      expect((await fetchBytes(url)).status).toBe(200)
    })
  })

  describe('a download', () => {
    it('is replaced under the links that it has', async () => {
      const first = await resource.create(
        '--file',
        fixture.newFile('first', 'first.txt'),
        '--publish',
      )
      const { url } = await resource.link('--lifetime', '60')
      const path = fixture.newFile('second', 'second.csv')
      const replace = (...args: string[]) =>
        fixture.cli.json('download', 'replace', ...resource.options, '--file', path, ...args)
      const second = await replace()
      expect(second).toMatchObject({ id: first.id, file: 'second.csv', type: 'text/csv', size: 6 })
      expect((await fetchBytes(url)).body.toString()).toBe('second')
      const third = await replace('--name', 'c.d')
      expect(third).toMatchObject({ id: first.id, file: 'c.d', sha256: second.sha256 })
      expect((await fetchBytes(url)).body.toString()).toBe('second')
      expect(fixture.unfinishedUploads()).toEqual([])
    })

    it('is described anew, and only where it is told to', async () => {
      const about = ['--description', 'old', '--image', 'https://example.com/i.png']
      await resource.create('--file', fixture.newFile(), '--title', 'Old', ...about)
      const set = (...args: string[]) =>
        fixture.cli.json('download', 'set', ...resource.options, ...args)
      expect(await set('--title', 'New')).toMatchObject({ title: 'New', description: 'old' })
      expect(await set('--description', '', '--image', '')).toMatchObject({
        title: 'New',
        description: '',
        image: '',
      })
    })

    it('is published, hidden and removed, with its links', async () => {
      await resource.create('--file', fixture.newFile('here'), '--publish')
      const { url } = await resource.link('--lifetime', '60')
      const status = async () => (await fetchBytes(url)).status
      expect(await status()).toBe(200)
      const hidden = await fixture.cli.json('download', 'unpublish', ...resource.options)
      expect(hidden).not.toHaveProperty('published')
      expect(await status()).toBe(404)
      const again = await fixture.cli.json('download', 'publish', ...resource.options)
      expect(again).toHaveProperty('published', expect.any(Number))
      expect(await status()).toBe(200)
      expect((await fixture.cli.run('download', 'remove', ...resource.options)).stdout).toBe(
        `Removed the download of ${resource.rid}. Its links no longer work, and its file is deleted after a day.\n`,
      )
      expect(await status()).toBe(404)
      for (const command of ['show', 'publish', 'unpublish', 'remove']) {
        const outcome = await fixture.cli.run('download', command, ...resource.options)
        expect(outcome).toMatchObject({ code: 1, stderr: 'gatehouse: No such download.\n' })
      }
      await resource.create('--file', fixture.newFile('back'), '--publish')
      expect(await status()).toBe(404)
    })

    it('is listed with its environment, for people and for programs', async () => {
      const sandbox = await fixture.service.newApplication('sandbox')
      await sandbox.addResource('news')
      const path = fixture.newFile(randomBytes(1536), 'a\u200bb.pdf')
      const args = ['--aid', sandbox.aid, '--rid', 'news', '--file', path, '--publish']
      const made = await fixture.cli.json<PrintedDownload>('download', 'create', ...args)
      expect(made.environment).toBe('sandbox')
      expect(readdirSync(fixture.storeFolder('sandbox'))).toContain(made.sha256)
      await resource.create('--file', fixture.newFile())
      const of = (...scope: string[]) =>
        fixture.cli.json<PrintedDownload[]>('download', 'list', ...scope)
      expect(await of('--aid', sandbox.aid)).toEqual([made])
      expect(await of('--env', 'sandbox')).toEqual([made])
      const all = await of()
      expect(all).toContainEqual(made)
      expect(all.find((one) => one.rid === resource.rid)).toMatchObject({
        environment: 'production',
      })
      const { stdout } = await fixture.cli.run('download', 'list', '--env', 'sandbox')
      expect(stdout).toMatch(/ news .* 1\.5 KiB +20\d\d-/)
      const empty = await fixture.service.newApplication()
      const { stdout: none } = await fixture.cli.run('download', 'list', '--aid', empty.aid)
      expect(none).toMatch(/^No downloads yet\. Create one with: gatehouse download create /)
    })
  })

  describe('link', () => {
    it.each([
      ['seconds', ['--lifetime', '3600'], 3600],
      ['a duration', ['--lifetime', '2d'], 2 * DAY],
      ['the earlier of two ends', ['--lifetime', '2d', '--expiration', '+1'], DAY],
      ['the other earlier end', ['--lifetime', '1h', '--expiration', '+1'], 3600],
      ['a time', ['--expiration', '+1'], DAY],
    ])('lives for %s', async (_, args, life) => {
      const now = fixture.app.environment.clock()
      const tomorrow = String(now + DAY)
      const { url, expires } = await full.link(
        ...args.map((one) => (one === '+1' ? tomorrow : one)),
      )
      expect(expires - now - life).toBeGreaterThanOrEqual(0)
      expect(expires - now - life).toBeLessThan(10)
      expect(url.startsWith(`${fixture.service.url}/d/${fixture.app.aid}.`)).toBe(true)
    })

    it('is printed alone, and delivers under the name that it is given', async () => {
      const args = ['--lifetime', '60', '--filename', 'für "dich".txt', '--limit', '3']
      const { stdout, stderr } = await fixture.cli.run('download', 'link', ...full.options, ...args)
      expect(stderr).toBe('')
      const { status, headers, body } = await fetchBytes(stdout.trim())
      expect([status, body.toString()]).toEqual([200, 'the file'])
      expect(headers['content-disposition']).toContain("filename*=UTF-8''f%C3%BCr%20%22dich%22.txt")
    })

    it('for a user is dead once the access is revoked', async () => {
      const { client } = fixture.app
      const { rid } = full
      await client.grantAccess({ rid, email: 'ann@example.com', user_ref: 'ann' })
      const { url } = await full.link('--lifetime', '60', '--user-ref', 'ann')
      expect((await fetchBytes(url)).status).toBe(200)
      await client.revokeAccess({ rid, user_ref: 'ann' })
      expect((await fetchBytes(url)).status).toBe(403)
    })

    it('lives no longer than the operator allows', async () => {
      const strict = inProcessCli({ ...fixture.env, GATEHOUSE_DOWNLOAD_LONGEST_LIFE: '3600' })
      const ask = (life: string) =>
        strict.run('download', 'link', ...full.options, '--lifetime', life)
      expect((await ask('1h')).code).toBe(0)
      expect(await ask('3601')).toMatchObject({
        code: 1,
        stderr: "gatehouse: The link's lifetime exceeds the configured maximum of 3600 seconds.\n",
      })
    })

    it('is not made where it would lead nowhere', async () => {
      const nowhere = inProcessCli({ ...fixture.service.installation.env, GATEHOUSE_PORT: '0' })
      const lost = await nowhere.run('download', 'link', ...full.options, '--lifetime', '60')
      expect(lost).toMatchObject({ code: 1, stderr: expect.stringContaining('GATEHOUSE_BASE_URL') })
      const own = await fixture.service.newApplication()
      await own.addResource('news')
      const named = ['--aid', own.aid, '--rid', 'news']
      await fixture.cli.json(
        'download',
        'create',
        ...named,
        '--file',
        fixture.newFile(),
        '--publish',
      )
      await own.environment.database.write((trx) =>
        archiveApplication(trx, own.aid, own.environment.clock(), 'test'),
      )
      const old = await fixture.cli.run('download', 'link', ...named, '--lifetime', '60')
      expect(old).toMatchObject({ code: 1, stderr: expect.stringContaining('is archived') })
    })
  })

  it('tells what was delivered, the newest first', async () => {
    const { rid } = resource
    const others = await fixture.service.newApplication('sandbox')
    await others.addResource(rid)
    const now = fixture.app.environment.clock()
    const delivery = (at: number, more: Partial<Delivery> = {}) => ({
      aid: fixture.app.aid,
      rid,
      download_id: 'a-download',
      link: `link${now - at}`,
      uid: null,
      at,
      bytes: 2048,
      outcome: 'complete' as const,
      ...more,
    })
    const { uid } = await fixture.app.client.grantAccess({
      rid,
      email: 'bob@example.com',
      user_ref: 'bob',
    })
    await fixture.app.environment.database.write((trx) =>
      recordDeliveries(trx, toDeliveryRows([delivery(now - 3, { uid }), delivery(now - 1)]), now),
    )
    const elsewhere = { aid: others.aid, bytes: 0, outcome: 'redirected' as const }
    await others.environment.database.write((trx) =>
      recordDeliveries(trx, toDeliveryRows([delivery(now - 2, elsewhere)]), now),
    )
    const ask = (...args: string[]) =>
      fixture.cli.json<{ link: string }[]>('download', 'deliveries', '--rid', rid, ...args)
    expect(await ask()).toEqual([
      { ...shownOf(delivery(now - 1)), environment: 'production' },
      { ...shownOf(delivery(now - 2, elsewhere)), environment: 'sandbox' },
      { ...shownOf(delivery(now - 3)), uid, environment: 'production' },
    ])
    expect((await ask('--limit', '2')).map((one) => one.link)).toEqual(['link1', 'link2'])
    expect((await ask('--aid', fixture.app.aid)).map((one) => one.link)).toEqual(['link1', 'link3'])
    expect((await ask('--env', 'sandbox')).map((one) => one.link)).toEqual(['link2'])
    const { stdout } = await fixture.cli.run('download', 'deliveries', ...resource.options)
    expect(stdout).toMatch(/ link1 +1 +2\.0 KiB +complete$/m)
    expect((await fixture.cli.run('download', 'deliveries', '--rid', 'none')).stdout).toBe(
      'No deliveries.\n',
    )
  })

  const shownOf = ({ at, aid, rid, link, bytes, outcome }: Delivery) => ({
    ...{ at, aid, rid, link, answers: 1, bytes, outcome },
  })
})
