import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Cli, fullDiskCli, inProcessCli } from '../../testing/cli.ts'
import { databases, entryPointDatabases, type TestDatabase } from '../../testing/databases.ts'
import { startTestService, type TestApplication, type TestService } from '../../testing/service.ts'

/** Timeout for tests that run many processes one after the other. */
const LONG = 90_000

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-data-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let files = 0
const newPath = (ending: string) => join(folder, `${files++}.${ending}`)

/** Starts a server; commands open the same data beside it. */
async function start(database: TestDatabase) {
  const service = await startTestService(database)
  // The commands use real time.
  service.clock.now = Date.now()
  const app = await service.newApplication()
  for (const rid of ['news', 'maps']) await app.addResource(rid)
  return { service, app, cli: inProcessCli(service.installation.env) }
}

async function stop(service: TestService): Promise<void> {
  service.clock.now = Date.now() + 1000
  await service.requireInvariants()
  await service.stop()
}

// These commands behave the same on both databases; the domain modules are tested on each.
describe('the user commands beside a server', () => {
  let service: TestService
  let app: TestApplication
  let cli: Cli
  let aid: string[]

  beforeAll(async () => {
    ;({ service, app, cli } = await start(databases[0]))
    aid = ['--aid', app.aid]
  })
  afterAll(() => stop(service))

  it(
    'change, join and show users',
    async () => {
      const old = await app.client.grantAccess({ rid: 'news', email: 'old@example.com' })
      const ann = await app.client.grantAccess({ rid: 'maps', email: 'ann@example.com' })
      expect(
        await cli.json('user', 'set-email', ...aid, 'ann@example.com', 'Ann@new.example'),
      ).toMatchObject({ uid: ann.uid, email: 'Ann@new.example' })
      const mailed = async () =>
        ((await cli.json('mail', 'list', ...aid)) as { kind: string; to: string }[])
          .filter(({ kind }) => kind === 'address_changed')
          .map(({ to }) => to)
      expect(await mailed()).toEqual([])
      await cli.run('user', 'set-email', ...aid, 'old@example.com', 'older@example.com', '--notify')
      expect((await mailed()).sort()).toEqual(['old@example.com', 'older@example.com'])
      await cli.run('user', 'set-email', ...aid, 'older@example.com', 'old@example.com')
      expect(await cli.json('user', 'add-ref', ...aid, ann.uid, 'member 7')).toMatchObject({
        added: true,
        references: ['member 7'],
      })
      const merged = await cli.json('user', 'merge', ...aid, 'old@example.com', 'member 7')
      expect(merged).toMatchObject({ from: old.uid, moved: 1, into: { uid: ann.uid } })
      const found = await app.client.getAccess({ rid: 'news', user_ref: 'member 7' })
      expect(found).toMatchObject({ id: old.id, uid: ann.uid, user_email: 'Ann@new.example' })
      const { stdout } = await cli.run('user', 'show', ...aid, '--user-ref', 'member 7')
      for (const text of [ann.uid, 'Ann@new.example', 'member 7', old.id, ann.id]) {
        expect(stdout).toContain(text)
      }
      expect(stdout).toMatch(/former_addresses +old@example\.com/)
    },
    LONG,
  )

  it('refuse a taken address and a name that is unknown, in one line', async () => {
    await app.client.grantAccess({ rid: 'news', email: 'taken@example.com' })
    await app.client.grantAccess({ rid: 'news', email: 'bob@example.com' })
    const taken = await cli.run('user', 'set-email', ...aid, 'bob@example.com', 'taken@example.com')
    expect(taken).toMatchObject({ code: 1, stdout: '' })
    expect(taken.stderr).toMatch(/^gatehouse: .*gatehouse user merge\.\n$/)
    await app.client.grantAccess({
      rid: 'news',
      email: 'cid@example.com',
      user_ref: 'dan@example.com',
    })
    await app.client.grantAccess({ rid: 'news', email: 'dan@example.com' })
    const either = await cli.run('user', 'show', ...aid, 'dan@example.com')
    expect(either).toMatchObject({ code: 1, stdout: '' })
    expect(either.stderr).toMatch(/^gatehouse: .*--uid, --user-ref or --email\n$/)
    const unknown = await cli.run('user', 'show', ...aid, 'nobody@example.com')
    expect(unknown.code).toBe(1)
    expect(unknown.stderr.split('\n')).toHaveLength(2)
  })

  it(
    'export and erase a person, the latter only if told twice',
    async () => {
      const { uid } = await app.client.grantAccess({ rid: 'news', email: 'eve@example.com' })
      const out = newPath('json')
      await cli.json('user', 'export', ...aid, 'eve@example.com', '--out', out)
      expect(statSync(out).mode & 0o777).toBe(0o600)
      expect(JSON.parse(readFileSync(out, 'utf8'))).toMatchObject({
        user: { uid, email: 'eve@example.com' },
        access: [{ rid: 'news' }],
      })
      const unsure = await cli.run('user', 'erase', ...aid, 'eve@example.com')
      expect(unsure.code).toBe(1)
      expect(unsure.stderr).toContain('--yes')
      expect(await app.client.getUser(uid)).toMatchObject({ email: 'eve@example.com' })
      expect(await cli.json('user', 'erase', ...aid, 'eve@example.com', '--yes')).toEqual({
        uid,
        revoked: 1,
        references: 0,
        mails: 1,
      })
      await expect(app.client.getUser(uid)).rejects.toMatchObject({ status: 404 })
    },
    LONG,
  )
})

