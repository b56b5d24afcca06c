import { randomBytes } from 'node:crypto'
import { statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { databases } from '../../testing/databases.ts'
import { sha256 } from '../../testing/downloads/fixture.ts'
import { useFreshFixture } from '../../testing/fixtures.ts'
import { fetchBytes } from '../../testing/http/fetching.ts'
import { useDownloadFixture } from '../../testing/use-service.ts'

const MIB = 1024 * 1024

describe('a file that is put behind a resource', () => {
  const fixture = useDownloadFixture(databases[0])
  const resource = useFreshFixture(() => fixture.newResource())

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
})
