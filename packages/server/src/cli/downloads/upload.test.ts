import { execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import {
  appendFileSync,
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeSync,
} from 'node:fs'
import { watch } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { beforeEach, describe, expect, it } from 'vitest'
import { inProcessCli } from '../../testing/cli.ts'
import { databases } from '../../testing/databases.ts'
import { type FixtureResource, sha256 } from '../../testing/downloads/fixture.ts'
import { fetchBytes } from '../../testing/http/fetching.ts'
import { useDownloadFixture } from '../../testing/use-service.ts'

const COMMAND = fileURLToPath(new URL('../../../bin/gatehouse.mjs', import.meta.url))
const [SQLITE] = databases
const MIB = 1024 * 1024

describe('a file that is put behind a resource', () => {
  const fixture = useDownloadFixture(SQLITE)
  let resource: FixtureResource
  beforeEach(async () => {
    resource = await fixture.newResource()
  })

  /** Creates a sparse file, which takes up almost no disk space. */
  function largeFile(size: number): string {
    const path = fixture.newFile('')
    truncateSync(path, size)
    return path
  }
  /** Every visible trace of an upload. */
  const visible = async () => ({
    downloads: await fixture.readRows('downloads'),
    files: (await fixture.readRows('files')).filter((file) => file.dropped === null),
    stored: readdirSync(fixture.storeFolder()),
    uploads: fixture.unfinishedUploads(),
  })
  /** Resolves when the first byte of an upload is written. */
  async function uploadBegins(): Promise<void> {
    const folder = join(fixture.storeFolder(), 'uploads')
    mkdirSync(folder, { recursive: true })
    for await (const { eventType } of watch(folder)) if (eventType === 'change') return
  }

  describe('create', () => {
    it('takes a file in, and tells all about it', async () => {
      const bytes = randomBytes(3 * MIB + 17)
      const before = fixture.app.environment.clock()
      const data = await resource.create(
        '--file',
        fixture.newFile(bytes, 'spring.pdf'),
        '--publish',
      )
      expect(data).toEqual({
        id: expect.stringMatching(/^[A-Za-z0-9]{16}$/),
        aid: fixture.app.aid,
        rid: resource.rid,
        title: `Resource ${resource.rid}`,
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
      expect(await fixture.cli.json('download', 'show', ...resource.options)).toEqual(data)
      expect(fixture.unfinishedUploads()).toEqual([])
      const { url } = await resource.link('--lifetime', '60')
      expect((await fetchBytes(url)).body.equals(bytes)).toBe(true)
    })

    it('keeps it from the world until it is published', async () => {
      const about = ['--title', 'T', '--description', 'a\nb', '--image', 'https://example.com/i']
      const data = await resource.create('--file', fixture.newFile(), ...about)
      expect(data).toMatchObject({
        title: 'T',
        description: 'a\nb',
        image: 'https://example.com/i',
      })
      expect(data).not.toHaveProperty('published')
      const outcome = await fixture.cli.run(
        'download',
        'link',
        ...resource.options,
        '--lifetime',
        '60',
      )
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
      const data = await resource.create(`--file=${fixture.newFile(name, name)}`)
      expect(data).toMatchObject({ file: name, type, size: Buffer.byteLength(name) })
    })

    it('gives readers another name where it is told one, and a type to go with it', async () => {
      const path = fixture.newFile('x', 'draft\\7.tmp')
      const wrong = await fixture.cli.run('download', 'create', ...resource.options, '--file', path)
      expect(wrong).toMatchObject({
        code: 1,
        stderr:
          'gatehouse: the name of the file must not contain / or \\; give it another name with --name\n',
      })
      const name = `${'x'.repeat(250)}.html`
      expect(await resource.create('--file', path, '--name', name)).toMatchObject({
        file: name,
        type: 'text/html',
      })
    })

    it('takes an empty file, which is a file', async () => {
      const data = await resource.create('--file', fixture.newFile(''), '--publish')
      expect(data).toMatchObject({ size: 0, sha256: sha256(Buffer.alloc(0)) })
      const { status, body } = await fetchBytes((await resource.link('--lifetime', '60')).url)
      expect([status, body.length]).toEqual([200, 0])
    })

    it("takes what a link leads to, under the link's own name", async () => {
      const path = join(fixture.folder, 'link.txt')
      symlinkSync(fixture.newFile('hello'), path)
      expect(await resource.create('--file', path)).toMatchObject({
        file: 'link.txt',
        type: 'text/plain',
        size: 5,
      })
      expect(statSync(join(fixture.storeFolder(), sha256(Buffer.from('hello')))).isFile()).toBe(
        true,
      )
    })

    it('is heard in the history of the resource', async () => {
      const data = await resource.create('--file', fixture.newFile('told', 'told.txt'))
      const changes = await fixture.cli.json<object[]>('access', 'history', ...resource.options)
      expect(changes.at(-1)).toMatchObject({
        action: 'download created',
        actor: 'cli',
        rid: resource.rid,
        after: { download: data.id, file: 'told.txt', sha256: data.sha256, size: 4 },
      })
    })
  })

  describe("a file that can't be taken", () => {
    const special: Record<string, () => string> = {
      'a folder': () => fixture.folder,
      'a file that is not there': () => join(fixture.folder, 'no such file'),
      'a file below a file': () => join(fixture.newFile(), 'x'),
      'a pipe': () => {
        const path = join(fixture.folder, 'pipe')
        execFileSync('mkfifo', [path])
        return path
      },
      'a device': () => '/dev/zero',
      'a link that leads nowhere': () => {
        const path = join(fixture.folder, 'nowhere')
        symlinkSync('/no/such/file', path)
        return path
      },
      'a file with more in it than it says': () => '/proc/self/status',
      'a file with less in it than it says': () => '/sys/devices/system/cpu/online',
    }

    it.each([
      ['a folder', /folder is a folder, not a file$/],
      ['a file that is not there', /can't be read: there is no such file$/],
      ['a file below a file', /can't be read: ENOTDIR/],
      ['a pipe', /is not a regular file, but a pipe or a device$/],
      ['a device', /is not a regular file, but a pipe or a device$/],
      ['a link that leads nowhere', /can't be read: there is no such file$/],
      ['a file with more in it than it says', /changed while it was read; nothing was uploaded$/],
      ['a file with less in it than it says', /changed while it was read; nothing was uploaded$/],
    ])('is refused in one line: %s', async (what, words) => {
      const before = await visible()
      const path = special[what]?.() as string
      const command = ['download', 'create', ...resource.options, '--file', path]
      const { code, stdout, stderr } = await fixture.cli.run(...command)
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
      expect(stderr).toMatch(/^gatehouse: [^\n]+\n$/)
      expect(stderr.trim().replace(fixture.folder, 'folder')).toMatch(words)
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
      const outcome = fixture.cli.run('download', 'create', ...resource.options, '--file', path)
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

    it('is refused where the bucket does not answer, without a word of its keys', async () => {
      const away = inProcessCli({
        ...fixture.env,
        GATEHOUSE_S3_BUCKET: 'gatehouse',
        GATEHOUSE_S3_ENDPOINT: 'http://127.0.0.1:9',
        GATEHOUSE_S3_ACCESS_KEY_ID: 'the-name-of-a-key',
        GATEHOUSE_S3_SECRET_ACCESS_KEY: 'not-for-your-eyes',
      })
      const before = await visible()
      const command = ['download', 'create', ...resource.options, '--file', fixture.newFile()]
      const [outcome, doctor] = [await away.run(...command), await away.run('doctor')]
      expect(outcome).toMatchObject({ code: 1, stdout: '' })
      expect(outcome.stderr).toMatch(
        /^gatehouse: the file can't be stored: S3: [^\n]*reached[^\n]*\n$/,
      )
      expect(doctor.code).toBe(1)
      expect(doctor.stdout).toMatch(/^failed +files production +S3: .*\n +-> fix the bucket/m)
      expect(away.printed).not.toMatch(/the-name-of-a-key|not-for-your-eyes/)
      expect(await visible()).toEqual(before)
    })

    it('is not even looked at where there is no place for it', async () => {
      const missing = join(fixture.folder, 'no such file')
      const run = (command: string, aid: string, rid: string) =>
        fixture.cli.run('download', command, '--aid', aid, '--rid', rid, '--file', missing)
      await resource.create('--file', fixture.newFile())
      const own = await fixture.service.newApplication()
      const outcomes = await Promise.all([
        run('create', fixture.app.aid, resource.rid),
        run('create', fixture.app.aid, 'unheard-of'),
        run('create', own.aid, resource.rid),
        run('create', 'AAAAAAAAAA', resource.rid),
        run('replace', fixture.app.aid, 'unheard-of'),
      ])
      expect(outcomes.map(({ code }) => code)).toEqual([1, 1, 1, 1, 1])
      expect(outcomes.map(({ stderr }) => stderr)).toEqual([
        'gatehouse: This resource already has a file. Replace it with: gatehouse download replace, or add another one with: gatehouse download create --add.\n',
        'gatehouse: No such resource.\n',
        'gatehouse: No such resource.\n',
        expect.stringContaining('AAAAAAAAAA'),
        'gatehouse: No such download.\n',
      ])
    })
  })

  describe('an upload', () => {
    it('that is stopped in the middle leaves nothing behind', async () => {
      const before = await visible()
      const path = largeFile(8 * 1024 * MIB)
      const begun = uploadBegins()
      const program = [COMMAND, 'download', 'create', ...resource.options, '--file', path]
      const child = spawn(process.execPath, program, {
        cwd: '/',
        env: { ...process.env, ...fixture.env },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      const ended = once(child, 'close')
      const output = Promise.all([text(child.stdout), text(child.stderr)])
      await Promise.race([begun, ended])
      expect(fixture.unfinishedUploads()).toHaveLength(1)
      child.kill('SIGINT')
      // Ended by the signal itself, so that a shell loop around the command stops too.
      expect(await ended).toEqual([null, 'SIGINT'])
      expect(await output).toEqual([
        '',
        expect.stringMatching(
          /^(gatehouse: (building|waiting) .*\n)*gatehouse: stopped; nothing was changed\n$/,
        ),
      ])
      expect(await visible()).toEqual(before)
      await resource.create('--file', fixture.newFile('small'))
    })

    it('shows on a terminal how far it is, and nowhere else', async () => {
      const path = fixture.newFile(randomBytes(3 * MIB))
      const program = [
        process.execPath,
        COMMAND,
        'download',
        'create',
        ...resource.options,
        '--file',
        path,
      ]
      const child = spawn(
        'script',
        ['-qec', program.map((one) => `'${one}'`).join(' '), '/dev/null'],
        {
          env: { ...process.env, SHELL: '/bin/sh', ...fixture.env },
        },
      )
      const output = await text(child.stdout)
      expect(output).toMatch(/\r\[\.{30}\] 0 %, 0 B of 3\.0 MiB, /)
      expect(output).toMatch(/\r\[#{30}\] 100 %, 3\.0 MiB of 3\.0 MiB, [\d.]+ [KMG]?i?B\/s/)
      expect(output).toMatch(/\x1b\[K[^%]*\nsha256 /s)
      await fixture.cli.json('download', 'remove', ...resource.options)
      const quiet = await fixture.cli.run('download', 'create', ...resource.options, '--file', path)
      expect(quiet).toMatchObject({ code: 0, stderr: '' })
    })
  })
})
