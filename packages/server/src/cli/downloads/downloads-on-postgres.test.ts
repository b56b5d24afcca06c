import { randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { fullDiskCli } from '../../testing/cli.ts'
import { databases } from '../../testing/databases.ts'
import { type FixtureResource, sha256 } from '../../testing/downloads/fixture.ts'
import { fetchBytes } from '../../testing/http/fetching.ts'
import { useDownloadFixture } from '../../testing/use-service.ts'

const [, POSTGRES] = databases

describe('downloads by command line on PostgreSQL', () => {
  const fixture = useDownloadFixture(POSTGRES)
  let resource: FixtureResource
  beforeAll(async () => {
    resource = await fixture.newResource()
  })

  it('name the folder that there is no room in, and leave nothing there', async () => {
    const path = fixture.newFile(randomBytes(100 * 1024))
    const cramped = fullDiskCli(fixture.env)
    const outcome = await cramped.run('download', 'create', ...resource.options, '--file', path)
    expect(outcome).toMatchObject({ code: 1, stdout: '' })
    expect(outcome.stderr).toMatch(/^gatehouse: [^\n]+ can't be written: EFBIG[^\n]*\n$/)
    expect(outcome.stderr).toContain(fixture.storeFolder())
    expect(readdirSync(fixture.storeFolder(), { recursive: true })).toEqual(['uploads'])
    expect(await fixture.readRows('downloads')).toEqual([])
  })

  it('go all their way', async () => {
    const { cli } = fixture
    const run = (command: string, ...args: string[]) =>
      cli.json('download', command, ...resource.options, ...args)
    const bytes = randomBytes(100_000)
    const path = fixture.newFile(bytes, 'news.zip')
    const made = await resource.create('--file', path)
    expect(made).toMatchObject({ size: 100_000, sha256: sha256(bytes) })
    await run('publish')
    const { url } = await resource.link('--lifetime', '1h')
    expect((await fetchBytes(url)).body.equals(bytes)).toBe(true)
    const checkup = await cli.json<{ checks: object[] }>('doctor', '--deep')
    expect(checkup.checks).toContainEqual({
      check: 'files production',
      status: 'ok',
      message: '1 downloads, 1 published, 97.7 KiB, on disk, all checksums match',
    })
    await run('replace', '--file', path, '--name', 'other.zip')
    expect(await cli.json('download', 'list')).toMatchObject([{ id: made.id, file: 'other.zip' }])
    await run('remove')
    expect(await cli.json('download', 'list')).toEqual([])
  })

  it('add several files to a resource, put them in order, and name each by its id', async () => {
    const { cli, app } = fixture
    const own = await fixture.newResource()
    const run = <T = { id: string; title: string }>(command: string, ...args: string[]) =>
      cli.json<T>('download', command, ...own.options, ...args)
    const first = await own.create('--file', fixture.newFile('one', 'one.txt'), '--publish')
    const more = ['--file', fixture.newFile('two', 'two.txt')]
    const refused = await cli.run('download', 'create', ...own.options, ...more)
    expect(refused.stderr).toContain('gatehouse download create --add')
    const second = await own.create(...more, '--add', '--publish')
    expect(second).toMatchObject({ title: 'two.txt' })
    const { stderr } = await cli.run('download', 'remove', ...own.options)
    expect(stderr).toContain('This resource has several files. Name one with --id ID')
    const moved = await run<{ id: string }[]>('move', '--id', second.id, '--to', '1')
    expect(moved.map(({ id }) => id)).toEqual([second.id, first.id])
    const wrong = await cli.run('download', 'move', ...own.options, '--id', first.id, '--to', '3')
    expect(wrong).toMatchObject({ code: 1, stderr: expect.stringContaining('must be from 1 to 2') })
    const bodyOf = async (...args: string[]) =>
      (await fetchBytes((await own.link('--lifetime', '60', ...args)).url)).body.toString()
    expect(await bodyOf()).toBe('two')
    expect(await bodyOf('--id', first.id)).toBe('one')
    await run('set', '--id', first.id, '--title', 'The first')
    await run('replace', '--id', second.id, '--file', fixture.newFile('three', 'three.txt'))
    expect(await bodyOf()).toBe('three')

    await app.client.grantAccess({ rid: own.rid, email: 'ann@example.com', user_ref: 'ann' })
    const { url } = await run<{ url: string }>('page', '--user-ref', 'ann')
    const page = await (await fetch(url, { headers: { accept: 'text/html' } })).text()
    expect(page.indexOf('>two.txt<')).toBeLessThan(page.indexOf('>The first<'))
    const nobody = await cli.run('download', 'page', ...own.options, '--user-ref', 'nobody')
    expect(nobody.stderr).toBe('gatehouse: No such access.\n')

    await run('remove', '--id', first.id)
    await run('remove')
    expect(await cli.json('download', 'list', '--aid', app.aid)).toEqual([])
  })
})
