import { randomBytes } from 'node:crypto'
import { readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { inProcessCli } from '../../testing/cli.ts'
import { databases } from '../../testing/databases.ts'
import type { FixtureResource } from '../../testing/downloads/fixture.ts'
import { useDownloadFixture, useS3 } from '../../testing/use-service.ts'

const [SQLITE] = databases

interface Checkup {
  ok: boolean
  checks: { check: string; status: string; message: string; todo?: string }[]
}

describe('doctor, of files that are downloaded,', () => {
  const fixture = useDownloadFixture(SQLITE)
  let resource: FixtureResource
  beforeEach(async () => {
    resource = await fixture.newResource()
  })

  const filesIn = async (...args: string[]) =>
    (await fixture.cli.json<Checkup>('doctor', ...args)).checks.filter(({ check }) =>
      check.startsWith('files '),
    )
  const failures = async () => {
    const { code, stdout } = await fixture.cli.run('doctor', '--deep', '--json')
    const { checks } = JSON.parse(stdout) as Checkup
    return { code, failed: checks.filter(({ status }) => status === 'failed') }
  }

  it('counts what there is to download', async () => {
    const hidden = await fixture.newResource()
    await resource.create('--file', fixture.newFile(randomBytes(1000)), '--publish')
    await hidden.create('--file', fixture.newFile(randomBytes(536)))
    const counted = '2 downloads, 1 published, 1.5 KiB, on disk'
    const found = { check: 'files production', status: 'ok', message: counted }
    expect((await filesIn())[0]).toEqual(found)
    const message = `${counted}, all checksums match`
    expect((await filesIn('--deep'))[0]).toEqual({ ...found, message })
  })

  it('finds every file that is damaged, and says what mends it', async () => {
    const ways = [
      ['changed', flip],
      ['missing', (path) => truncateSync(path, 1999)],
      ['missing', (path) => rmSync(path)],
      ['missing', linkAway],
    ] as [string, (path: string) => void][]
    const damaged = await Promise.all(
      ways.map(async ([kind, damage]) => {
        const own = await fixture.newResource()
        const file = fixture.newFile()
        const { id, sha256 } = await own.create('--file', file)
        damage(join(fixture.storeFolder(), sha256))
        return { ...own, id, kind, file }
      }),
    )
    expect((await fixture.cli.run('doctor')).code).toBe(0)
    const { code, failed } = await failures()
    expect(code).toBe(1)
    const { aid } = fixture.app
    const expected = damaged.map(({ rid, id, kind }) => ({
      check: 'files production',
      status: 'failed',
      message: expect.stringContaining(`the file of ${rid} (${aid}) is ${kind}: `),
      todo: expect.stringContaining(
        `gatehouse download replace --aid ${aid} --rid ${rid} --id ${id} --file FILE`,
      ),
    }))
    expect(failed).toHaveLength(expected.length)
    expect(failed).toEqual(expect.arrayContaining(expected))
    for (const { options: named, file } of damaged) {
      await fixture.cli.json('download', 'replace', ...named, '--file', file)
    }
    expect(await failures()).toEqual({ code: 0, failed: [] })
  })

  function flip(path: string): void {
    const bytes = readFileSync(path)
    bytes[1234] = (bytes[1234] as number) ^ 1
    writeFileSync(path, bytes)
  }
  function linkAway(path: string): void {
    writeFileSync(join(fixture.folder, 'elsewhere'), readFileSync(path))
    rmSync(path)
    symlinkSync(join(fixture.folder, 'elsewhere'), path)
  }

  it("says what to fix where a store can't be used", async () => {
    const empty = await SQLITE.createEmpty()
    const own = inProcessCli(empty.env)
    await own.json('app', 'create', '--env', 'sandbox', '--name', 'Test magazine')
    writeFileSync(join(empty.env.GATEHOUSE_DATA as string, 'files'), 'in the way')
    const { code, stdout } = await own.run('doctor')
    await empty.remove()
    expect(code).toBe(1)
    expect(stdout).toMatch(/^failed +files sandbox +the folder can't be used: E/m)
    expect(stdout).toMatch(/-> make sure .* that the service can write to .*\/files\/sandbox$/m)
  })

  it('misses the bucket of files that are in S3', async () => {
    const { sha256: name } = await resource.create('--file', fixture.newFile())
    const move = (store: string) =>
      fixture.app.environment.database.write((trx) =>
        sql`update files set store = ${store} where sha256 = ${name}`.execute(trx),
      )
    await move('s3')
    const { failed } = await failures()
    await move('disk')
    expect(failed).toEqual([
      {
        check: 'files production',
        status: 'failed',
        message: 'the file is in S3, but no bucket is set (GATEHOUSE_S3_BUCKET)',
        todo: expect.stringContaining('GATEHOUSE_S3_'),
      },
    ])
  })
})

describe('doctor, of files in S3,', () => {
  const s3 = useS3('redirect')

  /** The findings on files in an installation of its own, and the code that doctor ends with. */
  async function findingsOf(more: Record<string, string> = {}) {
    const empty = await SQLITE.createEmpty()
    const cli = inProcessCli({ ...empty.env, ...s3.env, ...more })
    await cli.json('app', 'create', '--env', 'sandbox', '--name', 'Test magazine')
    const { code, stdout } = await cli.run('doctor', '--json')
    await empty.remove()
    const { checks } = JSON.parse(stdout) as Checkup
    return { code, found: checks.filter(({ check }) => check === 'files sandbox') }
  }
  const summary = expect.objectContaining({ status: 'ok' })

  it('passes where all is well', async () => {
    expect(await findingsOf()).toEqual({ code: 0, found: [summary] })
  })

  it('says after a failure nothing of what is well', async () => {
    const { code, found } = await findingsOf({ GATEHOUSE_S3_SECRET_ACCESS_KEY: 'wrong' })
    expect(code).toBe(1)
    expect(found).toEqual([expect.objectContaining({ status: 'failed' })])
  })

  it("warns of a server that can't list uploads, and does not fail", async () => {
    s3.fault = ({ action }) =>
      action === 'ListMultipartUploads' ? { status: 501, code: 'NotImplemented' } : undefined
    const { code, found } = await findingsOf()
    s3.fault = () => undefined
    expect(code).toBe(0)
    const message = "S3: this server can't list unfinished uploads"
    expect(found).toEqual([expect.objectContaining({ status: 'warning', message }), summary])
  })

  it('fails where the clocks differ', async () => {
    s3.now = () => Date.now() + 300_000
    const { code, found } = await findingsOf()
    s3.now = Date.now
    expect(code).toBe(1)
    expect(found).toEqual([
      {
        check: 'files sandbox',
        status: 'failed',
        message: expect.stringContaining("this machine's clock differs from the storage server's"),
        todo: expect.stringContaining("correct this machine's clock"),
      },
    ])
  })

  it('warns of an address that begins with the bucket, where it fails too', async () => {
    const endpoint = s3.url.replace('127.0.0.1', `${s3.bucket}.s3.invalid`)
    const { found } = await findingsOf({ GATEHOUSE_S3_ENDPOINT: endpoint })
    expect(found).toEqual([
      expect.objectContaining({
        status: 'warning',
        message: expect.stringContaining("begins with the bucket's name"),
      }),
      expect.objectContaining({ status: 'failed' }),
    ])
  })
})
