import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { databases, type TestInstallation } from '../../packages/server/src/testing/databases.ts'
import { clientOf, continueWork, type Made, makeData, requireData } from './data.ts'
import { buildRelease, currentRelease, type Release, VERSIONS } from './release.ts'

/** The whole output that an operator may see: one line that says what is wrong. */
const ONE_LINE = /^gatehouse: [^\n]*newer[^\n]*\n$/

/** Backups don't contain the master key. */
function copyMasterKey(from: TestInstallation, to: TestInstallation): void {
  const [source, target] = [from, to].map(({ env }) => join(env.GATEHOUSE_DATA ?? '', 'master.key'))
  copyFileSync(source as string, target as string)
}

const upgrades = VERSIONS.flatMap((version) =>
  databases.map(({ name, createEmpty }) => ({ version, name, createEmpty })),
)

describe.each(upgrades)('an upgrade from $version on $name', ({ version, createEmpty }) => {
  let previous: Release
  let installation: TestInstallation
  let folder: string
  let made: Made
  const backupOf = (name: string) => join(folder, `${name}.backup`)

  beforeAll(async () => {
    previous = buildRelease(version)
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-upgrade-'))
    installation = await createEmpty()
    made = await makeData(previous, installation.env)
    await previous.json(installation.env, 'backup', backupOf('previous'))
  })
  afterAll(async () => {
    await installation.remove()
    rmSync(folder, { recursive: true, force: true })
  })

  it('keeps all data, and goes on with it', async () => {
    const server = await currentRelease.serve(installation.env)
    const url = await server.url
    for (const release of [previous, currentRelease]) {
      await requireData(url, made, await clientOf(release))
    }
    await continueWork(url, made, await clientOf(previous))
    expect(await server.stop()).toMatchObject({ code: 0, stderr: '' })
  })

  it('leaves nothing that doctor complains about', async () => {
    const { code, stdout, stderr } = await currentRelease.run(installation.env, 'doctor', '--deep')
    expect({ code, stdout, stderr }).toMatchObject({ code: 0 })
    expect(stdout).not.toMatch(/^(failed|warning) /m)
  })

  it('is refused by the previous release, with one line', async () => {
    const server = await previous.serve(installation.env)
    const { code, stderr } = await server.ended
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(ONE_LINE) })
    const listed = await previous.run(installation.env, 'app', 'list')
    expect(listed).toEqual({ code: 1, stdout: '', stderr: expect.stringMatching(ONE_LINE) })
  })

  it('has backups that the previous release refuses, with one line', async () => {
    await currentRelease.json(installation.env, 'backup', backupOf('current'))
    const empty = await createEmpty()
    copyMasterKey(installation, empty)
    const outcome = await previous.run(empty.env, 'restore', backupOf('current'))
    // Version 0.1.0 doesn't say that the backup is newer, only that a table of it is unknown. Version 0.2.0 creates its own
    // tables first, and says so.
    const line =
      version === '0.1.0' ? /^gatehouse: [^\n]*nothing was restored from it\n$/ : ONE_LINE
    const stderr = outcome.stderr.replace(/^(gatehouse: migrating: .*\n)+/, '')
    expect({ ...outcome, stderr }).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(line),
    })
    await empty.remove()
  })

  it('restores a backup of the previous release', async () => {
    const empty = await createEmpty()
    copyMasterKey(installation, empty)
    await currentRelease.json(empty.env, 'restore', backupOf('previous'))
    const server = await currentRelease.serve(empty.env)
    const url = await server.url
    const client = (await clientOf(previous))({ ...made, baseUrl: made.baseUrl(url) })
    expect(await client.searchAccess({})).toMatchObject({ total: made.total })
    expect(await client.hasAccess({ rid: 'demo-article', user_ref: 'reader-1' })).toBe(true)
    await server.stop()
    await empty.remove()
  })
})
