import { execFileSync, spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import {
  appendFileSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { watch } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { archiveApplication } from '../../apps/applications.ts'
import type { DeliveryTable } from '../../db/tables.ts'
import { recordDeliveries } from '../../downloads/deliveries.ts'
import { type CommandLine, crampedLine, quickLine } from '../../testing/command.ts'
import { databases } from '../../testing/databases.ts'
import { fetchBytes } from '../../testing/fetching.ts'
import { startTestService, type TestApplication, type TestService } from '../../testing/service.ts'

const COMMAND = fileURLToPath(new URL('../../../bin/gatehouse.mjs', import.meta.url))
const [SQLITE, POSTGRES] = databases
const DAY = 86_400
const MIB = 1024 * 1024

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

interface Download {
  id: string
  rid: string
  title: string
  file: string
  sha256: string
  size: number
  filed: number
  environment: string
}

interface Checkup {
  ok: boolean
  checks: { check: string; status: string; message: string; todo?: string }[]
}

describe('downloads by command line', () => {
  let service: TestService
  let app: TestApplication
  let cli: CommandLine
  let folder: string
  let rid: string
  let count = 0

  beforeAll(async () => {
    // The commands have this machine's clock.
    service = await startTestService(SQLITE, { realTime: true })
    cli = quickLine(settings())
    app = await service.newApplication()
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-files-'))
  })
  beforeEach(async () => {
    rid = `issue-${++count}`
    await app.addResource(rid, { name: `Issue ${count}` })
  })
  afterAll(async () => {
    await service.requireInvariants()
    await service.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  const settings = () => ({ ...service.home.env, GATEHOUSE_BASE_URL: service.url })
  const stored = (environment = 'production') =>
    join(service.home.env.GATEHOUSE_DATA as string, 'files', environment)
  const uploads = () => (existsSync(stored()) ? readdirSync(join(stored(), 'uploads')) : [])
  const rowsOf = (name: 'files' | 'downloads') =>
    app.environment.database.read.selectFrom(name).selectAll().execute()
  /** All that anybody could see of an upload. */
  const visible = async () => ({
    downloads: await rowsOf('downloads'),
    files: (await rowsOf('files')).filter((file) => file.dropped === null),
    stored: readdirSync(stored()),
    uploads: uploads(),
  })
  const of = () => ['--aid', app.aid, '--rid', rid]

  function newFile(bytes: string | Uint8Array = randomBytes(2000), name = `file-${count}.pdf`) {
    const path = join(folder, name)
    writeFileSync(path, bytes)
    return path
  }
  /** As large as it says, and on the disk next to nothing. */
  function largeFile(size: number): string {
    const path = newFile('')
    truncateSync(path, size)
    return path
  }
  /** Resolves when the first byte of an upload is there. */
  async function uploadBegins(): Promise<void> {
    mkdirSync(join(stored(), 'uploads'), { recursive: true })
    for await (const { eventType } of watch(join(stored(), 'uploads'))) {
      if (eventType === 'change') return
    }
  }
  const create = (...args: string[]) => cli.json<Download>('download', 'create', ...of(), ...args)
  const link = (...args: string[]) =>
    cli.json<{ url: string; expires: number }>('download', 'link', ...of(), ...args)

  describe('create', () => {
    it('takes a file in, and tells all about it', async () => {
      const bytes = randomBytes(3 * MIB + 17)
      const before = app.environment.clock()
      const data = await create('--file', newFile(bytes, 'spring.pdf'), '--publish')
      expect(data).toEqual({
        id: expect.stringMatching(/^[A-Za-z0-9]{16}$/),
        aid: app.aid,
        rid,
        title: `Issue ${count}`,
        description: '',
        image: '',
        file: 'spring.pdf',
        type: 'application/pdf',
        size: bytes.length,
        sha256: sha256(bytes),
        store: 'disk',
        filed: expect.any(Number),
        created: data.filed,
        modified: data.filed,
        published: data.filed,
        environment: 'production',
      })
      expect(data.filed).toBeGreaterThanOrEqual(before)
      expect(await cli.json('download', 'show', ...of())).toEqual(data)
      expect(uploads()).toEqual([])
      const { url } = await link('--lifetime', '60')
      expect((await fetchBytes(url)).body.equals(bytes)).toBe(true)
    })

    it('keeps it from the world until it is published', async () => {
      const about = ['--title', 'T', '--description', 'a\nb', '--image', 'https://example.com/i']
      const data = await create('--file', newFile(), ...about)
      expect(data).toMatchObject({
        title: 'T',
        description: 'a\nb',
        image: 'https://example.com/i',
      })
      expect(data).not.toHaveProperty('published')
      const outcome = await cli.run('download', 'link', ...of(), '--lifetime', '60')
      expect(outcome).toMatchObject({ code: 1, stderr: 'gatehouse: No such download.\n' })
    })

    it.each([
      ['Spring "2027" – it\'s here; 100 %.pdf', 'application/pdf'],
      ['caf\u00e9.epub', 'application/epub+zip'],
      ['cafe\u0301.epub', 'application/epub+zip'],
      ['春の号.MP3', 'audio/mpeg'],
      ['🎧 podcast', 'application/octet-stream'],
      ['pdf', 'application/octet-stream'],
      ['.json', 'application/octet-stream'],
      ['archive.tar.gz', 'application/gzip'],
      ['odd.__proto__', 'application/octet-stream'],
      ['-x .', 'application/octet-stream'],
    ])('keeps the name of a file as it is: %s', async (name, type) => {
      const data = await create(`--file=${newFile(name, name)}`, '--publish')
      expect(data).toMatchObject({ file: name, type })
      const { headers, body } = await fetchBytes((await link('--lifetime', '60')).url)
      expect(body.toString()).toBe(name)
      expect(headers['content-type']).toBe(type)
    })

    it('gives readers another name where it is told one, and a type to go with it', async () => {
      const path = newFile('x', 'draft\\7.tmp')
      const wrong = await cli.run('download', 'create', ...of(), '--file', path)
      expect(wrong).toMatchObject({
        code: 1,
        stderr:
          'gatehouse: the name of the file has a / or a \\ in it; give readers another one with --name\n',
      })
      const name = `${'x'.repeat(250)}.html`
      expect(await create('--file', path, '--name', name)).toMatchObject({
        file: name,
        type: 'text/html',
      })
    })

    it('takes an empty file, which is a file', async () => {
      const data = await create('--file', newFile(''), '--publish')
      expect(data).toMatchObject({ size: 0, sha256: sha256(Buffer.alloc(0)) })
      const { status, body } = await fetchBytes((await link('--lifetime', '60')).url)
      expect([status, body.length]).toEqual([200, 0])
    })

    it("takes what a link leads to, under the link's own name", async () => {
      const path = join(folder, `link-${count}.txt`)
      symlinkSync(newFile('hello'), path)
      expect(await create('--file', path)).toMatchObject({
        file: `link-${count}.txt`,
        type: 'text/plain',
        size: 5,
      })
      expect(statSync(join(stored(), sha256(Buffer.from('hello')))).isFile()).toBe(true)
    })

    it('is heard in the history of the resource', async () => {
      const data = await create('--file', newFile('told', 'told.txt'))
      const changes = await cli.json<object[]>('access', 'history', ...of())
      expect(changes.at(-1)).toMatchObject({
        action: 'download created',
        actor: 'cli',
        rid,
        after: { download: data.id, file: 'told.txt', sha256: data.sha256, size: 4 },
      })
    })
  })

  describe('a file that can not be taken', () => {
    const special: Record<string, () => string> = {
      'a folder': () => folder,
      'a file that is not there': () => join(folder, 'no such file'),
      'a file below a file': () => join(newFile(), 'x'),
      'a pipe': () => {
        const path = join(folder, 'pipe')
        execFileSync('mkfifo', [path])
        return path
      },
      'a device': () => '/dev/zero',
      'a link that leads nowhere': () => {
        const path = join(folder, 'nowhere')
        symlinkSync('/no/such/file', path)
        return path
      },
      'a file with more in it than it says': () => '/proc/self/status',
    }

    it.each([
      ['a folder', /folder is a folder, not a file$/],
      ['a file that is not there', /can't be read: there is no such file$/],
      ['a file below a file', /can't be read: ENOTDIR/],
      ['a pipe', /is no plain file, but a pipe or a device$/],
      ['a device', /is no plain file, but a pipe or a device$/],
      ['a link that leads nowhere', /can't be read: there is no such file$/],
      ['a file with more in it than it says', /changed while it was read; nothing was uploaded$/],
    ])('is refused in one line: %s', async (what, words) => {
      const before = await visible()
      const path = special[what]?.() as string
      const { code, stdout, stderr } = await cli.run('download', 'create', ...of(), '--file', path)
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
      expect(stderr).toMatch(/^gatehouse: [^\n]+\n$/)
      expect(stderr.trim().replace(folder, 'folder')).toMatch(words)
      expect(await visible()).toEqual(before)
    })

    it.each([
      ['it grows', (path: string) => appendFileSync(path, 'x')],
      ['it shrinks', (path: string) => truncateSync(path, 5 * MIB)],
      ['it is written to', (path: string) => scribble(path)],
      ['it was touched', (path: string) => utimesSync(path, 1, 1)],
    ])('is refused if it changes while it is read: %s', async (_, change) => {
      const path = largeFile(32 * MIB)
      const before = await visible()
      const begun = uploadBegins()
      const outcome = cli.run('download', 'create', ...of(), '--file', path)
      await Promise.race([begun, outcome])
      change(path)
      expect(await outcome).toEqual({
        code: 1,
        stdout: '',
        stderr: `gatehouse: ${path} changed while it was read; nothing was uploaded\n`,
      })
      expect(await visible()).toEqual(before)
    })

    function scribble(path: string): void {
      const file = openSync(path, 'r+')
      writeSync(file, 'x', 0)
      closeSync(file)
    }

    it('is not even looked at where there is no place for it', async () => {
      const missing = ['--file', join(folder, 'no such file')]
      await create('--file', newFile())
      const own = await service.newApplication()
      const outcomes = await Promise.all([
        cli.run('download', 'create', ...of(), ...missing),
        cli.run('download', 'create', '--aid', app.aid, '--rid', 'unheard-of', ...missing),
        cli.run('download', 'create', '--aid', own.aid, '--rid', rid, ...missing),
        cli.run('download', 'create', '--aid', 'AAAAAAAAAA', '--rid', rid, ...missing),
        cli.run('download', 'replace', '--aid', app.aid, '--rid', 'unheard-of', ...missing),
      ])
      expect(outcomes.map(({ code }) => code)).toEqual([1, 1, 1, 1, 1])
      expect(outcomes.map(({ stderr }) => stderr)).toEqual([
        'gatehouse: This resource has a file already. Put another in its place with: gatehouse download replace.\n',
        'gatehouse: No such resource.\n',
        'gatehouse: No such resource.\n',
        expect.stringContaining('AAAAAAAAAA'),
        'gatehouse: No such download.\n',
      ])
    })
  })

  describe('what a command is told', () => {
    const long = (length: number) => '🎧'.repeat(length)
    it.each([
      ['create', ['--file', 'x', '--name', 'a/b'], '--name', '/ or a \\'],
      ['create', ['--file', 'x', '--name', 'a\\b'], '--name', '/ or a \\'],
      ['create', ['--file', 'x', '--name', '..'], '--name', 'name of a folder'],
      ['create', ['--file', 'x', '--name', '.'], '--name', 'name of a folder'],
      ['create', ['--file', 'x', '--name', ''], '--name', 'is empty'],
      ['create', ['--file', 'x', '--name', 'a\r\nb'], '--name', 'control character'],
      ['create', ['--file', 'x', '--name', 'a\ud83c.pdf'], '--name', 'half a character'],
      ['replace', ['--file', 'x', '--name', long(256)], '--name', '255'],
      ['create', ['--file', 'x', '--title', ''], '--title', 'is empty'],
      ['create', ['--file', 'x', '--title', long(256)], '--title', '255'],
      ['create', ['--file', 'x', '--description', long(10_001)], '--description', '10000'],
      ['create', ['--file', 'x', '--description', 'a\u0007'], '--description', 'control character'],
      ['create', ['--file', 'x', '--image', 'javascript:x'], '--image', 'https://'],
      ['set', ['--image', 'example.com/x.png'], '--image', 'https://'],
      ['set', [], 'nothing to change'],
      ['create', [], '--file', 'not specified'],
      ['link', [], 'lifetime', 'expiration'],
      ['link', ['--lifetime', '0'], 'lifetime', '1 or more'],
      ['link', ['--lifetime', '-5'], 'lifetime', '1 or more'],
      ['link', ['--lifetime', '1803859200000'], '--lifetime', 'milliseconds'],
      ['link', ['--lifetime', 'soon'], '--lifetime', 'duration like'],
      ['link', ['--expiration', '2020-01-01'], 'expiration', 'in the past'],
      ['link', ['--lifetime', '60', '--limit', '0'], '--limit', '1 or more'],
      ['link', ['--lifetime', '60', '--limit', '1000001'], '--limit', '1000000 or less'],
      ['link', ['--lifetime', '60', '--filename', '../x'], '--filename', '/ or a \\'],
      ['link', ['--lifetime', '60', '--user-ref', 'nobody'], 'No such access'],
    ] as [string, string[], ...string[]][])(
      'is refused in one line: %s %j',
      async (command, args, ...named) => {
        if (command === 'link') await create('--file', newFile(), '--publish')
        const { code, stdout, stderr } = await cli.run('download', command, ...of(), ...args)
        expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
        expect(stderr).toMatch(/^gatehouse: [^\n]+\n$/)
        for (const name of named) expect(stderr).toContain(name)
      },
    )

    it('may be as long as it can be', async () => {
      const [title, description, name] = [long(255), long(10_000), long(255)]
      const about = ['--title', title, '--description', description, '--name', name]
      const data = await create('--file', newFile(), ...about, '--publish')
      expect(data).toMatchObject({ title, description, file: name })
      const { url } = await link('--lifetime', '60', '--filename', name)
      expect((await fetchBytes(url)).status).toBe(200)
    })
  })

  describe('a download', () => {
    it('is replaced under the links that it has', async () => {
      const first = await create('--file', newFile('first', 'first.txt'), '--publish')
      const { url } = await link('--lifetime', '60')
      const path = newFile('second', 'second.csv')
      const second = await cli.json<Download>('download', 'replace', ...of(), '--file', path)
      expect(second).toMatchObject({ id: first.id, file: 'second.csv', type: 'text/csv', size: 6 })
      expect((await fetchBytes(url)).body.toString()).toBe('second')
      const third = await cli.json('download', 'replace', ...of(), '--file', path, '--name', 'c.d')
      expect(third).toMatchObject({ id: first.id, file: 'c.d', sha256: second.sha256 })
      expect((await fetchBytes(url)).body.toString()).toBe('second')
      expect(uploads()).toEqual([])
    })

    it('is described anew, and only where it is told to', async () => {
      const about = ['--description', 'old', '--image', 'https://example.com/i.png']
      await create('--file', newFile(), '--title', 'Old', ...about)
      const set = (...args: string[]) => cli.json('download', 'set', ...of(), ...args)
      expect(await set('--title', 'New')).toMatchObject({ title: 'New', description: 'old' })
      expect(await set('--description', '', '--image', '')).toMatchObject({
        title: 'New',
        description: '',
        image: '',
      })
    })

    it('is published, hidden and removed, with its links', async () => {
      await create('--file', newFile('here'), '--publish')
      const { url } = await link('--lifetime', '60')
      const status = async () => (await fetchBytes(url)).status
      expect(await status()).toBe(200)
      const hidden = await cli.json('download', 'unpublish', ...of())
      expect(hidden).not.toHaveProperty('published')
      expect(await status()).toBe(404)
      const again = await cli.json('download', 'publish', ...of())
      expect(again).toHaveProperty('published', expect.any(Number))
      expect(await status()).toBe(200)
      expect((await cli.run('download', 'remove', ...of())).stdout).toBe(
        `Removed the download of ${rid}: its links are dead, and its file is deleted after a day.\n`,
      )
      expect(await status()).toBe(404)
      for (const command of ['show', 'publish', 'unpublish', 'remove']) {
        const outcome = await cli.run('download', command, ...of())
        expect(outcome).toMatchObject({ code: 1, stderr: 'gatehouse: No such download.\n' })
      }
      await create('--file', newFile('back'), '--publish')
      expect(await status()).toBe(404)
    })

    it('is listed with its environment, for people and for programs', async () => {
      const sandbox = await service.newApplication('sandbox')
      await sandbox.addResource('news')
      const path = newFile(randomBytes(1536), 'a\u200bb.pdf')
      const args = ['--aid', sandbox.aid, '--rid', 'news', '--file', path, '--publish']
      const made = await cli.json<Download>('download', 'create', ...args)
      expect(made.environment).toBe('sandbox')
      expect(readdirSync(stored('sandbox'))).toContain(made.sha256)
      await create('--file', newFile())
      const of = (...scope: string[]) => cli.json<Download[]>('download', 'list', ...scope)
      expect(await of('--aid', sandbox.aid)).toEqual([made])
      expect(await of('--env', 'sandbox')).toEqual([made])
      const all = await of()
      expect(all).toContainEqual(made)
      expect(all.find((one) => one.rid === rid)).toMatchObject({ environment: 'production' })
      const { stdout } = await cli.run('download', 'list', '--env', 'sandbox')
      expect(stdout).toMatch(/ news .* 1\.5 KiB +20\d\d-/)
      const empty = await service.newApplication()
      const { stdout: none } = await cli.run('download', 'list', '--aid', empty.aid)
      expect(none).toMatch(/^No downloads\. Make one with: gatehouse download create /)
    })
  })

  describe('link', () => {
    beforeEach(async () => {
      await create('--file', newFile('the file', 'own.txt'), '--publish')
    })

    it.each([
      ['seconds', ['--lifetime', '3600'], 3600],
      ['a duration', ['--lifetime', '2d'], 2 * DAY],
      ['the earlier of two ends', ['--lifetime', '2d', '--expiration', '+1'], DAY],
      ['the other earlier end', ['--lifetime', '1h', '--expiration', '+1'], 3600],
      ['a time', ['--expiration', '+1'], DAY],
    ])('lives for %s', async (_, args, life) => {
      const now = app.environment.clock()
      const tomorrow = String(now + DAY)
      const { url, expires } = await link(...args.map((one) => (one === '+1' ? tomorrow : one)))
      expect(expires - now - life).toBeGreaterThanOrEqual(0)
      expect(expires - now - life).toBeLessThan(10)
      expect(url.startsWith(`${service.url}/d/${app.aid}.`)).toBe(true)
    })

    it('is printed alone, and delivers under the name that it is given', async () => {
      const args = ['--lifetime', '60', '--filename', 'für "dich".txt', '--limit', '3']
      const { stdout, stderr } = await cli.run('download', 'link', ...of(), ...args)
      expect(stderr).toBe('')
      const { status, headers, body } = await fetchBytes(stdout.trim())
      expect([status, body.toString()]).toEqual([200, 'the file'])
      expect(headers['content-disposition']).toContain("filename*=UTF-8''f%C3%BCr%20%22dich%22.txt")
    })

    it('for a user is dead once the access is revoked', async () => {
      await app.client.grantAccess({ rid, email: 'ann@example.com', user_ref: `ann-${count}` })
      const { url } = await link('--lifetime', '60', '--user-ref', `ann-${count}`)
      expect((await fetchBytes(url)).status).toBe(200)
      await app.client.revokeAccess({ rid, user_ref: `ann-${count}` })
      expect((await fetchBytes(url)).status).toBe(403)
    })

    it('lives no longer than the operator allows', async () => {
      const strict = quickLine({ ...settings(), GATEHOUSE_DOWNLOAD_LONGEST_LIFE: '3600' })
      const ask = (life: string) => strict.run('download', 'link', ...of(), '--lifetime', life)
      expect((await ask('1h')).code).toBe(0)
      expect(await ask('3601')).toMatchObject({
        code: 1,
        stderr: 'gatehouse: Links live for 3600 seconds at most here.\n',
      })
    })

    it('is not made where it would lead nowhere', async () => {
      const nowhere = quickLine({ ...service.home.env, GATEHOUSE_PORT: '0' })
      const lost = await nowhere.run('download', 'link', ...of(), '--lifetime', '60')
      expect(lost).toMatchObject({ code: 1, stderr: expect.stringContaining('GATEHOUSE_BASE_URL') })
      const own = await service.newApplication()
      await own.addResource('news')
      const named = ['--aid', own.aid, '--rid', 'news']
      await cli.json('download', 'create', ...named, '--file', newFile(), '--publish')
      await own.environment.database.write((trx) =>
        archiveApplication(trx, own.aid, own.environment.clock(), 'test'),
      )
      const old = await cli.run('download', 'link', ...named, '--lifetime', '60')
      expect(old).toMatchObject({ code: 1, stderr: expect.stringContaining('is archived') })
    })
  })

  it('tells what was delivered, the newest first', async () => {
    const others = await service.newApplication('sandbox')
    await others.addResource(rid)
    const now = app.environment.clock()
    const delivery = (at: number, more: Partial<DeliveryTable> = {}) => ({
      aid: app.aid,
      rid,
      download_id: 'a-download',
      link: `link${now - at}`,
      uid: null,
      at,
      bytes: 2048,
      outcome: 'complete' as const,
      ...more,
    })
    const { uid } = await app.client.grantAccess({
      rid,
      email: 'bob@example.com',
      user_ref: 'bob',
    })
    await app.environment.database.write((trx) =>
      recordDeliveries(trx, [delivery(now - 3, { uid }), delivery(now - 1)], now),
    )
    const elsewhere = { aid: others.aid, bytes: 0, outcome: 'redirected' as const }
    await others.environment.database.write((trx) =>
      recordDeliveries(trx, [delivery(now - 2, elsewhere)], now),
    )
    const ask = (...args: string[]) =>
      cli.json<{ link: string }[]>('download', 'deliveries', '--rid', rid, ...args)
    expect(await ask()).toEqual([
      { ...shownOf(delivery(now - 1)), environment: 'production' },
      { ...shownOf(delivery(now - 2, elsewhere)), environment: 'sandbox' },
      { ...shownOf(delivery(now - 3)), uid, environment: 'production' },
    ])
    expect((await ask('--limit', '2')).map((one) => one.link)).toEqual(['link1', 'link2'])
    expect((await ask('--aid', app.aid)).map((one) => one.link)).toEqual(['link1', 'link3'])
    expect((await ask('--env', 'sandbox')).map((one) => one.link)).toEqual(['link2'])
    const { stdout } = await cli.run('download', 'deliveries', '--aid', app.aid, '--rid', rid)
    expect(stdout).toMatch(/ link1 +2\.0 KiB +complete$/m)
    expect((await cli.run('download', 'deliveries', '--rid', 'none')).stdout).toBe(
      'No deliveries.\n',
    )
  })

  const shownOf = ({ at, aid, rid, link, bytes, outcome }: Omit<DeliveryTable, 'id'>) => ({
    ...{ at, aid, rid, link, bytes, outcome },
  })

  describe('doctor', () => {
    const filesIn = async (...args: string[]) =>
      (await cli.json<Checkup>('doctor', ...args)).checks.filter(({ check }) =>
        check.startsWith('files '),
      )
    const failures = async () => {
      const { code, stdout } = await cli.run('doctor', '--deep', '--json')
      const { checks } = JSON.parse(stdout) as Checkup
      return { code, failed: checks.filter(({ status }) => status === 'failed') }
    }

    it('counts what there is to download', async () => {
      await create('--file', newFile(randomBytes(1000)), '--publish')
      const rows = await rowsOf('downloads')
      const published = rows.filter((row) => row.published !== null)
      for (const args of [[], ['--deep']]) {
        const [found] = await filesIn(...args)
        expect(found).toMatchObject({ check: 'files production', status: 'ok' })
        expect(found?.message).toMatch(`${rows.length} downloads, ${published.length} published, `)
        expect(found?.message.endsWith('every byte as it was put there')).toBe(args.length > 0)
      }
    })

    it.each([
      ['a byte of it is another', 'changed', (path: string) => flip(path)],
      ['it is shorter', 'missing', (path: string) => truncateSync(path, 1999)],
      ['it is gone', 'missing', (path: string) => rmSync(path)],
      ['a link is in its place', 'missing', (path: string) => linkAway(path)],
      ['a folder is in its place', 'missing', (path: string) => toFolder(path)],
    ])('finds a file that is damaged, and what mends it: %s', async (_, kind, damage) => {
      const path = newFile(randomBytes(2000))
      const { sha256: name } = await create('--file', path, '--publish')
      damage(join(stored(), name))
      expect((await cli.run('doctor')).code).toBe(0)
      const { code, failed } = await failures()
      expect(code).toBe(1)
      expect(failed).toEqual([
        {
          check: 'files production',
          status: 'failed',
          message: expect.stringContaining(`the file of ${rid} (${app.aid}) is ${kind}: `),
          todo: expect.stringContaining(
            `gatehouse download replace --aid ${app.aid} --rid ${rid} --file FILE`,
          ),
        },
      ])
      rmSync(join(stored(), name), { recursive: true, force: true })
      await cli.json('download', 'replace', ...of(), '--file', path)
      expect(await failures()).toEqual({ code: 0, failed: [] })
    })

    function flip(path: string): void {
      const bytes = readFileSync(path)
      bytes[1234] = (bytes[1234] as number) ^ 1
      writeFileSync(path, bytes)
    }
    function linkAway(path: string): void {
      writeFileSync(join(folder, 'elsewhere'), readFileSync(path))
      rmSync(path)
      symlinkSync(join(folder, 'elsewhere'), path)
    }
    function toFolder(path: string): void {
      rmSync(path)
      mkdirSync(path)
    }

    it('says what to mend where a store can not be used', async () => {
      const empty = await SQLITE.makeHome()
      const own = quickLine(empty.env)
      await own.json('app', 'create', '--env', 'sandbox', '--name', 'Test magazine')
      writeFileSync(join(empty.env.GATEHOUSE_DATA as string, 'files'), 'in the way')
      const { code, stdout } = await own.run('doctor')
      await empty.remove()
      expect(code).toBe(1)
      expect(stdout).toMatch(/^failed +files sandbox +the folder can't be used: E/m)
      expect(stdout).toMatch(/-> make .*\/files\/sandbox a folder that the service can write to$/m)
    })

    it('misses the bucket of files that are in S3', async () => {
      const { sha256: name } = await create('--file', newFile())
      const move = (store: string) =>
        app.environment.database.write((trx) =>
          sql`update files set store = ${store} where sha256 = ${name}`.execute(trx),
        )
      await move('s3')
      const { failed } = await failures()
      await move('disk')
      expect(failed).toEqual([
        {
          check: 'files production',
          status: 'failed',
          message: 'a file is in S3, and no bucket is set (GATEHOUSE_S3_BUCKET)',
          todo: expect.stringContaining('GATEHOUSE_S3_'),
        },
      ])
    })
  })

  describe('an upload', () => {
    it('that is stopped in the middle leaves nothing behind', async () => {
      const before = await visible()
      const path = largeFile(8 * 1024 * MIB)
      const begun = uploadBegins()
      const program = [COMMAND, 'download', 'create', ...of(), '--file', path]
      const child = spawn(process.execPath, program, {
        cwd: '/',
        env: { ...process.env, ...settings() },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      const ended = once(child, 'close')
      const output = Promise.all([text(child.stdout), text(child.stderr)])
      await Promise.race([begun, ended])
      expect(uploads()).toHaveLength(1)
      child.kill('SIGINT')
      // By the signal itself: a loop of a shell that runs us ends too.
      expect(await ended).toEqual([null, 'SIGINT'])
      expect(await output).toEqual([
        '',
        expect.stringMatching(
          /^(gatehouse: (building|waiting) .*\n)*gatehouse: stopped; nothing has changed\n$/,
        ),
      ])
      expect(await visible()).toEqual(before)
      await create('--file', newFile('small'))
    })

    it('shows on a terminal how far it is, and nowhere else', async () => {
      const path = newFile(randomBytes(3 * MIB))
      const program = [process.execPath, COMMAND, 'download', 'create', ...of(), '--file', path]
      const child = spawn(
        'script',
        ['-qec', program.map((one) => `'${one}'`).join(' '), '/dev/null'],
        {
          env: { ...process.env, SHELL: '/bin/sh', ...settings() },
        },
      )
      const output = await text(child.stdout)
      expect(output).toMatch(/\r\[\.{30}\] 0 %, 0 B of 3\.0 MiB, /)
      expect(output).toMatch(/\r\[#{30}\] 100 %, 3\.0 MiB of 3\.0 MiB, [\d.]+ [KMG]?i?B\/s/)
      expect(output).toMatch(/\x1b\[K[^%]*\nsha256 /s)
      await cli.json('download', 'remove', ...of())
      const quiet = await cli.run('download', 'create', ...of(), '--file', path)
      expect(quiet).toMatchObject({ code: 0, stderr: '' })
    })
  })
})

describe('downloads by command line on PostgreSQL', () => {
  let service: TestService
  let app: TestApplication
  let folder: string

  beforeAll(async () => {
    service = await startTestService(POSTGRES, { realTime: true })
    app = await service.newApplication('sandbox')
    await app.addResource('news')
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-files-'))
  })
  afterAll(async () => {
    await service.requireInvariants()
    await service.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  const of = () => ['--aid', app.aid, '--rid', 'news']

  it('name the folder that there is no room in, and leave nothing there', async () => {
    const path = join(folder, 'large.bin')
    writeFileSync(path, randomBytes(100 * 1024))
    const cramped = crampedLine(service.home.env)
    const outcome = await cramped.run('download', 'create', ...of(), '--file', path)
    const files = join(service.home.env.GATEHOUSE_DATA as string, 'files', 'sandbox')
    expect(outcome).toMatchObject({ code: 1, stdout: '' })
    expect(outcome.stderr).toMatch(/^gatehouse: [^\n]+ can't be written: EFBIG[^\n]*\n$/)
    expect(outcome.stderr).toContain(files)
    expect(readdirSync(files, { recursive: true })).toEqual(['uploads'])
    const { read } = app.environment.database
    expect(await read.selectFrom('downloads').selectAll().execute()).toEqual([])
  })

  it('go all their way', async () => {
    const cli = quickLine({ ...service.home.env, GATEHOUSE_BASE_URL: service.url })
    const bytes = randomBytes(100_000)
    const path = join(folder, 'news.zip')
    writeFileSync(path, bytes)
    const made = await cli.json<Download>('download', 'create', ...of(), '--file', path)
    expect(made).toMatchObject({ size: 100_000, sha256: sha256(bytes) })
    await cli.json('download', 'publish', ...of())
    const { url } = await cli.json<{ url: string }>('download', 'link', ...of(), '--lifetime', '1h')
    expect((await fetchBytes(url)).body.equals(bytes)).toBe(true)
    const { ok, checks } = await cli.json<Checkup>('doctor', '--deep')
    expect(ok).toBe(true)
    expect(checks.find(({ check }) => check === 'files sandbox')?.message).toBe(
      '1 downloads, 1 published, 97.7 KiB, on disk, every byte as it was put there',
    )
    await cli.json('download', 'replace', ...of(), '--file', path, '--name', 'other.zip')
    expect(await cli.json('download', 'list', '--aid', app.aid)).toMatchObject([
      { id: made.id, file: 'other.zip' },
    ])
    await cli.json('download', 'remove', ...of())
    expect(await cli.json('download', 'list', '--aid', app.aid)).toEqual([])
  })
})