describe.each(entryPointDatabases)('the commands on data beside a server on $name', (database) => {
  let service: TestService
  let app: TestApplication
  let cli: Cli
  /** Gets many records in the first test. */
  let many: TestApplication

  beforeAll(async () => {
    ;({ service, app, cli } = await start(database))
    await app.client.grantAccess({ rid: 'news', email: 'ann@example.com', user_ref: 'ann' })
  })
  afterAll(() => stop(service))

  it(
    'import a file, keep the refused rows, and take them once they are mended',
    async () => {
      const own = await service.newApplication()
      many = own
      await own.addResource('news')
      const path = newPath('csv')
      const rows = Array.from({ length: 2_000 }, (_, i) => `news,p${i}@example.com,ref ${i},"a,b"`)
      rows[700] = 'newz,p700@example.com,ref 700,"a,b"'
      writeFileSync(path, `\ufeff${['rid,email,user_ref,tags', ...rows].join('\r\n')}\r\n`)
      const command = ['access', 'import', '--aid', own.aid, '--json']
      const dry = await cli.run(...command, path, '--dry-run')
      expect(dry.code).toBe(1)
      const counts = { rows: 2_000, granted: 1_999, unchanged: 0, refused: 1 }
      expect(JSON.parse(dry.stdout)).toMatchObject({ dry_run: true, ...counts })
      expect((await own.client.searchAccess({})).total).toBe(0)

      const real = await cli.run(...command, path)
      const refused = `${path}.refused.csv`
      expect(JSON.parse(real.stdout)).toMatchObject({ ...counts, refused_file: refused })
      expect((await own.client.searchAccess({})).total).toBe(1_999)
      const text = readFileSync(refused, 'utf8')
      expect(text).toBe(
        'line,reason,rid,email,user_ref,tags\n' +
          '702,No such resource.,newz,p700@example.com,ref 700,"a,b"\n',
      )
      const mended = newPath('csv')
      writeFileSync(mended, text.replace('newz', 'news'))
      expect(JSON.parse((await cli.run(...command, mended)).stdout)).toMatchObject({ granted: 1 })
      expect(existsSync(`${mended}.refused.csv`)).toBe(false)

      // The file of refused rows from the first time is not in the way.
      const again = JSON.parse((await cli.run(...command, path)).stdout)
      expect(again).toMatchObject({ refused_file: `${path}.refused-2.csv` })
      const taken = await cli.run(...command, path, '--refused', refused)
      expect(taken.stderr).toContain('already exists')
      const { stdout } = await cli.run('access', 'export', '--aid', own.aid)
      expect(stdout.split('\n')).toHaveLength(2_002)
      const records = await cli.json<unknown[]>('access', 'export', '--aid', own.aid)
      expect(records).toHaveLength(2_000)
    },
    LONG,
  )

  it('import a file from a spreadsheet, and export one that changes nothing', async () => {
    const own = await service.newApplication()
    await own.addResource('news')
    const path = newPath('csv')
    const lines = ['E-Mail;Vorname;gültig bis', 'jö@example.de;Jörg;31.12.2037', 'x;Ann;']
    writeFileSync(path, Buffer.from(lines.join('\r\n'), 'latin1'))
    const command = ['access', 'import', '--aid', own.aid, '--format', 'people']
    expect((await cli.run(...command, path)).stderr).toContain('give one with --rid')
    const [first, second] = [1, 2].map((n) => path.replace('.csv', `-refused-${n}.csv`))
    for (const [refused, granted] of [
      [first, 1],
      [second, 0],
    ] as const) {
      const { stdout } = await cli.run(...command, '--rid', 'news', path, '--json')
      expect(JSON.parse(stdout)).toMatchObject({ granted, refused: 1, refused_file: refused })
    }
    expect(readFileSync(first as string, 'utf8')).toBe(
      'line,reason,E-Mail,Vorname,gültig bis\n3,Email: not a valid email address,x,Ann,\n',
    )
    const out = newPath('csv')
    await cli.run('access', 'export', '--aid', own.aid, '--format', 'people', '--out', out)
    expect(readFileSync(out, 'utf8')).toContain(
      '\njö@example.de,Jörg,,Resource news,2037-12-31,Live,',
    )
    expect((await cli.run(...command, out)).stdout).toContain('1 rows: 0 granted, 1 unchanged')
  })

  it('import nothing where refused rows could not be kept', async () => {
    const own = await service.newApplication()
    await own.addResource('news')
    const path = newPath('csv')
    writeFileSync(path, 'rid,email\nnews,a@example.com\nnewz,b@example.com\n')
    const refused = join(folder, 'no such folder', 'refused.csv')
    const command = ['access', 'import', '--aid', own.aid, path, '--refused', refused]
    const outcome = await cli.run(...command)
    expect(outcome).toMatchObject({ code: 1, stdout: '' })
    expect(outcome.stderr).toContain(`${refused} can't be written`)
    expect((await own.client.searchAccess({})).total).toBe(0)
  })

  it('name the file that there is no room for, and leave nothing of it', async () => {
    const cramped = fullDiskCli(service.installation.env)
    for (const command of [['backup'], ['access', 'export', '--aid', many.aid, '--out']]) {
      const file = newPath('large')
      const outcome = await cramped.run(...command, file)
      expect(outcome).toMatchObject({ code: 1, stdout: '' })
      expect(outcome.stderr).toMatch(/^gatehouse: .*large(\.part)? can't be written: .*\n$/)
      expect(outcome.stderr).toContain(file)
      expect([existsSync(file), existsSync(`${file}.part`)]).toEqual([false, false])
    }
  })
})
