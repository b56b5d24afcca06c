import { execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import {
  appendFileSync,
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeSync,
} from 'node:fs'
import { watch } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { inProcessCli } from '../../testing/cli.ts'
import { databases } from '../../testing/databases.ts'
import { useFreshFixture } from '../../testing/fixtures.ts'
import { useDownloadFixture } from '../../testing/use-service.ts'

const COMMAND = fileURLToPath(new URL('../../../bin/gatehouse.mjs', import.meta.url))
const MIB = 1024 * 1024

describe('a file that is put behind a resource', () => {
  const fixture = useDownloadFixture(databases[0])
  const resource = useFreshFixture(() => fixture.newResource())
  // The first upload creates the folder of the store.
  beforeAll(async () => {
    await (await fixture.newResource()).create('--file', fixture.newFile())
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
